//! How is an index read, and where are its files?

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

use super::{INDEX_FORMAT, Index, IndexCase};
use crate::store::{read_whole, sha256_bytes};

/// An index with the folder its files are relative to.
#[derive(Clone, Debug)]
pub struct GraphSet {
    pub index: Index,
    /// SHA-256 of the index file's text.
    pub sha256: String,
    root: PathBuf,
}

/// Why an index cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    #[error("cannot read the graph index {path}; `litmus index init DIR` writes one for a folder of .tflite files")]
    Read { path: PathBuf, source: io::Error },
    #[error("the graph index {path} is not valid")]
    Parse { path: PathBuf, source: serde_json::Error },
    #[error("the graph index {path} has format {found}; this litmus reads format {INDEX_FORMAT}")]
    Format { path: PathBuf, found: u32 },
    #[error("the graph index {path}: case \"{case}\" of graph \"{graph}\" {problem}")]
    Case {
        path: PathBuf,
        graph: String,
        case: String,
        problem: String,
    },
}

impl GraphSet {
    /// Reads and checks an index file. The files it names are not touched.
    pub fn load(path: &Path) -> Result<Self, IndexError> {
        let text = read_whole(path).map_err(|source| IndexError::Read {
            path: path.to_owned(),
            source,
        })?;
        let index: Index = serde_json::from_slice(&text).map_err(|source| IndexError::Parse {
            path: path.to_owned(),
            source,
        })?;
        if index.format != INDEX_FORMAT {
            return Err(IndexError::Format {
                path: path.to_owned(),
                found: index.format,
            });
        }
        for (graph, entry) in &index.graphs {
            for (name, case) in &entry.cases {
                check_case(case).map_err(|problem| IndexError::Case {
                    path: path.to_owned(),
                    graph: graph.clone(),
                    case: name.clone(),
                    problem,
                })?;
            }
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        Ok(GraphSet {
            root: match index.root == Path::new(".") {
                true => folder.to_owned(),
                false => folder.join(&index.root),
            },
            sha256: sha256_bytes(&text),
            index,
        })
    }

    /// Where a file of the index is.
    pub fn path(&self, file: &Path) -> PathBuf {
        self.root.join(file)
    }
}

/// A case must bind every tensor once, and its sizes must be numbers of this machine.
fn check_case(case: &IndexCase) -> Result<(), String> {
    for (what, tensors) in [("input", &case.inputs), ("output", &case.outputs)] {
        let mut seen = BTreeSet::new();
        for tensor in tensors {
            if !seen.insert(tensor.binding().to_string()) {
                return Err(format!("binds {what} {} twice", tensor.binding()));
            }
            tensor
                .spec
                .bytes()
                .map_err(|error| format!("{what} {}: {error}", tensor.label()))?;
        }
    }
    Ok(())
}
