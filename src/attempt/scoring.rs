//! How do the outputs of a finished attempt compare with their references?

use std::{
    io::{self, Read},
    path::PathBuf,
};

use super::OutputFile;
use crate::{
    agent::TensorName,
    os::{map_file, open_regular},
    score::{Accuracy, Comparison, ScoreError, nonfinite, score},
    sweep::{Cell, Expected},
    tensor::TensorSpec,
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

/// Scores every output that has a reference.
pub fn score_outputs(cell: &Cell, outputs: &[OutputFile]) -> Result<Vec<Accuracy>, ScoringError> {
    cell.expected
        .iter()
        .map(|expected| {
            let output = outputs.iter().find(|output| match &expected.tensor {
                TensorName::Name(name) => output.name == *name,
                TensorName::Index(index) => output.index == *index,
            });
            match output {
                Some(output) => score_one(expected, output),
                None => Err(ScoringError::NoSuchOutput {
                    tensor: expected.tensor.clone(),
                    label: expected.label.clone(),
                }),
            }
        })
        .collect()
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
    Ok(score(&Comparison {
        output: &expected.label,
        reference_kind: &expected.reference,
        spec: &expected.spec,
        reference: &reference,
        actual: &actual,
        kind: expected.kind,
        thresholds: expected.thresholds,
    })?)
}

/// Files up to this size are read. Mapping saves memory, but a file that somebody shortens meanwhile ends the process.
const READ_BYTES: u64 = 32 << 20;

/// The bytes of a tensor file.
enum TensorBytes {
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

fn open(path: Option<&PathBuf>) -> Result<TensorBytes, ScoringError> {
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
