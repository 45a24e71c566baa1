//! Which Vulkan drivers does this machine offer?

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use super::{
    elf,
    libraries::{find_library, split},
};

/// The loader every Vulkan program opens.
pub const LOADER: &str = "libvulkan.so.1";

/// Driver manifests (ICD JSON files) whose library is there and for this machine.
///
/// The search follows the loader's "LoaderDriverInterface.md": `VK_DRIVER_FILES`, else `VK_ICD_FILENAMES`, replaces
/// the standard folders; `VK_ADD_DRIVER_FILES` adds to them.
pub fn drivers(variable: &dyn Fn(&str) -> Option<OsString>, library_dirs: &[PathBuf]) -> Vec<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let named = match set("VK_DRIVER_FILES").or_else(|| set("VK_ICD_FILENAMES")) {
        Some(paths) => split(&paths),
        None => {
            let added = set("VK_ADD_DRIVER_FILES")
                .map(|paths| split(&paths))
                .unwrap_or_default();
            added.into_iter().chain(standard_dirs(&set)).collect()
        }
    };
    let mut manifests: Vec<PathBuf> = named.into_iter().flat_map(|path| json_files(&path)).collect();
    manifests.retain(|manifest| check(manifest, library_dirs).is_ok());
    manifests
}

fn standard_dirs(set: &dyn Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let home = set("HOME").map(PathBuf::from);
    let own = |name: &str, below_home: &str| {
        set(name)
            .map(PathBuf::from)
            .or_else(|| home.as_ref().map(|home| home.join(below_home)))
    };
    let shared = |name: &str, default: &str| split(&set(name).unwrap_or_else(|| default.into()));
    own("XDG_CONFIG_HOME", ".config")
        .into_iter()
        .chain(shared("XDG_CONFIG_DIRS", "/etc/xdg"))
        .chain([PathBuf::from("/etc")])
        .chain(own("XDG_DATA_HOME", ".local/share"))
        .chain(shared("XDG_DATA_DIRS", "/usr/local/share:/usr/share"))
        .map(|dir| dir.join("vulkan/icd.d"))
        .collect()
}

/// A file stands for itself, a folder for the JSON files in it, sorted.
fn json_files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let mut files: Vec<_> = fs::read_dir(path)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files
}

/// Says what is wrong with a driver manifest, in words that go on from its name.
///
/// `ICD.library_path` is a bare name for the dynamic loader, or a path, relative to the manifest's folder.
pub fn check(manifest: &Path, library_dirs: &[PathBuf]) -> Result<(), String> {
    let text = fs::read(manifest).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "is not there".to_owned(),
        _ => format!("cannot be read: {error}"),
    })?;
    let json: serde_json::Value = serde_json::from_slice(&text).map_err(|error| format!("is not JSON: {error}"))?;
    let Some(library) = json.pointer("/ICD/library_path").and_then(|path| path.as_str()) else {
        return Err("is no Vulkan driver manifest: it has no ICD.library_path".to_owned());
    };
    let path = Path::new(library);
    if path.components().count() == 1 {
        let found = find_library(path, library_dirs);
        return found
            .map(|_| ())
            .ok_or_else(|| format!("names the library {library}, which is not there"));
    }
    elf::check_machine(&manifest.with_file_name("").join(path))
        .map_err(|reason| format!("names the library {library}, which {reason}"))
}

/// Whether the user's environment chooses the drivers, so that none may be put in their place.
pub fn is_chosen(variable: &dyn Fn(&str) -> Option<OsString>) -> bool {
    ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"]
        .iter()
        .any(|name| variable(name).is_some_and(|value| !value.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::install::unpack::fixtures::elf;

    fn manifest(path: &Path, library: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(
            path,
            format!(r#"{{"ICD": {{"api_version": "1.3", "library_path": "{library}"}}}}"#),
        )
        .unwrap();
    }

    #[test]
    fn drivers_are_manifests_whose_library_is_there_by_name_or_by_path() {
        let dir = tempfile::tempdir().unwrap();
        let icd = dir.path().join("vulkan/icd.d");
        manifest(&icd.join("a.json"), "./liba.so");
        manifest(&icd.join("b.json"), "libb.so");
        manifest(&icd.join("gone.json"), "libgone.so");
        fs::write(icd.join("broken.json"), "{").unwrap();
        fs::write(icd.join("liba.so"), elf(64)).unwrap();
        let libraries = dir.path().join("lib");
        fs::create_dir(&libraries).unwrap();
        fs::write(libraries.join("libb.so"), elf(64)).unwrap();

        let root = dir.path().as_os_str().to_owned();
        let only_ours = move |name: &str| match name {
            "XDG_DATA_DIRS" => Some(root.clone()),
            "HOME" | "XDG_CONFIG_DIRS" => Some("/nonexistent".into()),
            _ => None,
        };
        let found = drivers(&only_ours, &[libraries]);
        // /etc/vulkan is always searched; what this machine has there is no part of the test.
        let ours: Vec<_> = found.iter().filter(|path| path.starts_with(dir.path())).collect();
        assert_eq!(ours, [&icd.join("a.json"), &icd.join("b.json")]);
    }

    #[test]
    fn driver_files_named_by_variable_replace_the_folders() {
        let dir = tempfile::tempdir().unwrap();
        let (one, other) = (
            dir.path().join("one.json"),
            dir.path().join("share/vulkan/icd.d/other.json"),
        );
        manifest(&one, "./libone.so");
        manifest(&other, "./libone.so");
        fs::write(dir.path().join("libone.so"), elf(64)).unwrap();
        fs::write(other.with_file_name("libone.so"), elf(64)).unwrap();
        let share = dir.path().join("share");
        let named = |name: &str| match name {
            "VK_ICD_FILENAMES" => Some(one.clone().into_os_string()),
            "XDG_DATA_DIRS" => Some(share.clone().into_os_string()),
            _ => None,
        };
        assert_eq!(drivers(&named, &[]), std::slice::from_ref(&one));
    }

    #[test]
    fn what_is_wrong_with_a_manifest_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("icd.json");
        let wrong = || check(&path, &[]).unwrap_err();
        assert_eq!(wrong(), "is not there");
        fs::write(&path, "{").unwrap();
        assert!(wrong().starts_with("is not JSON"));
        fs::write(&path, "{\"ICD\": {}}").unwrap();
        assert!(wrong().contains("no ICD.library_path"));
        manifest(&path, "./libgone.so");
        assert!(wrong().contains("./libgone.so"), "{}", wrong());
        manifest(&path, "libgone.so");
        assert!(wrong().contains("which is not there"));
        fs::write(
            path.with_file_name("libtext.so"),
            "not a library, but long enough for one",
        )
        .unwrap();
        manifest(&path, "./libtext.so");
        assert!(wrong().contains("is not an ELF file"));
    }
}
