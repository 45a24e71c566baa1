//! May a runtime see this file?
//!
//! A runtime maps a graph and follows its offsets; on a truncated or hostile file that ends in a signal. Here the whole
//! of it is checked first, without reading the weights: structure, then indices, then lengths of data.

use std::{fs::File, path::Path};

use super::{
    contents,
    defect::VerifyError,
    references,
    schema::{ROOT, buffer, model, tensor},
    structure::{self, Budget},
    view::View,
};
use crate::os;

/// Where the identifier stands, after the offset of the root table.
const IDENTIFIER: std::ops::Range<usize> = 4..8;

/// The bytes of a graph that has been checked from end to end.
#[derive(Clone, Copy, Debug)]
pub struct Verified<'a> {
    bytes: &'a [u8],
    model: View<'a>,
}

/// Checks the graph at `path`. Nothing of its weights is read.
pub fn verify_file(path: &Path) -> Result<(), VerifyError> {
    with_file(path, |_| ())
}

/// Checks the graph at `path` and hands it to `read`.
pub fn with_file<T>(path: &Path, read: impl FnOnce(&Verified<'_>) -> T) -> Result<T, VerifyError> {
    let failed = |source| VerifyError::Read {
        path: path.to_owned(),
        source,
    };
    let file = File::open(path).map_err(failed)?;
    if !file.metadata().map_err(failed)?.is_file() {
        return Err(failed(std::io::ErrorKind::InvalidInput.into()));
    }
    let map = os::map_file(&file).map_err(failed)?;
    verify(&map).map(|verified| read(&verified))
}

/// Checks a graph in memory.
pub fn verify(bytes: &[u8]) -> Result<Verified<'_>, VerifyError> {
    if bytes.starts_with(b"version https://git-lfs") {
        return Err(VerifyError::LfsPointer);
    }
    if bytes.get(IDENTIFIER) != Some(b"TFL3") {
        return Err(VerifyError::NotTflite { len: bytes.len() });
    }
    let mut budget = Budget::for_len(bytes.len());
    let root = structure::check(bytes, ROOT, &mut budget)?;
    let verified = Verified {
        bytes,
        model: View::new(bytes, root, ROOT),
    };
    references::check(verified.model, &mut budget)?;
    contents::check(&verified, &mut budget)?;
    Ok(verified)
}

impl<'a> Verified<'a> {
    /// The whole file.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The root table.
    pub fn model(&self) -> View<'a> {
        self.model
    }

    /// The data of the buffer with this index, inside the flatbuffer or after it. None where the buffer is empty.
    pub fn buffer(&self, index: usize) -> Option<&'a [u8]> {
        let entry = self.model.nth(model::BUFFERS, index)?;
        match entry.bytes_of(buffer::DATA) {
            Some(data) if !data.is_empty() => Some(data),
            _ => {
                let start = usize::try_from(entry.u64(buffer::OFFSET)?)
                    .ok()
                    .filter(|&start| start > 1)?;
                let size = usize::try_from(entry.u64(buffer::SIZE)?)
                    .ok()
                    .filter(|&size| size > 0)?;
                self.bytes.get(start..start.checked_add(size)?)
            }
        }
    }

    /// The data of a constant tensor. None where the tensor is computed or fed.
    pub fn constant(&self, tensor: View<'a>) -> Option<&'a [u8]> {
        match tensor.u32(tensor::BUFFER).unwrap_or(0) {
            0 => None,
            index => self.buffer(index as usize),
        }
    }
}
