//! Where is a GPU that renders in software?

use std::path::{Path, PathBuf};

use crate::store::{NoCacheDir, cache_dir};

/// The script that fetches them.
pub const SCRIPT: &str = "scripts/software-gpu.sh";
/// The ones it fetches, the faster first.
pub const NAMES: [&str; 2] = ["swiftshader", "lavapipe"];

/// The manifest of the software GPU `name`, there or not.
pub fn manifest(name: &str) -> Result<PathBuf, NoCacheDir> {
    Ok(cache_dir()?.join("software-gpu").join(name).join("icd.json"))
}

/// The first one that is there.
pub fn installed() -> Option<PathBuf> {
    NAMES
        .iter()
        .filter_map(|name| manifest(name).ok())
        .find(|manifest| manifest.is_file())
}

/// What the text of `options.vulkan.icd` means: the name of a software GPU, or a manifest's path relative to `folder`.
pub fn named(text: &str, folder: &Path) -> PathBuf {
    match manifest(text) {
        Ok(manifest) if NAMES.contains(&text) => manifest,
        _ => {
            let path = folder.join(text);
            // Agents run in a folder of their own, so a relative path would mean something else to them.
            std::path::absolute(&path).unwrap_or(path)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_software_gpu_and_anything_else_a_path() {
        let here = Path::new("/sweeps");
        assert!(named("lavapipe", here).ends_with("software-gpu/lavapipe/icd.json"));
        assert_eq!(named("own/icd.json", here), Path::new("/sweeps/own/icd.json"));
        assert_eq!(named("/x/icd.json", here), Path::new("/x/icd.json"));
    }
}
