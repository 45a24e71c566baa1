//! How does a file or a folder appear whole or not at all?

use std::{
    ffi::{OsStr, OsString},
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

/// Writes `bytes` to `path` by way of a temporary file in the same folder, synced and renamed.
/// On any error the old file, or its absence, is left as it was.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let temporary = temporary_beside(path)?;
    let written = File::create_new(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&temporary, path)).inspect_err(|_| {
        // The write has failed already; a leftover that cannot be removed either changes nothing about that.
        let _ = fs::remove_file(&temporary);
    })
}

/// Lets `fill` fill a new folder under a temporary name beside `path`, syncs it and renames it into place.
/// A folder that stands at `path` already is replaced, and stays as it is when `fill` or anything before the
/// replacement fails. Calls for the same `path` must not overlap; hold a lock.
pub fn build_dir_atomic<E>(path: &Path, fill: impl FnOnce(&Path) -> Result<(), E>) -> Result<(), BuildError<E>> {
    let temporary = temporary_beside(path)?;
    fs::create_dir(&temporary)?;
    let built = fill(&temporary).map_err(BuildError::Fill).and_then(|()| {
        sync_tree(&temporary)?;
        Ok(put_in_place(&temporary, path)?)
    });
    built.inspect_err(|_| {
        // As above; a leftover is swept by a later call.
        let _ = fs::remove_dir_all(&temporary);
    })
}

/// Why a folder was not built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError<E> {
    /// It could not be filled.
    #[error("{0}")]
    Fill(E),
    /// It could not be created, synced or put in its place.
    #[error("cannot put a folder in its place")]
    Place(#[from] io::Error),
}

/// Removes what processes that no longer live have left half built in `parent`.
/// Never fails: what cannot be removed stays for the next time.
pub fn sweep_leftovers(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let Some(pid) = owner_of_temporary(&entry.file_name()) else {
            continue;
        };
        if is_alive(pid) {
            continue;
        }
        let removed = match entry.file_type() {
            Ok(kind) if kind.is_dir() => fs::remove_dir_all(entry.path()),
            _ => fs::remove_file(entry.path()),
        };
        // Documented: a leftover that resists is no error.
        let _ = removed;
    }
}

/// `dir/name` -> `dir/.name.<process>.<serial>.tmp`, never the same twice.
fn temporary_beside(path: &Path) -> io::Result<PathBuf> {
    static SERIAL: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(format!(
        ".{}.{}.tmp",
        std::process::id(),
        SERIAL.fetch_add(1, Ordering::Relaxed)
    ));
    Ok(path.with_file_name(temporary))
}

/// The process in a name that [`temporary_beside`] made; none for every other name.
fn owner_of_temporary(name: &OsStr) -> Option<u32> {
    let stem = name.to_str()?.strip_prefix('.')?.strip_suffix(".tmp")?;
    let (rest, serial) = stem.rsplit_once('.')?;
    serial.parse::<u64>().ok()?;
    let (name, pid) = rest.rsplit_once('.')?;
    if name.is_empty() { None } else { pid.parse().ok() }
}

/// Where /proc is not there to ask, everybody counts as alive.
fn is_alive(pid: u32) -> bool {
    !Path::new("/proc/self").exists() || Path::new("/proc").join(pid.to_string()).exists()
}

fn sync_tree(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_tree(&entry.path())?;
        } else {
            File::open(entry.path())?.sync_all()?;
        }
    }
    File::open(dir)?.sync_all()
}

fn put_in_place(built: &Path, path: &Path) -> io::Result<()> {
    match fs::rename(built, path) {
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
            let old = temporary_beside(path)?;
            fs::rename(path, &old)?;
            if let Err(error) = fs::rename(built, path) {
                fs::rename(&old, path)?;
                return Err(error);
            }
            // The new folder stands. An old one that cannot be removed is swept later.
            let _ = fs::remove_dir_all(&old);
        }
        renamed => renamed?,
    }
    match path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        Some(parent) => File::open(parent)?.sync_all(),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_failed_build_leaves_the_old_folder_and_nothing_else() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("kept");
        fs::create_dir(&path).unwrap();
        fs::write(path.join("old"), "old").unwrap();
        let built = build_dir_atomic(&path, |dir| {
            fs::write(dir.join("half"), "half").unwrap();
            Err("no more")
        });
        assert!(matches!(built, Err(BuildError::Fill("no more"))));
        assert_eq!(names(parent.path()), ["kept"]);
        assert_eq!(names(&path), ["old"]);
    }

    #[test]
    fn a_build_replaces_the_folder_that_stood_there() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("kept");
        for content in ["first", "second"] {
            build_dir_atomic(&path, |dir| fs::write(dir.join(content), content)).unwrap();
        }
        assert_eq!(names(parent.path()), ["kept"]);
        assert_eq!(names(&path), ["second"]);
    }

    #[test]
    fn leftovers_of_dead_processes_go_and_everything_else_stays() {
        let parent = tempfile::tempdir().unwrap();
        let ours = format!(".x.{}.0.tmp", std::process::id());
        // No Linux process has a number above 2^22.
        for dir in [
            ".x.4194999.0.tmp",
            &ours,
            ".hidden",
            "x.4194999.0.tmp",
            ".4194999.0.tmp",
        ] {
            fs::create_dir(parent.path().join(dir)).unwrap();
        }
        fs::write(parent.path().join(".f.4194999.7.tmp"), "half").unwrap();
        sweep_leftovers(parent.path());
        let mut kept = [".4194999.0.tmp", ".hidden", &ours, "x.4194999.0.tmp"];
        kept.sort_unstable();
        assert_eq!(names(parent.path()), kept);
    }

    #[test]
    fn an_error_in_writing_a_file_leaves_no_temporary_file() {
        let parent = tempfile::tempdir().unwrap();
        fs::create_dir(parent.path().join("taken")).unwrap();
        assert!(write_atomic(&parent.path().join("taken"), b"x").is_err());
        assert_eq!(names(parent.path()), ["taken"]);
    }

    #[test]
    fn threads_that_write_one_file_at_once_leave_one_whole_version() {
        let parent = tempfile::tempdir().unwrap();
        let path = parent.path().join("f");
        std::thread::scope(|scope| {
            for letter in [b'a', b'b', b'c', b'd'] {
                let path = &path;
                scope.spawn(move || (0..8).for_each(|_| write_atomic(path, &[letter; 1000]).unwrap()));
            }
        });
        let bytes = fs::read(&path).unwrap();
        assert!(bytes.len() == 1000 && bytes.iter().all(|byte| *byte == bytes[0]));
        assert_eq!(names(parent.path()), ["f"]);
    }
}
