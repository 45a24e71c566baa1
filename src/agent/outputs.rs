//! How do output tensors leave the agent?

use std::{fs, path::Path};

use sha2::{Digest, Sha256};

use super::{Event, error::AgentError};
use crate::litert::Buffer;

/// SHA-256 of an output as it is now.
pub(super) fn sha256(buffer: &Buffer<'_>) -> Result<String, AgentError> {
    let bytes = buffer.read()?;
    let sha256 = hex(&Sha256::digest(&*bytes));
    bytes.finish()?;
    Ok(sha256)
}

/// Writes the signature's output number `index` into `folder`, raw, and says what was written. `earlier` is the SHA-256
/// it had before, where that is known.
pub(super) fn write(
    index: usize,
    buffer: &Buffer<'_>,
    earlier: Option<String>,
    folder: &Path,
) -> Result<Event, AgentError> {
    let file = folder.join(format!("out{index}.bin"));
    let bytes = buffer.read()?;
    fs::write(&file, &*bytes).map_err(|source| AgentError::WriteOutput {
        file: file.clone(),
        source,
    })?;
    let sha256 = hex(&Sha256::digest(&*bytes));
    bytes.finish()?;
    Ok(Event::Output {
        index,
        name: buffer.name().to_owned(),
        spec: buffer.spec().clone(),
        file,
        earlier_sha256: earlier.filter(|earlier| *earlier != sha256),
        sha256,
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_written_as_in_fips_180() {
        // FIPS 180-2, appendix B.1.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hex(&Sha256::digest(b"abc")), expected);
    }
}
