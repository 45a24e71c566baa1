//! How does a file appear whole or not at all?

use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

/// Writes `bytes` to `path` by way of a temporary file in the same folder, synced and renamed.
/// On any error the old file, or its absence, is left as it was.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&temporary, path)).inspect_err(|_| {
        // The write has failed already; a leftover that cannot be removed either changes nothing about that.
        let _ = fs::remove_file(&temporary);
    })
}
