//! How do the outputs of a finished attempt compare with their references?

use std::{
    io::{self, Read},
    path::PathBuf,
};

use rayon::prelude::*;

use super::OutputFile;
use crate::{
    agent::TensorName,
    os::{map_file, open_regular},
    score::{Accuracy, Comparison, ScoreError, Terms, Values, nonfinite, score},
    sweep::{Cell, Expected},
    tensor::{DType, TensorSpec},
};

/// Why an output could not be compared. It fails the attempt, at stage `score`.
#[derive(Debug, thiserror::Error)]
pub enum ScoringError {
    #[error("cannot read {path}")]
    Read { path: PathBuf, source: io::Error },
    #[error("the index has a reference for output {tensor} (\"{label}\"), but the graph has no such output")]
    NoSuchOutput { tensor: TensorName, label: String },
    #[error("output \"{output}\" is {actual} but its reference is {reference}; the reference belongs to another graph")]
    Spec {
        output: String,
        actual: TensorSpec,
        reference: TensorSpec,
    },
    #[error(transparent)]
    Score(#[from] ScoreError),
}

/// Scores every output that has a reference, in their order.
pub fn score_outputs(cell: &Cell, outputs: &[OutputFile]) -> Result<Vec<Accuracy>, ScoringError> {
    cell.expected
        .par_iter()
        .map(|expected| match expected.output(outputs) {
            Some(output) => score_one(expected, output),
            None => Err(ScoringError::NoSuchOutput {
                tensor: expected.tensor.clone(),
                label: expected.label.clone(),
            }),
        })
        .collect()
}

impl Expected {
    /// The output that is meant.
    pub fn output<'a>(&self, outputs: &'a [OutputFile]) -> Option<&'a OutputFile> {
        outputs.iter().find(|output| match &self.tensor {
            TensorName::Name(name) => output.name == *name,
            TensorName::Index(index) => output.index == *index,
        })
    }

    /// The comparison with the values of an output.
    pub fn comparison<'a>(&'a self, reference: &'a [u8], dtype: DType, actual: &'a [u8]) -> Comparison<'a> {
        let quantisation = self.quantisation;
        Comparison {
            output: &self.label,
            reference_kind: &self.reference,
            shape: &self.spec.shape,
            reference: Values {
                quantisation,
                ..Values::plain(self.spec.dtype, reference)
            },
            actual: Values {
                quantisation,
                ..Values::plain(dtype, actual)
            },
            kind: self.kind,
            thresholds: self.thresholds,
            terms: Terms {
                equal_infinities: self.equal_infinities,
                ..Terms::default()
            },
        }
    }
}

/// Outputs without a reference that are not finite, in words. NaN is wrong whatever the right answer is.
pub fn unreferenced_nonfinite(cell: &Cell, outputs: &[OutputFile]) -> Result<Option<String>, ScoringError> {
    if !cell.expected.is_empty() {
        return Ok(None);
    }
    for output in outputs {
        let values = open(output.file.as_ref())?;
        let found = nonfinite(&output.name, &output.spec, &values)?;
        if let Some(first) = found.first {
            return Ok(Some(format!(
                "output \"{}\": {} values are not finite, the first at index {first}",
                output.name, found.count
            )));
        }
    }
    Ok(None)
}

fn score_one(expected: &Expected, output: &OutputFile) -> Result<Accuracy, ScoringError> {
    if output.spec != expected.spec {
        return Err(ScoringError::Spec {
            output: expected.label.clone(),
            actual: output.spec.clone(),
            reference: expected.spec.clone(),
        });
    }
    let reference = open(Some(&expected.file))?;
    let actual = open(output.file.as_ref())?;
    Ok(score(&expected.comparison(&reference, output.spec.dtype, &actual))?)
}

/// Files up to this size are read. Mapping saves memory, but a file that somebody shortens meanwhile ends the process.
const READ_BYTES: u64 = 32 << 20;

/// The bytes of a tensor file.
pub(super) enum TensorBytes {
    Read(Vec<u8>),
    Mapped(memmap2::Mmap),
}

impl std::ops::Deref for TensorBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            TensorBytes::Read(bytes) => bytes,
            TensorBytes::Mapped(map) => map,
        }
    }
}

/// The bytes of a tensor file; none is no file.
pub(super) fn open(path: Option<&PathBuf>) -> Result<TensorBytes, ScoringError> {
    let path = path.cloned().unwrap_or_default();
    let open = || {
        let mut file = open_regular(&path)?;
        if file.metadata()?.len() > READ_BYTES {
            return map_file(&file).map(TensorBytes::Mapped);
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(TensorBytes::Read(bytes))
    };
    open().map_err(|source| ScoringError::Read {
        path: path.clone(),
        source,
    })
}
