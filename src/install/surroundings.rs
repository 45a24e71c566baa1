//! What does a process need around it to run graphs on an accelerator?

use std::{collections::BTreeMap, ffi::OsString, path::PathBuf};

use serde::Serialize;

use crate::agent::EnvironmentPaths;

/// The environment of an agent, as far as an accelerator needs it. Empty for the CPU.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Surroundings {
    /// Folders it needs at the beginning of `LD_LIBRARY_PATH`.
    pub library_path: Vec<PathBuf>,
    /// Environment variables that name files and folders.
    pub variables: BTreeMap<String, PathBuf>,
    /// Folders the runtime is told of.
    pub folders: EnvironmentPaths,
}

impl Surroundings {
    /// `LD_LIBRARY_PATH` for a process that would inherit `inherited`; none where nothing has to change.
    pub fn library_path(&self, inherited: Option<OsString>) -> Option<OsString> {
        if self.library_path.is_empty() {
            return None;
        }
        let inherited = inherited.filter(|paths| !paths.is_empty());
        let inherited = inherited.iter().flat_map(std::env::split_paths);
        // A folder whose name holds a colon cannot stand in the variable; then the loader has to do without ours.
        std::env::join_paths(self.library_path.iter().cloned().chain(inherited)).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_folders_come_first_and_what_was_there_stays() {
        let mut needs = Surroundings::default();
        assert_eq!(needs.library_path(Some("/a".into())), None);
        needs.library_path.push("/own".into());
        assert_eq!(needs.library_path(Some("/a:/b".into())), Some("/own:/a:/b".into()));
        // An empty variable means nothing; as a part it would mean the current folder.
        assert_eq!(needs.library_path(Some("".into())), Some("/own".into()));
        assert_eq!(needs.library_path(None), Some("/own".into()));
    }
}
