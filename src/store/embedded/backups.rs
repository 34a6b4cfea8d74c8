//! Backups: the snapshot of one read transaction, copied into a file of its own.
//!
//! Invariants: a file under a backup's name is whole and on the disk; until then it has the name of a draft, which the
//! next backup replaces. Commits go on meanwhile, and share only the disk with the backup.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use redb::Database;

use super::copying::copy;
use super::database::{Handle, Outcome, Snapshot, make_private_directory};
use super::{Embedded, as_told, unavailable};
use crate::{Backup, BackupError};
use sarsen_base::ambient::Timestamp;

/// The directory of backups, in the data directory.
const DIRECTORY: &str = "backups";
/// The file of the backup under way.
const DRAFT: &str = "draft.redb";
/// The number of backups that are kept.
const KEPT: usize = 2;
/// The memory that the copying takes for pages, in bytes.
const CACHE: usize = 32 << 20;

/// The directory of backups, and the lock of the one under way.
pub(super) struct BackupPlace {
    directory: PathBuf,
    running: Arc<tokio::sync::Mutex<()>>,
}

impl BackupPlace {
    /// Places the directory beside the store's file.
    pub(super) fn beside(file: &Path) -> BackupPlace {
        let directory = file.parent().unwrap_or(Path::new("")).join(DIRECTORY);
        BackupPlace { directory, running: Arc::default() }
    }
}

/// Makes a backup in the directory of backups: [`Store::back_up`](crate::Store::back_up).
pub(super) async fn make_one(store: &Embedded) -> Result<Backup, BackupError> {
    let permit = Arc::clone(&store.backups.running).try_lock_owned().map_err(|_| BackupError::Running)?;
    let (database, directory, now) =
        (Arc::clone(&store.database), store.backups.directory.clone(), store.ambient.now());
    let work = tokio::task::spawn_blocking(move || {
        let made = make(&database, &directory, now);
        drop(permit);
        made
    });
    work.await.map_err(unavailable)?
}

impl Embedded {
    /// Copies everything into a new file, which others cannot read. Returns its size, in bytes.
    ///
    /// # Errors
    /// If the file exists, or cannot be written; a partly written file is removed.
    pub async fn copy_to(&self, file: &Path) -> Result<u64, BackupError> {
        let (database, file) = (Arc::clone(&self.database), file.to_owned());
        tokio::task::spawn_blocking(move || write(&database, &file)).await.map_err(unavailable)?
    }
}

fn unusable(file: &Path) -> impl FnOnce(io::Error) -> BackupError {
    |source| BackupError::File { file: file.display().to_string(), source }
}

fn make(database: &Handle, directory: &Path, now: Timestamp) -> Result<Backup, BackupError> {
    make_private_directory(directory).map_err(unusable(directory))?;
    let draft = directory.join(DRAFT);
    // Removes the draft of a backup that was cut short.
    match fs::remove_file(&draft) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unusable(&draft)(error)),
        _ => {}
    }
    let bytes = write(database, &draft)?;
    let name = free_name(directory, now);
    let file = directory.join(&name);
    fs::rename(&draft, &file).and_then(|()| sync(directory)).map_err(unusable(&file))?;
    forget_old(directory).map_err(unusable(directory))?;
    tracing::info!(name, bytes, "a backup is made");
    Ok(Backup { name, bytes })
}

/// Returns a name that sorts behind those of all earlier backups, unless the clock was set back.
fn free_name(directory: &Path, now: Timestamp) -> String {
    let moment: String = now.rfc3339().chars().filter(|c| !matches!(c, '-' | ':' | '.')).collect();
    let mut name = format!("sarsen-{moment}.redb");
    let mut number = 1;
    while directory.join(&name).exists() {
        number += 1;
        name = format!("sarsen-{moment}-{number}.redb");
    }
    name
}

fn forget_old(directory: &Path) -> io::Result<()> {
    let mut made = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        if name.to_str().is_some_and(|name| name.starts_with("sarsen-") && name.ends_with(".redb")) {
            made.push((entry.metadata()?.modified()?, name));
        }
    }
    made.sort();
    for (_, name) in made.iter().rev().skip(KEPT) {
        fs::remove_file(directory.join(name))?;
    }
    Ok(())
}

fn sync(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

/// Writes a new file; removes it again if that fails.
fn write(database: &Handle, file: &Path) -> Result<u64, BackupError> {
    fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file).map_err(unusable(file))?;
    let written = copy_into(database, file);
    if written.is_err() {
        // The file is of no use, and its failure is reported.
        let _ = fs::remove_file(file);
    }
    written
}

fn copy_into(database: &Handle, file: &Path) -> Result<u64, BackupError> {
    let seen = database.with(Snapshot::of).map_err(as_told)?;
    let target = Database::builder()
        .set_cache_size(CACHE)
        .create(file)
        .map_err(|error| unavailable(redb::Error::from(error)))?;
    let copied: Outcome<()> = (|| {
        let mut transaction = target.begin_write()?;
        transaction.set_quick_repair(true);
        copy(&seen, &transaction, &|| database.is_usable())?;
        Ok(transaction.commit()?)
    })();
    copied.map_err(as_told)?;
    drop(target);
    fs::metadata(file).map(|file| file.len()).map_err(unusable(file))
}
