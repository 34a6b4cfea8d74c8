//! The key file, in which a service with its own data directory keeps its token keys.
//!
//! Invariants: it is made once, whole or not at all, with fresh entropy, and at no moment readable by anybody but its
//! owner; an existing file is never overwritten, and one that group or others may touch is refused. It holds the text
//! that [`SigningKeys::parse`] reads, so keys are rotated by putting a new one in front.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::keys::{KeysError, SigningKeys};
use sarsen_base::ambient::Ambient;

/// The file's name in the data directory.
const FILE_NAME: &str = "token-keys";

/// The maximum size of the file that is read, in bytes: some hundred keys.
const MAX_BYTES: u64 = 16 * 1024;

/// The reason why the keys of the data directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// It cannot be read or made.
    #[error("the token key file {path} cannot be {attempt}")]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The attempted operation: `read` or `created`.
        attempt: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
    /// Others than its owner may touch it.
    #[error(
        "the token key file {path} is open to group or others (mode {mode:03o}); make it private: chmod 600 {path}"
    )]
    TooOpen {
        /// The path of the file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// It holds something else.
    #[error("the token key file {path} is damaged")]
    Content {
        /// The path of the file.
        path: PathBuf,
        /// The fault.
        source: KeysError,
    },
}

impl SigningKeys {
    /// The keys of the file `token-keys` in `directory`, which must exist; makes the file with one new key if there is
    /// none. Blocks on the disk: for the start of the service only.
    ///
    /// # Errors
    /// If the file cannot be read, made, or used.
    pub fn load_or_create(directory: &Path, ambient: &Ambient) -> Result<SigningKeys, KeyFileError> {
        let path = directory.join(FILE_NAME);
        let failed = |attempt| {
            let path = path.clone();
            move |source| KeyFileError::Io { path, attempt, source }
        };
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create(directory, &path, ambient).map_err(failed("created"))?;
                File::open(&path).map_err(failed("read"))?
            }
            Err(error) => return Err(failed("read")(error)),
        };
        read(file, path)
    }

    /// The keys of the file `token-keys` in `directory`, for a program that runs beside the service: makes nothing. Blocks
    /// on the disk.
    ///
    /// # Errors
    /// If there is no such file, or it cannot be read or used.
    pub fn load(directory: &Path) -> Result<SigningKeys, KeyFileError> {
        let path = directory.join(FILE_NAME);
        match File::open(&path) {
            Ok(file) => read(file, path),
            Err(source) => Err(KeyFileError::Io { path, attempt: "read", source }),
        }
    }
}

fn read(file: File, path: PathBuf) -> Result<SigningKeys, KeyFileError> {
    refuse_too_open(&file, &path)?;
    let mut text = String::new();
    if let Err(source) = file.take(MAX_BYTES).read_to_string(&mut text) {
        return Err(KeyFileError::Io { path, attempt: "read", source });
    }
    SigningKeys::parse(&text).map_err(|source| KeyFileError::Content { path, source })
}

/// Writes the file under another name and links it into place. The link fails if the file exists: a second process uses
/// the file of the first.
fn create(directory: &Path, path: &Path, ambient: &Ambient) -> io::Result<()> {
    let draft = directory.join(format!("{FILE_NAME}.{:016x}", u64::from_be_bytes(ambient.bytes())));
    let made = write_private(&draft, &SigningKeys::new_key_text(ambient)).and_then(|()| {
        fs::hard_link(&draft, path).or_else(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Ok(()),
            _ => Err(error),
        })
    });
    let removed = fs::remove_file(&draft);
    made?;
    removed?;
    File::open(directory)?.sync_all()
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    writeln!(file, "{text}")?;
    file.sync_all()
}

/// Checks the open file and not its name, so that nothing can be swapped in between.
fn refuse_too_open(file: &File, path: &Path) -> Result<(), KeyFileError> {
    let metadata =
        file.metadata().map_err(|source| KeyFileError::Io { path: path.to_owned(), attempt: "read", source })?;
    match metadata.permissions().mode() & 0o777 {
        mode if mode & 0o077 == 0 => Ok(()),
        mode => Err(KeyFileError::TooOpen { path: path.to_owned(), mode }),
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    struct Directory(TempDir);

    impl Directory {
        fn new() -> Directory {
            Directory(tempfile::tempdir().unwrap())
        }

        fn file(&self) -> PathBuf {
            self.0.path().join(FILE_NAME)
        }

        fn load(&self) -> Result<SigningKeys, KeyFileError> {
            SigningKeys::load_or_create(self.0.path(), &Ambient::system())
        }
    }

    #[test]
    fn it_is_made_once_and_read_again() {
        let directory = Directory::new();
        let first = directory.load().unwrap();
        let text = fs::read(directory.file()).unwrap();
        let again = directory.load().unwrap();
        assert_eq!(format!("{first:?}"), format!("{again:?}"));
        assert_eq!(fs::read(directory.file()).unwrap(), text);
        assert_eq!(fs::read_dir(directory.0.path()).unwrap().count(), 1, "no draft stays behind");
    }

    #[test]
    fn several_at_once_agree_on_one_key() {
        let directory = Directory::new();
        let shown: Vec<String> = std::thread::scope(|scope| {
            let starts: Vec<_> = (0..8).map(|_| scope.spawn(|| format!("{:?}", directory.load().unwrap()))).collect();
            starts.into_iter().map(|start| start.join().unwrap()).collect()
        });
        assert!(shown.iter().all(|keys| *keys == shown[0]), "{shown:?}");
    }

    #[test]
    fn another_program_reads_the_keys_and_makes_none() {
        let directory = Directory::new();
        let missing = SigningKeys::load(directory.0.path()).unwrap_err();
        assert!(matches!(missing, KeyFileError::Io { attempt: "read", .. }), "{missing:?}");
        assert_eq!(fs::read_dir(directory.0.path()).unwrap().count(), 0);
        let made = directory.load().unwrap();
        assert_eq!(format!("{:?}", SigningKeys::load(directory.0.path()).unwrap()), format!("{made:?}"));
    }

    #[test]
    fn a_damaged_file_is_refused_and_kept() {
        let directory = Directory::new();
        write_private(&directory.file(), "k:c2hvcnQ").unwrap();
        assert!(matches!(directory.load(), Err(KeyFileError::Content { source: KeysError::Short(..), .. })));
        assert_eq!(fs::read_to_string(directory.file()).unwrap(), "k:c2hvcnQ\n");
    }

    #[test]
    fn a_missing_directory_is_an_error() {
        let directory = Directory::new();
        let missing = directory.0.path().join("missing");
        let error = SigningKeys::load_or_create(&missing, &Ambient::system()).unwrap_err();
        assert!(matches!(error, KeyFileError::Io { attempt: "created", .. }), "{error:?}");
    }

    #[test]
    fn only_its_owner_can_read_it() {
        let directory = Directory::new();
        directory.load().unwrap();
        assert_eq!(fs::metadata(directory.file()).unwrap().permissions().mode() & 0o777, 0o600);
        for open in [0o640, 0o604, 0o644, 0o620, 0o610] {
            fs::set_permissions(directory.file(), fs::Permissions::from_mode(open)).unwrap();
            let error = directory.load().unwrap_err();
            assert!(matches!(error, KeyFileError::TooOpen { mode, .. } if mode == open), "{error:?}");
            assert!(error.to_string().contains("chmod 600"), "{error}");
        }
        fs::set_permissions(directory.file(), fs::Permissions::from_mode(0o400)).unwrap();
        assert!(directory.load().is_ok());
    }
}
