//! Opening of the store's file.

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use redb::{Database, DatabaseError};

use super::database::{Handle, OpenError, Opener, Outcome, guarded, make_private_directory};
use super::{Embedded, damage, layout};
use sarsen_base::ambient::Ambient;
use sarsen_base::telemetry::caught;

/// The file's name in the data directory.
const FILE: &str = "sarsen.redb";
/// The memory that redb takes for pages of the file, in bytes.
const CACHE: usize = 256 << 20;

/// The damage of a file of which nothing can be found.
const NO_TABLES: &str = "it is another file, or its header or the list of its tables is damaged; only a backup helps";

impl Embedded {
    /// Returns true if there is a store in the directory `dir`.
    pub fn is_in(dir: &Path) -> bool {
        dir.join(FILE).is_file()
    }

    /// Opens the store in the directory `dir`. A missing directory is made, private to the owner; one of this user that
    /// others may access is made private. Blocks while the file is opened.
    ///
    /// # Errors
    /// If the directory or the file cannot be used, or another process uses it.
    pub fn open(dir: &Path, ambient: Ambient) -> Result<Embedded, OpenError> {
        let path = dir.join(FILE);
        let unusable = |path: &Path| {
            let path = path.to_owned();
            |source| OpenError::Unusable { path, source }
        };
        make_private_directory(dir).map_err(unusable(dir))?;
        shut_others_out(dir)?;
        make_private_file(&path).map_err(unusable(&path))?;
        let file = path.clone();
        let opener = move || Database::builder().set_cache_size(CACHE).create(&file);
        let embedded = Embedded::with(Box::new(opener), &path, ambient)?;
        // The file's name must survive a power failure too.
        File::open(dir).and_then(|dir| dir.sync_all()).map_err(unusable(dir))?;
        Ok(embedded)
    }

    /// Opens the store with an opener of the database; `path` is for errors only.
    pub(super) fn with(opener: Opener, path: &Path, ambient: Ambient) -> Result<Embedded, OpenError> {
        let path = path.to_owned();
        let unreadable = |found: Option<String>, source: redb::Error| {
            let found = found.unwrap_or_else(|| NO_TABLES.to_owned());
            OpenError::Unreadable { path: path.clone(), found, source: Box::new(source) }
        };
        let opened = caught(|| Handle::open(opener))
            .map_err(|panicked| unreadable(None, redb::Error::Corrupted(panicked.to_string())))?;
        let database = match opened {
            Ok(database) => database,
            Err(DatabaseError::DatabaseAlreadyOpen) => return Err(OpenError::InUse { path }),
            Err(DatabaseError::Storage(redb::StorageError::Io(source))) => {
                return Err(OpenError::Unusable { path, source });
            }
            Err(error) => return Err(unreadable(None, error.into())),
        };
        match guarded(|| database.with(newer_layout)) {
            Ok(None) => {}
            Ok(Some(found)) => return Err(OpenError::Newer { path, found, known: layout::LAYOUT }),
            Err(redb::Error::Io(source)) => return Err(OpenError::Unusable { path, source }),
            Err(source) => return Err(unreadable(damage::found_in(&database), source)),
        }
        Embedded::start(database, path.clone(), ambient).map_err(|source| OpenError::Unusable { path, source })
    }
}

/// Returns the layout of a file that a newer release has written, and prepares any other file.
fn newer_layout(database: &Database) -> Outcome<Option<u64>> {
    match layout::found(database)? {
        Some(found) if found > layout::LAYOUT => Ok(Some(found)),
        // An upgrade from an earlier layout to a later one is added here, in one transaction.
        _ => layout::prepare(database).map(|()| None),
    }
}

/// Removes the permissions of others from a directory. Refused for one that everybody may write in, which serves other
/// purposes too, and for one of another owner.
fn shut_others_out(dir: &Path) -> Result<(), OpenError> {
    const OTHERS: u32 = 0o077;
    const EVERYBODY_WRITES: u32 = 0o002;
    let unusable = |source| OpenError::Unusable { path: dir.to_owned(), source };
    let found = fs::metadata(dir).map_err(unusable)?;
    let mode = found.mode() & 0o7777;
    if mode & OTHERS == 0 {
        return Ok(());
    }
    let refuse = |reason| Err(OpenError::Exposed { path: dir.to_owned(), mode, reason });
    if found.uid() != rustix::process::geteuid().as_raw() {
        return refuse("belongs to somebody else");
    }
    if mode & EVERYBODY_WRITES != 0 {
        return refuse("everybody may write in it");
    }
    fs::set_permissions(dir, fs::Permissions::from_mode(0o700)).map_err(unusable)?;
    let (directory, mode) = (dir.display(), format!("{mode:04o}"));
    tracing::warn!(%directory, mode, "others could look into the data directory; it is private to its owner now");
    Ok(())
}

fn make_private_file(path: &Path) -> std::io::Result<()> {
    fs::OpenOptions::new().create(true).append(true).mode(0o600).open(path).map(drop)
}
