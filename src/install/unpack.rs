//! What of a wheel does running and compiling graphs need, and how does it get out of the archive safely?

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufReader, Read},
    os::unix::fs::OpenOptionsExt,
    path::{Component, Path, PathBuf},
};

use zip::{ZipArchive, read::ZipFile};

use super::{catalogue::Project, elf, manifest::FileEntry, runtime::LIBRARY};
use crate::store::sha256_file;

/// Several times what the largest release needs (46 MB); a bomb ends here.
const MAX_UNPACKED_BYTES: u64 = 512 << 20;
const MAX_ENTRIES: usize = 10_000;

/// Unpacks the shared libraries, tools and licences of a wheel of `project` into the existing folder `into` and lists them, sorted.
/// The error says what is wrong with the archive. On an error the folder holds an unknown part.
///
/// An entry that would land outside, a link, a name given twice, or more bytes than the archive declares refuse the
/// archive as a whole, even in entries that are not wanted.
pub fn unpack(wheel: &Path, project: Project, into: &Path) -> Result<Vec<FileEntry>, String> {
    let file = File::open(wheel).map_err(|error| error.to_string())?;
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| error.to_string())?;
    if archive.len() > MAX_ENTRIES {
        return Err(format!("{} entries, more than {MAX_ENTRIES}", archive.len()));
    }
    let mut left = MAX_UNPACKED_BYTES;
    let mut files = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| error.to_string())?;
        let name = safe_name(&entry)?;
        left = left
            .checked_sub(entry.size())
            .ok_or_else(|| format!("more than {MAX_UNPACKED_BYTES} bytes unpacked"))?;
        if entry.is_dir() {
            continue;
        }
        if let Some(path) = wanted(project, &name) {
            files.push(extract(&mut entry, into, path).map_err(|error| format!("{}: {error}", name.display()))?);
        }
    }
    let has = |library: &str| {
        files
            .iter()
            .any(|file| file.path.to_string_lossy().starts_with(library))
    };
    let library = match project {
        Project::LiteRt => LIBRARY,
        Project::OpenVino => "libs/libopenvino.so.",
    };
    if !has(library) {
        return Err(format!("no {library} in it"));
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn safe_name<R: Read>(entry: &ZipFile<'_, R>) -> Result<PathBuf, String> {
    let raw = String::from_utf8_lossy(entry.name_raw()).into_owned();
    let path = PathBuf::from(&raw);
    let stays_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
    if !stays_inside || raw.is_empty() || raw.contains(['\\', '\0']) {
        return Err(format!("entry {raw:?} would land outside"));
    }
    if entry.is_symlink() {
        return Err(format!("entry {raw:?} is a link"));
    }
    if entry.encrypted() {
        return Err(format!("entry {raw:?} is encrypted"));
    }
    Ok(path)
}

/// Where an entry goes in the runtime's folder; none for what only Python needs.
fn wanted(project: Project, name: &Path) -> Option<PathBuf> {
    let top = name.iter().next()?.to_str()?;
    let file_name = name.file_name()?.to_str()?;
    if top.ends_with(".dist-info") {
        let is_licence = ["LICENSE", "NOTICE"].iter().any(|word| file_name.starts_with(word))
            || file_name.ends_with("third-party-programs.txt");
        return is_licence.then(|| Path::new("licenses").join(file_name));
    }
    match project {
        Project::LiteRt => wanted_of_litert(name, file_name),
        Project::OpenVino => {
            let inner = name.strip_prefix("openvino").ok()?;
            let is_library = inner.starts_with("libs") && file_name.starts_with("lib") && file_name.contains(".so");
            is_library.then(|| inner.to_owned())
        }
    }
}

fn wanted_of_litert(name: &Path, file_name: &str) -> Option<PathBuf> {
    let inner = name.strip_prefix("ai_edge_litert").ok()?;
    let is_library = file_name.ends_with(".so");
    let depth = inner.components().count();
    let is_wanted = (depth == 1 && is_library && file_name.starts_with("libLiteRt"))
        || (inner.starts_with("vendors") && is_library)
        || inner == Path::new("tools/apply_plugin_main");
    is_wanted.then(|| inner.to_owned())
}

fn extract<R: Read>(entry: &mut ZipFile<'_, R>, into: &Path, path: PathBuf) -> io::Result<FileEntry> {
    let (to, bytes) = (into.join(&path), entry.size());
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    // Loading a library needs no executable bit; starting a tool does.
    let is_tool = path.starts_with("tools");
    let mode = if is_tool { 0o755 } else { 0o644 };
    let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(&to)?;
    if io::copy(&mut entry.take(bytes.saturating_add(1)), &mut file)? != bytes {
        return Err(io::Error::other(format!("other than the {bytes} bytes it declares")));
    }
    if !path.starts_with("licenses") {
        elf::machine_of(&to).map_err(|error| io::Error::other(error.to_string()))?;
    }
    let sha256 = sha256_file(&to)?;
    Ok(FileEntry { path, bytes, sha256 })
}

/// Wheels as tests need them.
#[cfg(test)]
pub mod fixtures {
    use std::{
        fs::File,
        io::{Cursor, Read, Write},
    };

    use zip::{ZipWriter, write::SimpleFileOptions};

    pub struct Wheel(ZipWriter<Cursor<Vec<u8>>>);

    impl Default for Wheel {
        fn default() -> Self {
            Wheel(ZipWriter::new(Cursor::default()))
        }
    }

    impl Wheel {
        pub fn file(mut self, name: &str, content: &[u8]) -> Self {
            self.0.start_file(name, SimpleFileOptions::default()).unwrap();
            self.0.write_all(content).unwrap();
            self
        }

        pub fn link(mut self, name: &str, target: &str) -> Self {
            self.0.add_symlink(name, target, SimpleFileOptions::default()).unwrap();
            self
        }

        pub fn finish(self) -> Vec<u8> {
            self.0.finish().unwrap().into_inner()
        }
    }

    /// The start of an ELF file for this machine, filled with zeros up to `bytes`.
    pub fn elf(bytes: usize) -> Vec<u8> {
        let mut file = vec![0; 20];
        File::open(std::env::current_exe().unwrap())
            .unwrap()
            .read_exact(&mut file)
            .unwrap();
        file.resize(bytes, 0);
        file
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use proptest::prelude::*;

    use super::{
        fixtures::{Wheel, elf},
        *,
    };

    fn unpack_bytes(bytes: &[u8]) -> (tempfile::TempDir, Result<Vec<FileEntry>, String>) {
        let dir = tempfile::tempdir().unwrap();
        let (wheel, into) = (dir.path().join("wheel"), dir.path().join("into"));
        fs::write(&wheel, bytes).unwrap();
        fs::create_dir(&into).unwrap();
        let result = unpack(&wheel, Project::LiteRt, &into);
        (dir, result)
    }

    fn library() -> Wheel {
        Wheel::default().file("ai_edge_litert/libLiteRt.so", &elf(64))
    }

    #[test]
    fn only_what_running_and_compiling_needs_is_kept() {
        let bytes = library()
            .file("ai_edge_litert/libLiteRtWebGpuAccelerator.so", &elf(64))
            .file("ai_edge_litert/libpywrap_litert_common.so", &elf(64))
            .file("ai_edge_litert/_pywrap_string_util.so", &elf(64))
            .file("ai_edge_litert/interpreter.py", b"")
            .file("ai_edge_litert/tools/apply_plugin_main", &elf(64))
            .file("ai_edge_litert/tools/flatbuffer_utils.py", b"")
            .file(
                "ai_edge_litert/vendors/qualcomm/compiler/libLiteRtCompilerPlugin_Qualcomm.so",
                &elf(64),
            )
            .file("ai_edge_litert/vendors/qualcomm/__init__.py", b"")
            .file("ai_edge_litert-2.3.0.dist-info/licenses/LICENSE", b"Apache")
            .file("ai_edge_litert-2.3.0.dist-info/RECORD", b"")
            .finish();
        let (dir, files) = unpack_bytes(&bytes);
        let paths: Vec<_> = files
            .unwrap()
            .into_iter()
            .map(|file| file.path.display().to_string())
            .collect();
        assert_eq!(
            paths,
            [
                "libLiteRt.so",
                "libLiteRtWebGpuAccelerator.so",
                "licenses/LICENSE",
                "tools/apply_plugin_main",
                "vendors/qualcomm/compiler/libLiteRtCompilerPlugin_Qualcomm.so"
            ]
        );
        let mode = |path: &str| {
            fs::metadata(dir.path().join("into").join(path))
                .unwrap()
                .permissions()
                .mode()
                & 0o111
        };
        assert_ne!(mode("tools/apply_plugin_main"), 0);
        assert_eq!(mode("libLiteRt.so"), 0);
    }

    #[test]
    fn links_and_names_given_twice_refuse_the_archive() {
        let link = library()
            .link("ai_edge_litert/vendors/x/libx.so", "/etc/passwd")
            .finish();
        assert!(unpack_bytes(&link).1.unwrap_err().contains("is a link"));
        // Two entries that go to one place, under different names in the archive.
        let twice = library()
            .file("a-1.dist-info/LICENSE", b"one")
            .file("a-1.dist-info/licenses/LICENSE", b"two")
            .finish();
        assert!(unpack_bytes(&twice).1.is_err());
    }

    #[test]
    fn an_archive_that_declares_a_bomb_is_refused_before_it_is_unpacked() {
        let mut bytes = library().file("bomb", &vec![0; 1 << 20]).finish();
        // The central directory is what is read; give its last entry 4 GB - 2. Offset 24 of a header is the size.
        let header = bytes.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
        bytes[header + 24..header + 28].copy_from_slice(&0xffff_fffe_u32.to_le_bytes());
        let error = unpack_bytes(&bytes).1.unwrap_err();
        assert!(error.contains("bytes unpacked"), "{error}");
    }

    #[test]
    fn an_entry_that_holds_more_than_it_declares_is_refused() {
        let mut bytes = Wheel::default()
            .file("ai_edge_litert/libLiteRt.so", &elf(1 << 20))
            .finish();
        let header = bytes.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
        bytes[header + 24..header + 28].copy_from_slice(&100u32.to_le_bytes());
        assert!(unpack_bytes(&bytes).1.is_err());
    }

    #[test]
    fn a_library_that_is_no_elf_file_is_refused() {
        let bytes = Wheel::default()
            .file("ai_edge_litert/libLiteRt.so", b"INPUT() is a linker script")
            .finish();
        assert!(unpack_bytes(&bytes).1.unwrap_err().contains("not an ELF file"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn damaged_archives_end_in_a_result_and_write_only_inside(at in 0usize..2000, to: u8, cut in 0usize..3000) {
            let mut bytes = library().file("ai_edge_litert-2.3.0.dist-info/LICENSE", &[7; 900]).finish();
            let at = at % bytes.len();
            bytes[at] = to;
            bytes.truncate(bytes.len().saturating_sub(if cut < 1500 { cut } else { 0 }));
            let (dir, _) = unpack_bytes(&bytes);
            let mut names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            prop_assert_eq!(names, ["into", "wheel"]);
        }
    }
}
