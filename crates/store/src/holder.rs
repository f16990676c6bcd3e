//! Who holds the lock of a store, as far as the system tells.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::aside::beside;

/// The process that holds a lock for writing on the database or the index of its log, other than this one: `process 4242 (sqlite3)`.
/// `None` where the system has no list of locks, or does not show that process.
pub(crate) fn of(store: &Path) -> Option<String> {
    let files: Vec<u64> = [store.to_owned(), beside(store, "-shm")]
        .iter()
        .filter_map(|file| fs::metadata(file).ok())
        .map(|metadata| metadata.ino())
        .collect();
    let process = holder(&fs::read_to_string("/proc/locks").ok()?, &files, std::process::id())?;
    let name = fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    Some(match name.trim() {
        "" => format!("process {process}"),
        name => format!("process {process} ({name})"),
    })
}

/// Source: proc_locks(5): number, kind, mode, access, process, `major:minor:inode`, range. Devices are not compared, since file systems
/// that are laid over others do not show there the device that the file seems to be on.
fn holder(locks: &str, files: &[u64], own: u32) -> Option<u32> {
    locks.lines().find_map(|line| {
        let mut fields = line.split_ascii_whitespace().skip_while(|field| *field != "WRITE").skip(1);
        let process = fields.next()?.parse().ok()?;
        let inode = fields.next()?.rsplit(':').next()?.parse().ok()?;
        (process != own && files.contains(&inode)).then_some(process)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_holder_is_who_writes_one_of_the_files() {
        let locks = "\
1: POSIX  ADVISORY  READ  4240 08:01:131 123 123
2: POSIX  ADVISORY  WRITE 4241 08:01:999 120 120
3: FLOCK  ADVISORY  WRITE 4243 08:01:130 0 EOF
3: -> POSIX  ADVISORY  WRITE 4244 08:01:131 120 120
nonsense WRITE
4: POSIX  ADVISORY  WRITE 4242 00:2f:131 120 120
";
        assert_eq!(holder(locks, &[132, 131], 4244), Some(4242));
        assert_eq!(holder(locks, &[131], 4242), Some(4244));
        assert_eq!(holder(locks, &[7], 1), None);
        assert_eq!(holder("", &[131], 1), None);
    }
}
