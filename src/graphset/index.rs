//! What may stand in an index.json?
//!
//! Unknown keys are ignored: an index may carry more for other tools (staged pipeline tensors, notes).
//! docs/index-file.md explains the format.

use std::{collections::BTreeMap, path::PathBuf};

use serde::{Deserialize, Serialize};

use crate::{
    agent::TensorName,
    tensor::{Quantisation, TensorSpec},
};

/// The only format number there is.
pub const INDEX_FORMAT: u32 = 1;

/// A graph set. Paths are relative to `root`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Index {
    /// Always [`INDEX_FORMAT`].
    pub format: u32,
    /// The folder that `file` entries are relative to, itself relative to the folder of the index.
    #[serde(default = "here")]
    pub root: PathBuf,
    /// What the references of this set are: `framework fp32`, `fp32 twin on cpu`, `same graph on cpu`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Graphs by name.
    pub graphs: BTreeMap<String, GraphEntry>,
}

/// One graph of a set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GraphEntry {
    pub file: PathBuf,
    pub bytes: u64,
    pub sha256: String,
    /// Cases by name.
    pub cases: BTreeMap<String, IndexCase>,
}

/// One set of inputs and references.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IndexCase {
    /// Signature key; the graph's first when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    pub inputs: Vec<Tensor>,
    /// References; empty when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<Tensor>,
}

/// A tensor file of a case: an input, or the reference of an output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tensor {
    /// Position in the signature; used when there is no `name`.
    pub index: usize,
    /// Name in the signature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What the tensor is for (`hidden`, `image`); for people and for accuracy rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    #[serde(flatten)]
    pub spec: TensorSpec,
    /// Raw little-endian row-major values, no header.
    pub file: PathBuf,
    pub sha256: String,
    /// Of a reference: it may hold infinities, and the output must hold the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub equal_infinities: bool,
    /// Of the reference of a quantised output: what its integers, and the output's, stand for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quantisation: Option<Quantisation>,
}

fn here() -> PathBuf {
    PathBuf::from(".")
}

impl Tensor {
    /// How accuracy rules and reports call it: its role, else its name, else its position.
    pub fn label(&self) -> String {
        match (&self.role, &self.name) {
            (Some(role), _) => role.clone(),
            (None, Some(name)) => name.clone(),
            (None, None) => format!("#{}", self.index),
        }
    }

    /// How the signature's tensor is found.
    pub fn binding(&self) -> TensorName {
        match &self.name {
            Some(name) => TensorName::Name(name.clone()),
            None => TensorName::Index(self.index),
        }
    }
}
