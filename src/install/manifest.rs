//! Which files make up an installed runtime?

use std::{
    fs,
    path::{Component, Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::store::write_atomic;

/// Name of the manifest in a runtime's folder.
pub const MANIFEST: &str = "manifest.json";
const SCHEMA: &str = "litmus.runtime/1";

/// What was installed, and from where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub schema: String,
    /// `litert-2.3.0`
    pub id: String,
    pub wheel: String,
    pub wheel_sha256: String,
    pub files: Vec<FileEntry>,
}

/// One file of a runtime.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Relative to the runtime's folder.
    pub path: PathBuf,
    pub bytes: u64,
    pub sha256: String,
}

impl Manifest {
    pub fn new(id: String, wheel: String, wheel_sha256: String, files: Vec<FileEntry>) -> Manifest {
        Manifest {
            schema: SCHEMA.to_owned(),
            id,
            wheel,
            wheel_sha256,
            files,
        }
    }

    pub fn write(&self, dir: &Path) -> std::io::Result<()> {
        write_atomic(&dir.join(MANIFEST), &serde_json::to_vec_pretty(self)?)
    }

    /// Reads the manifest of the runtime `id` in `dir` and checks that every file is there with its size.
    /// The error says what is wrong. Hashes are not computed: this runs before every sweep.
    pub fn read_and_check(dir: &Path, id: &str) -> Result<Manifest, String> {
        let text = fs::read(dir.join(MANIFEST)).map_err(|error| format!("{MANIFEST}: {error}"))?;
        let manifest: Manifest = serde_json::from_slice(&text).map_err(|error| format!("{MANIFEST}: {error}"))?;
        if manifest.schema != SCHEMA || manifest.id != id {
            return Err(format!(
                "{MANIFEST} is for {} in the form {}",
                manifest.id, manifest.schema
            ));
        }
        for file in &manifest.files {
            file.check(dir)?;
        }
        Ok(manifest)
    }

    pub fn bytes(&self) -> u64 {
        self.files.iter().fold(0, |sum, file| sum.saturating_add(file.bytes))
    }
}

impl FileEntry {
    fn check(&self, dir: &Path) -> Result<(), String> {
        let shown = self.path.display();
        if !self.path.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(format!("{MANIFEST} names {shown}, which is outside"));
        }
        match fs::metadata(dir.join(&self.path)) {
            Ok(found) if found.is_file() && found.len() == self.bytes => Ok(()),
            Ok(found) => Err(format!("{shown} has {} bytes instead of {}", found.len(), self.bytes)),
            Err(error) => Err(format!("{shown}: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(path: &str) -> Manifest {
        let file = FileEntry {
            path: path.into(),
            bytes: 3,
            sha256: "0".repeat(64),
        };
        Manifest::new("litert-1".to_owned(), "w".to_owned(), "0".repeat(64), vec![file])
    }

    #[test]
    fn a_manifest_is_good_only_with_its_files_at_their_size_under_its_id() {
        let dir = tempfile::tempdir().unwrap();
        let written = manifest("lib.so");
        written.write(dir.path()).unwrap();
        assert!(
            Manifest::read_and_check(dir.path(), "litert-1")
                .unwrap_err()
                .contains("lib.so")
        );
        fs::write(dir.path().join("lib.so"), "abc").unwrap();
        assert_eq!(Manifest::read_and_check(dir.path(), "litert-1").unwrap(), written);
        assert!(
            Manifest::read_and_check(dir.path(), "litert-2")
                .unwrap_err()
                .contains("litert-1")
        );
    }

    #[test]
    fn a_manifest_cannot_vouch_for_files_outside() {
        let dir = tempfile::tempdir().unwrap();
        for path in ["/etc/passwd", "../x"] {
            manifest(path).write(dir.path()).unwrap();
            assert!(
                Manifest::read_and_check(dir.path(), "litert-1")
                    .unwrap_err()
                    .contains("outside")
            );
        }
    }
}
