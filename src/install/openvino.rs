//! Which OpenVINO does a runtime's NPU plugin need, and is it here?

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use super::{
    Runtime,
    catalogue::lookup_companion,
    libraries::{find_library, library_dirs},
    runtime::{find_companion_in, runtimes_dir},
};
use crate::os::map_file;

/// Name of the vendor folder in a runtime.
pub const VENDOR: &str = "intel_openvino";
const PREFIX: &[u8] = b"libopenvino.so.";

/// The OpenVINO release a plugin is linked to: `2631` in `libopenvino.so.2631`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release(String);

impl Release {
    /// Reads it from the plugin's dynamic string table: the plugin names the exact library it needs.
    pub fn needed_by(runtime: &Runtime) -> Option<Release> {
        let dir = runtime.compiler_plugin_dir(VENDOR)?;
        let plugins = fs::read_dir(dir).ok()?.flatten().map(|entry| entry.path());
        plugins
            .filter(|path| path.extension().is_some_and(|extension| extension == "so"))
            .find_map(|plugin| Release::in_bytes(&map_file(&File::open(plugin).ok()?).ok()?))
    }

    fn in_bytes(bytes: &[u8]) -> Option<Release> {
        let at = bytes.windows(PREFIX.len()).position(|window| window == PREFIX)?;
        let digits: Vec<u8> = bytes[at + PREFIX.len()..]
            .iter()
            .copied()
            .take_while(u8::is_ascii_digit)
            .take(8)
            .collect();
        String::from_utf8(digits)
            .ok()
            .filter(|digits| digits.len() >= 4)
            .map(Release)
    }

    /// `libopenvino.so.2631`
    pub fn library(&self) -> String {
        format!("libopenvino.so.{}", self.0)
    }

    /// The version on PyPI: `2631` is `2026.3.1`, two digits of the year, one of the release, the rest the patch.
    pub fn version(&self) -> String {
        let (year, rest) = self.0.split_at(2);
        let (minor, patch) = rest.split_at(1);
        format!("20{year}.{minor}.{patch}")
    }

    /// `openvino-2026.3.1`, as `litmus runtime install` takes it.
    pub fn id(&self) -> String {
        format!("openvino-{}", self.version())
    }

    /// What a person runs to get it.
    pub fn install_command(&self) -> String {
        match lookup_companion(&self.id()) {
            Some(_) => format!("litmus runtime install {}", self.id()),
            // Only the catalogue's are installed; no Python code of it is ever run, so its dependencies are not needed.
            None => format!(
                "python3 -m pip install --no-deps --target DIR openvino=={}; export LD_LIBRARY_PATH=DIR/openvino/libs",
                self.version()
            ),
        }
    }

    /// The folder that holds the library; the process that loads the plugin needs it in `LD_LIBRARY_PATH`.
    pub fn find(&self) -> Option<PathBuf> {
        let companion = runtimes_dir().and_then(|root| find_companion_in(&root, &self.id()));
        let dirs: Vec<_> = companion.into_iter().chain(library_dirs()).collect();
        find_library(self.library(), &dirs)?.parent().map(Path::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_is_read_from_the_name_of_the_needed_library() {
        let plugin = b"\0libdl.so.2\0libopenvino.so.2631\0libopenvino_tensorflow_lite_frontend.so.2631\0";
        let release = Release::in_bytes(plugin).unwrap();
        assert_eq!(release.library(), "libopenvino.so.2631");
        assert_eq!(release.version(), "2026.3.1");
        assert!(release.install_command().ends_with("install openvino-2026.3.1"));
        let unknown = Release::in_bytes(b"libopenvino.so.9999").unwrap();
        assert!(unknown.install_command().contains("openvino==2099.9.9"));
    }

    #[test]
    fn a_plugin_that_names_no_exact_library_needs_an_unknown_release() {
        for bytes in [&b"libopenvino.so"[..], b"libopenvino.so.", b"libopenvino.so.26\0", b""] {
            assert_eq!(Release::in_bytes(bytes), None);
        }
    }
}
