//! Which files have we hashed before and not been changed since?

use std::{
    collections::BTreeMap,
    fs::{File, Metadata},
    io::{self, Read},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};

use super::{cache_dir, sha256_reader, write_atomic};
use crate::os::open_regular;

const SCHEMA: &str = "litmus.hashes/1";
/// Entries kept; those used longest ago go first.
const MAX_ENTRIES: usize = 20_000;
/// A larger file is not one of ours.
const MAX_BYTES: u64 = 8 << 20;
/// A file changed this recently may change again within one tick of its time stamp, unseen.
const SETTLED: Duration = Duration::from_secs(2);

/// SHA-256 by file identity, kept in one small file. It only ever saves time: a lost, damaged or outdated cache
/// file means hashing again, never an error and never a wrong hash.
///
/// Identity is device, inode, size, time of modification and time of status change. The last one cannot be set by
/// programs, so a content that was replaced under a restored modification time is noticed.
#[derive(Debug)]
pub struct HashCache {
    /// None keeps the cache in memory alone.
    file: Option<PathBuf>,
    entries: Mutex<BTreeMap<FileId, Entry>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct FileId {
    dev: u64,
    inode: u64,
    size: u64,
    mtime_ns: i128,
    ctime_ns: i128,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    sha256: String,
    /// Seconds since 1970.
    last_used: u64,
}

/// What the cache file holds.
#[derive(Serialize, Deserialize)]
struct Stored {
    schema: String,
    entries: Vec<(FileId, Entry)>,
}

impl HashCache {
    /// The cache kept in `file`, which need not exist.
    pub fn open(file: &Path) -> HashCache {
        HashCache {
            entries: Mutex::new(load(file)),
            file: Some(file.to_owned()),
        }
    }

    /// A cache that is kept nowhere.
    pub fn in_memory() -> HashCache {
        HashCache {
            file: None,
            entries: Mutex::default(),
        }
    }

    /// The cache kept in the user's cache folder; in memory alone where there is no such folder.
    pub fn of_user() -> HashCache {
        match cache_dir() {
            Ok(dir) => HashCache::open(&dir.join("hashes.json")),
            Err(_) => HashCache::in_memory(),
        }
    }

    /// SHA-256 of a file, 64 lower-case hexadecimal digits; reads the file only when it has changed or is new.
    pub fn sha256(&self, path: &Path) -> io::Result<String> {
        let mut file = open_regular(path)?;
        let before = FileId::of(&file.metadata()?);
        let now = since_1970();
        if let Some(entry) = self.lock().get_mut(&before) {
            entry.last_used = now.as_secs();
            return Ok(entry.sha256.clone());
        }
        let sha256 = sha256_reader(&mut file)?;
        let after = FileId::of(&file.metadata()?);
        if before == after && after.is_settled(now) {
            let entry = Entry {
                sha256: sha256.clone(),
                last_used: now.as_secs(),
            };
            self.lock().insert(after, entry);
        }
        Ok(sha256)
    }

    /// Writes the cache file, together with what other processes have put there meanwhile. When two processes save
    /// at the same moment one may lose its new entries, which costs it the time to hash those files again.
    pub fn save(&self) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let mut merged = load(file);
        merged.extend(self.lock().iter().map(|(id, entry)| (*id, entry.clone())));
        let mut entries: Vec<_> = merged.into_iter().collect();
        entries.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.last_used));
        entries.truncate(MAX_ENTRIES);
        let stored = Stored {
            schema: SCHEMA.to_owned(),
            entries,
        };
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent)?;
        }
        write_atomic(file, &serde_json::to_vec(&stored)?)
    }

    /// A thread that panicked while it held the lock leaves whole entries behind, so its map is still good.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<FileId, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FileId {
    fn of(metadata: &Metadata) -> FileId {
        let ns = |seconds: i64, rest: i64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
        FileId {
            dev: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            mtime_ns: ns(metadata.mtime(), metadata.mtime_nsec()),
            ctime_ns: ns(metadata.ctime(), metadata.ctime_nsec()),
        }
    }

    /// True when the last change is so long before `now` that a further one must give another time stamp.
    /// A time stamp in the future tells nothing, so it is not settled.
    fn is_settled(&self, now: Duration) -> bool {
        let settled = now.saturating_sub(SETTLED).as_nanos();
        [self.mtime_ns, self.ctime_ns]
            .into_iter()
            .all(|time| i128::try_from(settled).is_ok_and(|settled| time < settled))
    }
}

fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// Whatever is not a whole cache file of ours counts as an empty one.
fn load(file: &Path) -> BTreeMap<FileId, Entry> {
    let read = || -> Option<Stored> {
        let mut bytes = Vec::new();
        File::open(file)
            .ok()?
            .take(MAX_BYTES + 1)
            .read_to_end(&mut bytes)
            .ok()?;
        if bytes.len() as u64 > MAX_BYTES {
            return None;
        }
        serde_json::from_slice(&bytes).ok()
    };
    let Some(stored) = read().filter(|stored| stored.schema == SCHEMA) else {
        return BTreeMap::new();
    };
    let is_sha256 = |text: &str| text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    stored
        .entries
        .into_iter()
        .filter(|(_, entry)| is_sha256(&entry.sha256))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::super::sha256_bytes;
    use super::*;

    /// A cache in which `path` is known under a hash that is not its own, which shows when the cache answers.
    fn seeded(cache_file: &Path, path: &Path) -> HashCache {
        let cache = HashCache::open(cache_file);
        let entry = Entry {
            sha256: "0".repeat(64),
            last_used: since_1970().as_secs(),
        };
        cache.lock().insert(FileId::of(&fs::metadata(path).unwrap()), entry);
        cache
    }

    #[test]
    fn an_unchanged_file_is_answered_from_the_saved_cache() {
        let dir = tempfile::tempdir().unwrap();
        let (file, path) = (dir.path().join("c/hashes.json"), dir.path().join("graph"));
        fs::write(&path, "one").unwrap();
        seeded(&file, &path).save().unwrap();
        assert_eq!(HashCache::open(&file).sha256(&path).unwrap(), "0".repeat(64));
    }

    #[test]
    fn a_file_rewritten_in_place_with_its_size_and_mtime_restored_is_hashed_again() {
        let dir = tempfile::tempdir().unwrap();
        let (file, path) = (dir.path().join("hashes.json"), dir.path().join("graph"));
        fs::write(&path, "one").unwrap();
        let mtime = fs::metadata(&path).unwrap().modified().unwrap();
        let cache = seeded(&file, &path);
        std::thread::sleep(Duration::from_millis(20));
        fs::write(&path, "two").unwrap();
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(mtime)
            .unwrap();
        assert_eq!(cache.sha256(&path).unwrap(), sha256_bytes(b"two"));
    }

    #[test]
    fn a_file_changed_just_now_is_not_remembered() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("graph");
        fs::write(&path, "one").unwrap();
        let cache = HashCache::open(&dir.path().join("hashes.json"));
        assert_eq!(cache.sha256(&path).unwrap(), sha256_bytes(b"one"));
        assert!(cache.lock().is_empty());
    }

    #[test]
    fn a_file_is_settled_two_seconds_after_its_last_change_and_never_before_or_in_the_future() {
        let id = |mtime_s: i128, ctime_s: i128| FileId {
            dev: 1,
            inode: 1,
            size: 1,
            mtime_ns: mtime_s * 1_000_000_000,
            ctime_ns: ctime_s * 1_000_000_000,
        };
        let now = Duration::from_secs(100);
        assert!(id(97, 97).is_settled(now));
        assert!(!id(99, 90).is_settled(now));
        assert!(!id(90, 99).is_settled(now));
        assert!(!id(200, 90).is_settled(now));
    }

    #[test]
    fn processes_that_save_in_turn_keep_each_others_entries() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("hashes.json");
        let (a, b) = (dir.path().join("a"), dir.path().join("b"));
        fs::write(&a, "a").unwrap();
        fs::write(&b, "b").unwrap();
        let (first, second) = (seeded(&file, &a), seeded(&file, &b));
        first.save().unwrap();
        second.save().unwrap();
        assert_eq!(load(&file).len(), 2);
    }

    #[test]
    fn the_cache_file_keeps_the_entries_used_last_and_stays_bounded() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("hashes.json");
        let cache = HashCache::open(&file);
        let count = MAX_ENTRIES as u64 + 10;
        for number in 0..count {
            let id = FileId {
                dev: u64::MAX,
                inode: u64::MAX - number,
                size: u64::MAX,
                mtime_ns: i128::from(i64::MAX) * 1_000_000_000,
                ctime_ns: i128::from(i64::MAX) * 1_000_000_000,
            };
            let entry = Entry {
                sha256: "f".repeat(64),
                last_used: number,
            };
            cache.lock().insert(id, entry);
        }
        cache.save().unwrap();
        assert!(fs::metadata(&file).unwrap().len() <= MAX_BYTES);
        let kept = load(&file);
        assert_eq!(kept.len(), MAX_ENTRIES);
        assert_eq!(kept.values().map(|entry| entry.last_used).min(), Some(10));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn a_damaged_cache_file_never_breaks_or_changes_a_hash(cut in 0usize..400, flip in 0usize..400, to: u8) {
            let dir = tempfile::tempdir().unwrap();
            let (file, path) = (dir.path().join("hashes.json"), dir.path().join("graph"));
            fs::write(&path, "one").unwrap();
            let other = dir.path().join("other");
            fs::write(&other, "two").unwrap();
            seeded(&file, &other).save().unwrap();
            let mut bytes = fs::read(&file).unwrap();
            let flip = flip % bytes.len();
            bytes[flip] = to;
            bytes.truncate(bytes.len().saturating_sub(cut));
            fs::write(&file, bytes).unwrap();
            let cache = HashCache::open(&file);
            prop_assert_eq!(cache.sha256(&path).unwrap(), sha256_bytes(b"one"));
            cache.save().unwrap();
        }
    }
}
