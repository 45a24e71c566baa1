//! What does an index say of a .tflite file that nobody has described?

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use super::{GenerateError, GraphEntry, IndexCase, write_inputs};
use crate::{
    store::sha256_file,
    tflite::{GraphInfo, VerifyError},
};

/// How inputs are made.
#[derive(Clone, Copy, Debug)]
pub struct InputRecipe {
    /// Inputs of the same seed are the same everywhere.
    pub seed: u64,
    /// What a dimension that the graph leaves open becomes.
    pub dynamic: u32,
}

/// Why a file cannot be described.
#[derive(Debug, thiserror::Error)]
pub enum DescribeError {
    #[error("cannot read {path}")]
    Read { path: PathBuf, source: io::Error },
    #[error("{path} cannot be used")]
    Verify { path: PathBuf, source: VerifyError },
    #[error(transparent)]
    Generate(#[from] GenerateError),
}

/// An index entry for the graph at `model`, which the index will call `file`: one case per signature, with
/// inputs written below `root`/`inputs`.
pub fn describe(
    model: &Path,
    file: PathBuf,
    recipe: InputRecipe,
    root: &Path,
    inputs: &Path,
) -> Result<GraphEntry, DescribeError> {
    let info = GraphInfo::read_file(model).map_err(|source| DescribeError::Verify {
        path: model.to_owned(),
        source,
    })?;
    Ok(GraphEntry {
        cases: cases(&info, recipe, root, inputs)?,
        ..undescribed(model, file)?
    })
}

/// An index entry without inputs, for a graph that cannot be read or fed. Its one case fails, and says why.
pub fn undescribed(model: &Path, file: PathBuf) -> Result<GraphEntry, DescribeError> {
    let read = |source| DescribeError::Read {
        path: model.to_owned(),
        source,
    };
    let bytes = fs::metadata(model).map_err(read)?.len();
    let sha256 = sha256_file(model).map_err(read)?;
    let cases = BTreeMap::from([(
        "default".to_owned(),
        IndexCase {
            signature: None,
            inputs: vec![],
            outputs: vec![],
        },
    )]);
    Ok(GraphEntry {
        file,
        bytes,
        sha256,
        cases,
    })
}

/// One case per signature. A graph with one signature has one case called `default`, and its keys need not name either.
fn cases(
    info: &GraphInfo,
    recipe: InputRecipe,
    root: &Path,
    inputs: &Path,
) -> Result<BTreeMap<String, IndexCase>, GenerateError> {
    let several = info.signatures.len() > 1;
    info.signatures
        .iter()
        .enumerate()
        .map(|(i, signature)| {
            let tensors = write_inputs(
                signature,
                recipe.dynamic,
                recipe.seed,
                root,
                &inputs.join(i.to_string()),
            )?;
            let key = signature.key.clone().filter(|_| several);
            let case = IndexCase {
                signature: key.clone(),
                inputs: tensors,
                outputs: Vec::new(),
            };
            Ok((key.unwrap_or_else(|| "default".to_owned()), case))
        })
        .collect()
}
