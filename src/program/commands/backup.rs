//! `sarsen backup`: a copy of an embedded store, stopped or running.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use super::operator::{ask, token};
use super::request::Request;
use super::{CommandError, place, say};
use crate::config::BackupFlags;
use sarsen_base::ambient::Ambient;
use sarsen_store::Store;
use sarsen_store::embedded::Embedded;

/// The time that a running service may take.
const WITHIN: Duration = Duration::from_secs(3600);

/// The answer of the service.
#[derive(Deserialize)]
struct Made {
    name: String,
}

/// Makes the backup.
pub(super) fn backup(flags: &BackupFlags) -> Result<(), CommandError> {
    let BackupFlags { file, data_dir, url, token_file } = flags;
    if file.exists() {
        return Err(format!("{} is there already; name a new file", file.display()).into());
    }
    match url {
        Some(url) => of_running(file, data_dir, url, &token(token_file.as_deref(), "admin:operate")?)?,
        None => place::run(of_stopped(file, data_dir))?,
    }
    say(&format!("The backup is in {} ({} bytes); keep it secret.", file.display(), fs::metadata(file)?.len()));
    Ok(())
}

async fn of_stopped(file: &Path, data_dir: &Path) -> Result<(), CommandError> {
    if !Embedded::is_in(data_dir) {
        return Err(
            format!("{} holds no store; --data-dir (SARSEN_DATA_DIR) names the directory", data_dir.display()).into()
        );
    }
    let store = Embedded::open(data_dir, Ambient::system())
        .map_err(|error| format!("{}; of a store that is in use, --url makes a backup", super::chain(&error)))?;
    let (draft, copied) = (draft_of(file), store.copy_to(&draft_of(file)).await);
    store.close().await;
    copied?;
    put_in_place(&draft, file)
}

/// Has the service make one, and copies it from the data directory.
fn of_running(file: &Path, data_dir: &Path, url: &str, token: &str) -> Result<(), CommandError> {
    let request = Request { method: "POST", url, default_path: "/v1/admin/backup", token: Some(token), body: None };
    let answer = ask(&request, 201, WITHIN)?;
    let made: Made = serde_json::from_slice(&answer)?;
    let source = data_dir.join("backups").join(&made.name);
    let copied = copy(&source, file);
    copied.map_err(|error| {
        let source = source.display();
        format!(
            "the service has made the backup {}, but {source} could not be copied to {}: {error}; --data-dir names the \
             service's data directory, and on another machine it has to be fetched from there",
            made.name,
            file.display()
        )
        .into()
    })
}

fn copy(source: &Path, file: &Path) -> Result<(), CommandError> {
    let draft = draft_of(file);
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut from = File::open(source)?;
    let mut to = options.open(&draft)?;
    let copied = io::copy(&mut from, &mut to).and_then(|_| to.sync_all());
    if copied.is_err() {
        // The failure has been told of; what is left of the draft is of no use.
        let _ = fs::remove_file(&draft);
    }
    copied?;
    put_in_place(&draft, file)
}

/// Under this name it is until it is whole.
fn draft_of(file: &Path) -> std::path::PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".draft");
    name.into()
}

fn put_in_place(draft: &Path, file: &Path) -> Result<(), CommandError> {
    fs::rename(draft, file)?;
    let directory = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(File::open(directory)?.sync_all()?)
}
