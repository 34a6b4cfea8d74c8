//! The files of an export: written with their hashes, read only once these agree.
//!
//! Invariant: the directory and everything in it is its owner's alone, because it holds seeds, invite codes and what keeps
//! sessions alive.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use aws_lc_rs::digest::{self, SHA256};
use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::TransferError;
use super::format::{FORMAT, FileEntry, Item, Kind, MANIFEST, Manifest, read, write};

/// No line is longer, in bytes: a damaged file must not fill the memory.
const LINE_MAX: u64 = 256 << 20;

fn owners_alone(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Makes the directory for an export, private to its owner. One that is there must be empty.
pub(super) fn make_directory(directory: &Path) -> Result<(), TransferError> {
    let unusable = |source| TransferError::file(directory, source);
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory).map_err(unusable)?;
    if fs::read_dir(directory).map_err(unusable)?.next().is_some() {
        return Err(TransferError::directory(
            directory,
            "is not empty; name a directory that is, or that is not there yet",
        ));
    }
    #[cfg(unix)]
    fs::set_permissions(directory, std::os::unix::fs::PermissionsExt::from_mode(0o700)).map_err(unusable)?;
    Ok(())
}

/// Counts and hashes what goes into a file.
struct Hashed {
    file: BufWriter<File>,
    hash: digest::Context,
    bytes: u64,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A file of lines under way.
pub(super) struct LineWriter {
    path: PathBuf,
    name: String,
    lines: u64,
    encoder: GzEncoder<Hashed>,
}

impl LineWriter {
    pub(super) fn create(directory: &Path, kind: Kind) -> Result<LineWriter, TransferError> {
        let name = kind.file();
        let path = directory.join(&name);
        let mut options = OpenOptions::new();
        let file = owners_alone(options.write(true).create_new(true)).open(&path);
        let file = BufWriter::new(file.map_err(|source| TransferError::file(&path, source))?);
        let hashed = Hashed { file, hash: digest::Context::new(&SHA256), bytes: 0 };
        Ok(LineWriter { path, name, lines: 0, encoder: GzEncoder::new(hashed, Compression::default()) })
    }

    /// Adds a line for the item; answers whether it could be written as one.
    pub(super) fn add(&mut self, item: Item) -> Result<bool, TransferError> {
        let Some(mut line) = write(item) else { return Ok(false) };
        line.push(b'\n');
        self.encoder.write_all(&line).map_err(|source| TransferError::file(&self.path, source))?;
        self.lines += 1;
        Ok(true)
    }

