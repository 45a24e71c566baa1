//! How do the outputs of a finished attempt compare with their references?

use std::{fs::File, io, path::PathBuf};

use rayon::prelude::*;

use super::OutputFile;
use crate::{
    agent::TensorName,
    os::map_file,
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
        let values = map(output.file.as_ref())?;
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
    let reference = map(Some(&expected.file))?;
    let actual = map(output.file.as_ref())?;
    Ok(score(&expected.comparison(&reference, output.spec.dtype, &actual))?)
}

fn map(path: Option<&PathBuf>) -> Result<memmap2::Mmap, ScoringError> {
    let path = path.cloned().unwrap_or_default();
    File::open(&path)
        .and_then(|file| map_file(&file))
        .map_err(|source| ScoringError::Read { path, source })
}
