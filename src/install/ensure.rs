//! How does a runtime get into the cache whole, once, and only as published?

use std::{
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
};

use super::{
    InstallError, Runtime,
    catalogue::{Release, lookup, lookup_companion},
    elf::Machine,
    fetch,
    manifest::Manifest,
    openvino,
    runtime::{find_companion_in, find_in, runtimes_dir},
    unpack::unpack,
};
use crate::store::{BuildError, build_dir_atomic, sweep_leftovers};

/// What an installation is doing, for whoever shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// Another process is installing; this one goes on when that has ended.
    Waiting,
    /// What was there is damaged and will be replaced.
    Repairing {
        id: &'a str,
        what: &'a str,
    },
    Downloading {
        id: &'a str,
        bytes: u64,
    },
    /// So far; many of these follow one `Downloading`.
    Downloaded {
        bytes: u64,
    },
    Unpacking {
        id: &'a str,
    },
}

/// The runtime called `id`: found when it is installed and whole, else downloaded, verified and installed.
/// `show` hears of nothing when it was there. Concurrent calls, also from other processes, wait for each other.
pub fn ensure(id: &str, show: &mut dyn FnMut(Step<'_>)) -> Result<Runtime, InstallError> {
    let runtimes = runtimes_dir()?;
    let release = lookup(id, Machine::HERE)?;
    ensure_in(&runtimes, release, &fetch::download, show)
}

/// The companion that a runtime's NPU plugin needs: found when it is installed and whole, else downloaded, verified and
/// installed, all like a runtime. None when the runtime has no such plugin, or needs a release that is not in the catalogue.
pub fn ensure_companion(runtime: &Runtime, show: &mut dyn FnMut(Step<'_>)) -> Result<Option<PathBuf>, InstallError> {
    let release = openvino::Release::needed_by(runtime).and_then(|needed| lookup_companion(&needed.id()));
    release
        .map(|release| ensure_companion_release(release, show))
        .transpose()
}

/// The companion called `id`, in the same way. None when there is no such companion.
pub fn ensure_companion_id(id: &str, show: &mut dyn FnMut(Step<'_>)) -> Result<Option<PathBuf>, InstallError> {
    lookup_companion(id)
        .map(|release| ensure_companion_release(release, show))
        .transpose()
}

fn ensure_companion_release(release: &Release, show: &mut dyn FnMut(Step<'_>)) -> Result<PathBuf, InstallError> {
    let root = runtimes_dir()?;
    ensure_with(
        &root,
        release,
        &|| find_companion_in(&root, &release.id()),
        &fetch::download,
        show,
    )
}

/// Brings a wheel into a scratch folder and tells the bytes that have arrived.
type Fetch<'a> = &'a dyn Fn(&Release, &Path, &mut dyn FnMut(u64)) -> Result<PathBuf, InstallError>;

fn ensure_in(
    runtimes: &Path,
    release: &Release,
    fetch: Fetch<'_>,
    show: &mut dyn FnMut(Step<'_>),
) -> Result<Runtime, InstallError> {
    ensure_with(runtimes, release, &|| find_in(runtimes, &release.id()), fetch, show)
}

/// What `find` finds in `runtimes`, once `release` is there and whole.
fn ensure_with<T>(
    runtimes: &Path,
    release: &Release,
    find: &dyn Fn() -> Result<T, InstallError>,
    fetch: Fetch<'_>,
    show: &mut dyn FnMut(Step<'_>),
) -> Result<T, InstallError> {
    let id = release.id();
    if let Ok(found) = find() {
        return Ok(found);
    }
    fs::create_dir_all(runtimes).map_err(InstallError::io("create", runtimes))?;
    // Released when the file is dropped, also by the end of the process.
    let _lock = lock(runtimes, show)?;
    sweep_leftovers(runtimes);
    match find() {
        Ok(found) => return Ok(found),
        Err(InstallError::Damaged { what, .. }) => show(Step::Repairing { id: &id, what: &what }),
        Err(InstallError::NotInstalled { .. }) => {}
        Err(error) => return Err(error),
    }
    let dir = runtimes.join(&id);
    build_dir_atomic(&dir, |dir| fill(dir, release, fetch, show)).map_err(|error| match error {
        BuildError::Place(source) => InstallError::io("create", &dir)(source),
        BuildError::Fill(error) => error,
    })?;
    find()
}

fn fill(dir: &Path, release: &Release, fetch: Fetch<'_>, show: &mut dyn FnMut(Step<'_>)) -> Result<(), InstallError> {
    let id = release.id();
    let scratch = dir.join("download");
    fs::create_dir(&scratch).map_err(InstallError::io("create", &scratch))?;
    show(Step::Downloading {
        id: &id,
        bytes: release.wheel_bytes,
    });
    let wheel = fetch(release, &scratch, &mut |bytes| {
        show(Step::Downloaded {
            bytes: bytes.min(release.wheel_bytes),
        });
    })?;
    show(Step::Unpacking { id: &id });
    fetch::verify(&wheel, release)?;
    let files = unpack(&wheel, release.project, dir).map_err(|what| InstallError::BadArchive {
        wheel: release.wheel(),
        what,
    })?;
    fs::remove_dir_all(&scratch).map_err(InstallError::io("remove", &scratch))?;
    Manifest::new(id, release.wheel(), release.wheel_sha256.to_owned(), files)
        .write(dir)
        .map_err(InstallError::io("write the manifest in", dir))
}

fn lock(runtimes: &Path, show: &mut dyn FnMut(Step<'_>)) -> Result<File, InstallError> {
    let path = runtimes.join(".lock");
    let file = File::create(&path).map_err(InstallError::io("create", &path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            show(Step::Waiting);
            file.lock().map_err(InstallError::io("lock", &path))?;
        }
        Err(TryLockError::Error(source)) => return Err(InstallError::io("lock", &path)(source)),
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::install::catalogue::Project;
    use crate::{
        install::unpack::fixtures::{Wheel, elf},
        store::sha256_bytes,
    };

    const VERSION: &str = "2.3.0";
    const ID: &str = "litert-2.3.0";

    /// A release whose wheel is `bytes`, under the name of a real one.
    fn release_of(bytes: &[u8]) -> Release {
        Release {
            project: Project::LiteRt,
            build: None,
            version: VERSION,
            machine: Machine::HERE,
            wheel_bytes: bytes.len() as u64,
            wheel_sha256: Box::leak(sha256_bytes(bytes).into_boxed_str()),
        }
    }

    /// Installs `served` where `release` is what the catalogue pins.
    fn install(runtimes: &Path, release: &Release, served: &[u8]) -> Result<Runtime, InstallError> {
        let fetch = |release: &Release, scratch: &Path, on_bytes: &mut dyn FnMut(u64)| {
            let wheel = scratch.join(release.wheel());
            fs::write(&wheel, served).unwrap();
            on_bytes(u64::MAX);
            Ok(wheel)
        };
        ensure_in(runtimes, release, &fetch, &mut |_| {})
    }

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn good_wheel() -> Vec<u8> {
        Wheel::default()
            .file("ai_edge_litert/libLiteRt.so", &elf(100))
            .file("ai_edge_litert/tools/apply_plugin_main", &elf(50))
            .finish()
    }

    #[test]
    fn a_published_wheel_becomes_a_runtime_and_nothing_else_remains() {
        let dir = tempfile::tempdir().unwrap();
        let wheel = good_wheel();
        let runtime = install(dir.path(), &release_of(&wheel), &wheel).unwrap();
        assert_eq!(names(dir.path()), [".lock", ID]);
        assert_eq!(names(&runtime.dir), ["libLiteRt.so", "manifest.json", "tools"]);
        assert_eq!((runtime.id.as_str(), runtime.bytes), (ID, Some(150)));
        assert!(runtime.apply_plugin().is_some());
        assert_eq!(runtime.web_gpu(), None);
    }

    #[test]
    fn wrong_content_and_hostile_archives_leave_nothing_behind() {
        let library = || Wheel::default().file("ai_edge_litert/libLiteRt.so", &elf(100));
        let mut truncated = good_wheel();
        truncated.truncate(truncated.len() / 2);
        let hostile = [
            ("climbs out", library().file("../outside.so", b"x").finish()),
            ("absolute", library().file("/outside.so", b"x").finish()),
            ("truncated", truncated),
            ("no library", Wheel::default().file("ai_edge_litert/x.py", b"").finish()),
        ];
        for (what, wheel) in hostile {
            let dir = tempfile::tempdir().unwrap();
            let runtimes = dir.path().join("runtimes");
            let error = install(&runtimes, &release_of(&wheel), &wheel).unwrap_err();
            assert!(matches!(error, InstallError::BadArchive { .. }), "{what}: {error}");
            assert_eq!(names(&runtimes), [".lock"], "{what}");
            assert_eq!(names(dir.path()), ["runtimes"], "{what}");
        }
        let pinned = release_of(&good_wheel());
        let mut tampered = good_wheel();
        tampered[40] ^= 1;
        let longer = [good_wheel(), vec![0]].concat();
        for served in [tampered, longer] {
            let dir = tempfile::tempdir().unwrap();
            let error = install(dir.path(), &pinned, &served).unwrap_err();
            assert!(matches!(error, InstallError::WrongContent { .. }), "{error}");
            assert_eq!(names(dir.path()), [".lock"]);
        }
    }

    #[test]
    fn what_is_installed_and_whole_is_not_fetched_again() {
        let dir = tempfile::tempdir().unwrap();
        let wheel = good_wheel();
        let release = release_of(&wheel);
        let first = install(dir.path(), &release, &wheel).unwrap();
        let fetch = |_: &Release, _: &Path, _: &mut dyn FnMut(u64)| panic!("fetched again");
        assert_eq!(ensure_in(dir.path(), &release, &fetch, &mut |_| {}).unwrap(), first);
    }

    #[test]
    fn a_damaged_runtime_is_said_to_be_and_repaired() {
        let dir = tempfile::tempdir().unwrap();
        let wheel = good_wheel();
        let release = release_of(&wheel);
        let library = install(dir.path(), &release, &wheel).unwrap().library();
        for damage in [&b"short"[..], b""] {
            fs::write(&library, damage).unwrap();
            let error = find_in(dir.path(), ID).unwrap_err();
            assert!(error.to_string().contains("bytes instead of 100"), "{error}");
            install(dir.path(), &release, &wheel).unwrap();
            assert_eq!(fs::read(&library).unwrap(), elf(100));
        }
        fs::write(library.with_file_name("manifest.json"), "{").unwrap();
        assert!(matches!(find_in(dir.path(), ID), Err(InstallError::Damaged { .. })));
        install(dir.path(), &release, &wheel).unwrap();
        assert_eq!(names(dir.path()), [".lock", ID]);
    }

    #[test]
    fn two_installations_at_once_fetch_once_and_both_succeed() {
        let dir = tempfile::tempdir().unwrap();
        let wheel = good_wheel();
        let release = release_of(&wheel);
        let fetches = std::sync::atomic::AtomicU32::new(0);
        let fetch = |release: &Release, scratch: &Path, _: &mut dyn FnMut(u64)| {
            fetches.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            std::thread::sleep(std::time::Duration::from_millis(50));
            let path = scratch.join(release.wheel());
            fs::write(&path, &wheel).unwrap();
            Ok(path)
        };
        std::thread::scope(|scope| {
            let both: Vec<_> = (0..2)
                .map(|_| scope.spawn(|| ensure_in(dir.path(), &release, &fetch, &mut |_| {})))
                .collect();
            for one in both {
                one.join().unwrap().unwrap();
            }
        });
        assert_eq!(fetches.into_inner(), 1);
    }

    #[test]
    fn progress_never_exceeds_the_announced_size() {
        let dir = tempfile::tempdir().unwrap();
        let wheel = good_wheel();
        let release = release_of(&wheel);
        let highest = Cell::new(0);
        let fetch = |release: &Release, scratch: &Path, on_bytes: &mut dyn FnMut(u64)| {
            let path = scratch.join(release.wheel());
            fs::write(&path, &wheel).unwrap();
            on_bytes(release.wheel_bytes + 5);
            Ok(path)
        };
        ensure_in(dir.path(), &release, &fetch, &mut |step| {
            if let Step::Downloaded { bytes } = step {
                highest.set(bytes.max(highest.get()));
            }
        })
        .unwrap();
        assert_eq!(highest.get(), release.wheel_bytes);
    }
}