    /// Brings it to the disk.
    pub(super) fn finish(self) -> Result<FileEntry, TransferError> {
        let LineWriter { path, name, lines, encoder } = self;
        let finished = encoder.finish().and_then(|hashed| {
            let Hashed { file, hash, bytes } = hashed;
            file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            Ok((hex::encode(hash.finish()), bytes))
        });
        let (sha256, bytes) = finished.map_err(|source| TransferError::file(&path, source))?;
        Ok(FileEntry { name, lines, bytes, sha256 })
    }
}

/// Writes the manifest, with which the directory becomes an export.
pub(super) fn seal(directory: &Path, manifest: &Manifest) -> Result<(), TransferError> {
    let (path, draft) = (directory.join(MANIFEST), directory.join("manifest.tmp"));
    let sealed = (|| {
        let mut options = OpenOptions::new();
        let mut file = owners_alone(options.write(true).create_new(true)).open(&draft)?;
        serde_json::to_writer_pretty(&mut file, manifest)?;
        file.write_all(b"\n")?;
        file.sync_all()?;
        fs::rename(&draft, &path)?;
        File::open(directory)?.sync_all()
    })();
    sealed.map_err(|source| TransferError::file(&path, source))
}

/// An export whose files are as its manifest says.
pub(super) struct Sealed {
    directory: PathBuf,
    pub(super) manifest: Manifest,
}

impl Sealed {
    /// Reads the manifest and hashes all files.
    pub(super) fn open(directory: &Path) -> Result<Sealed, TransferError> {
        let wrong = |fault: String| TransferError::directory(directory, fault);
        if !directory.is_dir() {
            return Err(wrong("is no directory".to_owned()));
        }
        let path = directory.join(MANIFEST);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(wrong(format!("has no {MANIFEST}: it is no export, or one that was not finished")));
            }
            text => text.map_err(|source| TransferError::file(&path, source))?,
        };
        let format = serde_json::from_slice::<serde_json::Value>(&text).ok();
        let format = format.as_ref().and_then(|manifest| manifest.get("format")?.as_u64());
        match format {
            Some(newer) if newer > u64::from(FORMAT) => {
                return Err(wrong(format!(
                    "is an export of format {newer}, and this release reads formats up to {FORMAT}: use a newer release"
                )));
            }
            Some(1..) => {}
            _ => return Err(wrong(format!("has a {MANIFEST} that is not that of an export"))),
        }
        let manifest: Manifest = serde_json::from_slice(&text)
            .map_err(|error| wrong(format!("has a {MANIFEST} that cannot be read: {error}")))?;
        for kind in Kind::ALL {
            let name = kind.file();
            let entry = manifest.files.iter().find(|entry| entry.name == name);
            let entry = entry.ok_or_else(|| wrong(format!("has a {MANIFEST} that does not name {name}")))?;
            let path = directory.join(&name);
            let (bytes, sha256) = match hash(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(wrong(format!("lacks {name}, which its manifest names")));
                }
                found => found.map_err(|source| TransferError::file(&path, source))?,
            };
            if bytes != entry.bytes {
                return Err(wrong(format!("has {bytes} bytes of {name} instead of {}: it is not whole", entry.bytes)));
            }
            if sha256 != entry.sha256 {
                return Err(wrong(format!("has a {name} with another hash than its manifest says: it is damaged")));
            }
        }
        Ok(Sealed { directory: directory.to_owned(), manifest })
    }

    /// The items of a kind, in the order in which they were written.
    pub(super) fn items(&self, kind: Kind) -> Result<LineReader, TransferError> {
        let path = self.directory.join(kind.file());
        let file = File::open(&path).map_err(|source| TransferError::file(&path, source))?;
        let left = self.manifest.files.iter().find(|entry| entry.name == kind.file()).map_or(0, |entry| entry.lines);
        Ok(LineReader { path, kind, left, lines: BufReader::new(MultiGzDecoder::new(BufReader::new(file))) })
    }
}

fn hash(path: &Path) -> io::Result<(u64, String)> {
    let mut file = File::open(path)?;
    let mut hash = digest::Context::new(&SHA256);
    let (mut room, mut bytes) = (vec![0; 1 << 16], 0);
    loop {
        match file.read(&mut room)? {
            0 => return Ok((bytes, hex::encode(hash.finish()))),
            read => {
                hash.update(&room[..read]);
                bytes += read as u64;
            }
        }
    }
}

/// A file of lines that is read.
pub(super) struct LineReader {
    path: PathBuf,
    kind: Kind,
    left: u64,
    lines: BufReader<MultiGzDecoder<BufReader<File>>>,
}

impl LineReader {
    /// The next item; `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<Item>, TransferError> {
        let fault = |source| TransferError::file(&self.path, source);
        let mut line = String::new();
        let read_bytes = (&mut self.lines).take(LINE_MAX).read_line(&mut line).map_err(fault)?;
        let wrong = |what: &str| fault(io::Error::new(io::ErrorKind::InvalidData, what.to_owned()));
        if read_bytes == 0 {
            return if self.left == 0 { Ok(None) } else { Err(wrong("it has fewer lines than the manifest says")) };
        }
        self.left = self.left.checked_sub(1).ok_or_else(|| wrong("it has more lines than the manifest says"))?;
        let text = line.strip_suffix('\n').ok_or_else(|| wrong("its last line is not whole"))?;
        // Without what is on the line, which may be secret.
        let item = read(self.kind, text)
            .map_err(|error| wrong(&format!("a line is not as it should be, at column {}", error.column())))?;
        Ok(Some(item))
    }
}
