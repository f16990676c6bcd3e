//! A file becomes a stream of text, whatever it is packed in.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use super::RecordingError;

/// Bytes that are read or unpacked at once.
const CHUNK: usize = 128 * 1024;

/// The text of a file.
pub(super) struct Content {
    text: BufReader<Box<dyn Read>>,
    json: bool,
}

impl Content {
    /// Whether it is JSON. It is CSV otherwise.
    pub(super) const fn is_json(&self) -> bool {
        self.json
    }
}

impl Read for Content {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.text.read(into)
    }
}

/// Opens a file and looks at its first bytes. Endings of names are not asked, since downloads lose them, but a name that
/// promises compression must keep the promise.
pub(super) fn content(file: &Path) -> Result<Content, RecordingError> {
    let failed = |error| RecordingError::reading(file, error);
    let mut packed = BufReader::with_capacity(CHUNK, File::open(file).map_err(failed)?);
    let empty = || RecordingError::new(file, "is empty", "give a recording with a line of column names");
    let start = packed.fill_buf().map_err(failed)?;
    if start.is_empty() {
        return Err(empty());
    }
    let text: Box<dyn Read> = if start.starts_with(&[0x1f, 0x8b]) {
        Box::new(MultiGzDecoder::new(packed))
    } else if start.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        Box::new(zstd::Decoder::with_buffer(packed).map_err(failed)?)
    } else if let Some(ending @ ("gz" | "zst")) = file.extension().and_then(|ending| ending.to_str()) {
        return Err(RecordingError::new(
            file,
            format!("ends in .{ending} but is not compressed that way"),
            "copy or download it again, or give it the name of what it is",
        ));
    } else {
        Box::new(packed)
    };
    let mut text = BufReader::with_capacity(CHUNK, text);
    let start = text.fill_buf().map_err(failed)?;
    if start.is_empty() {
        return Err(empty());
    }
    let json = start.trim_ascii_start().starts_with(b"{");
    Ok(Content { text, json })
}
