//! How far is an output from its reference, and is that near enough?

mod accuracy;

pub use accuracy::{Accuracy, Verdict};

use crate::{
    sweep::{OutputKind, Thresholds},
    tensor::TensorSpec,
};

/// An output beside its reference. Both are raw little-endian row-major bytes of `spec`.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    /// Role of the output, for the score's `output`.
    pub output: &'a str,
    /// What kind of reference it is, for the score's `reference`.
    pub reference_kind: &'a str,
    pub spec: &'a TensorSpec,
    pub reference: &'a [u8],
    pub actual: &'a [u8],
    pub kind: OutputKind,
    pub thresholds: Thresholds,
}

/// Why a comparison could not be made at all.
#[derive(Debug, thiserror::Error)]
pub enum ScoreError {
    #[error("{side} of \"{output}\" has {actual} bytes, but {spec} takes {expected}")]
    Length {
        side: &'static str,
        output: String,
        spec: TensorSpec,
        expected: usize,
        actual: usize,
    },
}

/// Scores one output. Non-finite values decide first; see docs/scoring.md for every definition.
pub fn score(_comparison: &Comparison<'_>) -> Result<Accuracy, ScoreError> {
    todo!()
}
