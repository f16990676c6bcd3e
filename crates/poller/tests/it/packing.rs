//! Compressed recordings, and what is none.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use insta::assert_snapshot;
use poller::{Recording, RecordingError};

use crate::files::{Folder, listed, read, told};

const TEXT: &str = "Timestamp,Region,ModelId,InvocationLatency.p50\n2026-10-01T00:00:00Z,us-east-1,m,1\n";
const ROW: &str = "2026-10-01T00:00:00Z -/us-east-1/m InvocationLatency.p50=1";

fn gzip(text: &str) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

fn zstd(text: &str) -> Vec<u8> {
    zstd::encode_all(text.as_bytes(), 3).unwrap()
}

fn told_of(name: &str, content: impl AsRef<[u8]>) -> String {
    told(&read(name, content).unwrap_err())
}

#[test]
fn gzip_and_zstd_are_known_by_their_content() {
    for (name, content) in [
        ("r.csv.gz", gzip(TEXT)),
        ("r.csv", gzip(TEXT)),
        ("r.csv.zst", zstd(TEXT)),
        ("r", zstd(TEXT)),
        ("r", TEXT.into()),
    ] {
        assert_eq!(listed(&read(name, content).unwrap()), [ROW], "{name}");
    }
}

#[test]
fn gzip_files_that_were_joined_are_read_to_the_end() {
    let second = "2026-10-01T00:05:00Z,us-east-1,m,2\n";
    let joined = [gzip(TEXT), gzip(second)].concat();
    assert_eq!(listed(&read("r.csv.gz", joined).unwrap()).len(), 2);
}

#[test]
fn a_file_that_was_cut_short_is_told() {
    // Enough rows that some are unpacked before the cut.
    let mut text = TEXT.to_owned();
    for number in 0..20_000 {
        text.push_str(&format!("2026-10-01T00:00:00Z,us-east-1,m,{number}\n"));
    }
    for (name, whole) in [("r.csv.gz", gzip(&text)), ("r.csv.zst", zstd(&text))] {
        for length in [whole.len() / 2, whole.len() - 1, 12] {
            let error = read(name, &whole[..length]).unwrap_err();
            assert_eq!(
                told(&error),
                format!(
                    "{name}: the compressed data ends early: the file was cut short\n  hint: copy or download it again"
                )
            );
        }
    }
}

#[test]
fn a_damaged_file_is_told() {
    let mut bytes = gzip(TEXT);
    let checksum = bytes.len() - 8;
    bytes[checksum] ^= 0xff;
    assert_snapshot!(told_of("r.csv.gz", bytes), @r"
    r.csv.gz: the compressed data is damaged
      because: corrupt gzip stream does not have a matching checksum
      hint: copy or download it again
    ");
}

#[test]
fn a_name_that_promises_compression_must_keep_it() {
    assert_snapshot!(told_of("r.csv.gz", TEXT), @r"
    r.csv.gz: ends in .gz but is not compressed that way
      hint: copy or download it again, or give it the name of what it is
    ");
}

#[test]
fn an_empty_file_is_told() {
    assert_snapshot!(told_of("r.csv", ""), @r"
    r.csv: is empty
      hint: give a recording with a line of column names
    ");
    assert_snapshot!(told_of("r.csv.gz", ""), @r"
    r.csv.gz: is empty
      hint: give a recording with a line of column names
    ");
    assert_snapshot!(told_of("r.csv.gz", gzip("")), @r"
    r.csv.gz: is empty
      hint: give a recording with a line of column names
    ");
}

#[test]
fn what_is_no_file_is_told() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("folder.csv")).unwrap();
    let told_of = |name: &str| told(&Recording::read(&[folder.path(name)]).unwrap_err());
    assert_snapshot!(told_of("folder.csv"), @r"
    folder.csv: is a folder
      because: Is a directory (os error 21)
      hint: give the files in it, one by one
    ");
    assert_snapshot!(told_of("nothing.csv"), @r"
    nothing.csv: there is no such file
      because: No such file or directory (os error 2)
      hint: give the path of a recording
    ");
}

#[test]
fn errors_can_be_sent_between_threads() {
    fn sendable<T: Send + Sync + 'static>() {}
    sendable::<RecordingError>();
    sendable::<Recording>();
}
