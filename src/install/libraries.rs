//! Where would the dynamic loader find a library?

use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use super::elf;

/// Folders the loader looks in, in its order: `LD_LIBRARY_PATH`, the folders of /etc/ld.so.conf, the defaults (ld.so(8)).
pub fn library_dirs() -> Vec<PathBuf> {
    let mut dirs: Vec<PathBuf> = env::var_os("LD_LIBRARY_PATH")
        .map(|paths| split(&paths))
        .unwrap_or_default();
    let configured = fs::read_dir("/etc/ld.so.conf.d")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    for file in configured.chain([PathBuf::from("/etc/ld.so.conf")]) {
        let text = fs::read_to_string(file).unwrap_or_default();
        dirs.extend(
            text.lines()
                .map(str::trim)
                .filter(|line| line.starts_with('/'))
                .map(PathBuf::from),
        );
    }
    let machine = env::consts::ARCH;
    for root in ["/lib", "/usr/lib"] {
        dirs.push(format!("{root}/{machine}-linux-gnu").into());
        dirs.push(format!("{root}64").into());
        dirs.push(root.into());
    }
    dirs
}

/// The first library called `name` in `dirs` that is for this machine.
pub fn find_library(name: impl AsRef<Path>, dirs: &[PathBuf]) -> Option<PathBuf> {
    dirs.iter()
        .map(|dir| dir.join(name.as_ref()))
        .find(|path| elf::check_machine(path).is_ok())
}

/// The paths in a colon-separated variable, without empty ones.
pub fn split(paths: &OsStr) -> Vec<PathBuf> {
    env::split_paths(paths)
        .filter(|path| !path.as_os_str().is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::install::unpack::fixtures::elf;

    #[test]
    fn a_library_for_another_machine_is_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let (other, good) = (dir.path().join("other"), dir.path().join("good"));
        let mut foreign = elf(64);
        foreign[18] ^= 0xff;
        for (folder, bytes) in [(&other, foreign), (&good, elf(64))] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("libx.so.1"), bytes).unwrap();
        }
        let dirs = [dir.path().join("absent"), other, good.clone()];
        assert_eq!(find_library("libx.so.1", &dirs), Some(good.join("libx.so.1")));
        assert_eq!(find_library("liby.so.1", &dirs), None);
    }
}
