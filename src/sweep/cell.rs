//! What is one cell of a plan, as rows and journals describe it?

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::CellKey;
use crate::agent::{Accelerator, CompileMode, Precision, ProviderOptions};

/// A cell the planner made. What a row repeats of it, and what a run folder keeps of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlannedCell {
    pub key: CellKey,
    pub graph: String,
    /// As the index names it.
    pub file: PathBuf,
    pub sha256: Option<String>,
    pub bytes: Option<u64>,
    /// As the index names it; none means the graph's first.
    pub signature: Option<String>,
    pub case: String,
    pub target: String,
    pub accelerator: Accelerator,
    pub precision: Precision,
    pub compile: CompileMode,
    pub runtime: String,
    pub threads: Option<u32>,
    pub options: ProviderOptions,
}
