//! Which runtimes are here?

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    InstallError,
    catalogue::{lookup, runtime_ids},
    elf::{self, Machine},
    manifest::{MANIFEST, Manifest},
};
use crate::store::{cache_dir, sha256_file};

/// The library every runtime has.
pub const LIBRARY: &str = "libLiteRt.so";

/// A folder that holds [`LIBRARY`] for this machine, and what belongs to it:
/// `libLiteRtWebGpuAccelerator.so` for the GPU, `vendors/<vendor>/{compiler,dispatch}/` for NPUs,
/// `tools/apply_plugin_main` for ahead-of-time artifacts. All but the library may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runtime {
    /// `litert-2.3.0`, or `custom-` and the first 8 digits of the library's SHA-256.
    pub id: String,
    /// Absolute.
    pub dir: PathBuf,
    /// Size of everything that was installed; none for a folder that litmus did not make.
    pub bytes: Option<u64>,
}

impl Runtime {
    pub fn library(&self) -> PathBuf {
        self.dir.join(LIBRARY)
    }

    /// The GPU accelerator library.
    pub fn web_gpu(&self) -> Option<PathBuf> {
        self.existing("libLiteRtWebGpuAccelerator.so")
    }

    /// The tool that makes ahead-of-time artifacts.
    pub fn apply_plugin(&self) -> Option<PathBuf> {
        self.existing("tools/apply_plugin_main")
    }

    /// Folder of the compiler plugin of `vendor` (`intel_openvino`, `qualcomm`, ...).
    pub fn compiler_plugin_dir(&self, vendor: &str) -> Option<PathBuf> {
        self.existing(&format!("vendors/{vendor}/compiler"))
    }

    /// Folder of the dispatch library of `vendor`.
    pub fn dispatch_dir(&self, vendor: &str) -> Option<PathBuf> {
        self.existing(&format!("vendors/{vendor}/dispatch"))
    }

    fn existing(&self, relative: &str) -> Option<PathBuf> {
        Some(self.dir.join(relative)).filter(|path| path.exists())
    }
}

/// The installed runtime called `id`, whole. Never downloads.
pub fn find(id: &str) -> Result<Runtime, InstallError> {
    find_in(&runtimes_dir()?, id)
}

/// The runtime in a folder of the user's own.
///
/// # Errors
/// [`InstallError::NoLibrary`], [`InstallError::WrongLibrary`] when it is not for this machine, and reading errors.
pub fn from_dir(dir: &Path) -> Result<Runtime, InstallError> {
    let dir = std::path::absolute(dir).map_err(InstallError::io("find", dir))?;
    let library = dir.join(LIBRARY);
    if !library.is_file() {
        return Err(InstallError::NoLibrary { dir });
    }
    elf::check_machine(&library).map_err(|reason| InstallError::WrongLibrary {
        path: library.clone(),
        reason,
    })?;
    let sha256 = sha256_file(&library).map_err(InstallError::io("read", &library))?;
    Ok(Runtime {
        id: format!("custom-{}", &sha256[..8]),
        dir,
        bytes: None,
    })
}

/// The runtimes that are installed and whole, oldest version first. Without a cache folder there are none.
pub fn installed() -> Vec<Runtime> {
    runtime_ids().iter().filter_map(|id| find(id).ok()).collect()
}

/// `<cache>/runtimes`
pub(super) fn runtimes_dir() -> Result<PathBuf, InstallError> {
    Ok(cache_dir()?.join("runtimes"))
}

/// The folder of the libraries of the companion called `id`, whole.
pub(super) fn find_companion_in(runtimes: &Path, id: &str) -> Result<PathBuf, InstallError> {
    let dir = runtimes.join(id);
    if !dir.exists() {
        return Err(InstallError::NotInstalled { id: id.to_owned() });
    }
    Manifest::read_and_check(&dir, id).map_err(|what| InstallError::Damaged {
        id: id.to_owned(),
        dir: dir.clone(),
        what,
    })?;
    Ok(dir.join("libs"))
}

pub(super) fn find_in(runtimes: &Path, id: &str) -> Result<Runtime, InstallError> {
    lookup(id, Machine::HERE)?;
    let dir = runtimes.join(id);
    match fs::metadata(&dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(InstallError::NotInstalled { id: id.to_owned() });
        }
        Err(error) => return Err(InstallError::io("read", &dir)(error)),
        Ok(_) => {}
    }
    let damaged = |what| InstallError::Damaged {
        id: id.to_owned(),
        dir: dir.clone(),
        what,
    };
    let manifest = Manifest::read_and_check(&dir, id).map_err(damaged)?;
    if !manifest.files.iter().any(|file| file.path == Path::new(LIBRARY)) {
        return Err(damaged(format!("{MANIFEST} names no {LIBRARY}")));
    }
    Ok(Runtime {
        id: id.to_owned(),
        bytes: Some(manifest.bytes()),
        dir,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::install::unpack::fixtures::elf;

    #[test]
    fn an_absent_runtime_is_answered_with_the_command_that_installs_it() {
        let dir = tempfile::tempdir().unwrap();
        let error = find_in(dir.path(), "litert-2.2.0").unwrap_err();
        assert_eq!(
            error.to_string(),
            "runtime litert-2.2.0 is not installed; run: litmus runtime install litert-2.2.0"
        );
        assert!(matches!(
            find_in(dir.path(), "../litert-2.2.0"),
            Err(InstallError::UnknownRuntime { .. })
        ));
    }

    #[test]
    fn a_folder_of_the_users_own_is_named_after_its_library() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(from_dir(dir.path()), Err(InstallError::NoLibrary { .. })));
        let library = dir.path().join(LIBRARY);
        fs::write(&library, elf(40)).unwrap();
        let runtime = from_dir(dir.path()).unwrap();
        assert_eq!(
            runtime.id,
            format!("custom-{}", &crate::store::sha256_bytes(&elf(40))[..8])
        );
        assert_eq!(runtime.library(), library);

        let mut foreign = elf(40);
        foreign[18] ^= 0xff;
        fs::write(&library, foreign).unwrap();
        let message = from_dir(dir.path()).unwrap_err().to_string();
        assert!(message.contains("this machine is"), "{message}");
    }
}
