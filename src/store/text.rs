//! How is a file read that somebody else wrote and that should be small?

use std::{
    io::{self, Read},
    path::Path,
};

use crate::os::open_regular;

/// Largest file that is read as a whole: an index of a hundred thousand cases.
const LIMIT_BYTES: u64 = 256 << 20;

/// The whole content of a plain file of at most 256 MiB; pipes, devices and larger files are errors.
pub fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.take(LIMIT_BYTES + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LIMIT_BYTES {
        true => Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 256 MiB")),
        false => Ok(bytes),
    }
}

/// The same as text.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_whole(path)?).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}
