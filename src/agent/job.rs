//! What is an agent asked to do?

use std::{collections::BTreeMap, fmt, path::PathBuf};

use serde::{Deserialize, Serialize};

use crate::tensor::TensorSpec;

/// The schema name a job carries; an agent refuses any other.
pub const JOB_SCHEMA: &str = "litmus.job/1";

/// One attempt: load one graph, compile it, run it, write its outputs. Paths are the target's own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Always [`JOB_SCHEMA`].
    pub schema: String,
    /// Key of the cell, for messages only.
    pub cell: String,
    /// Folder that holds `libLiteRt.so`.
    pub runtime: PathBuf,
    /// The `.tflite` file.
    pub model: PathBuf,
    /// Signature key; none takes the graph's first.
    pub signature: Option<String>,
    pub accelerator: Accelerator,
    pub precision: Precision,
    /// CPU threads; none leaves the runtime's default.
    pub threads: Option<u32>,
    pub options: ProviderOptions,
    pub environment: EnvironmentPaths,
    pub inputs: Vec<InputBinding>,
    /// Folder that every output of the signature is written to, as `out<position>.bin`: raw, little-endian, row-major.
    pub output_folder: PathBuf,
    pub timing: Timing,
    #[serde(default)]
    pub task: Task,
    /// The agent ends itself after this long, whatever its host does.
    pub deadline_ms: Option<u64>,
}

/// What an agent does with the graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// Compile it for the accelerator alone, run it, time it, write its outputs.
    #[default]
    Measure,
    /// Compile it for the accelerator beside the CPU and stop: the log then says which part the accelerator would take.
    Split,
}

/// The hardware that is asked for. What really ran is the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "host", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Accelerator {
    Cpu,
    Gpu,
    Npu,
}

/// Arithmetic the accelerator is told to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "host", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    Fp32,
    Fp16,
}

/// When the graph is compiled for the accelerator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "host", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum CompileMode {
    /// On the device, at load.
    Jit,
    /// Before, into an artifact.
    Aot,
}

macro_rules! lowercase_display {
    ($($type:ty { $($variant:ident => $text:literal),+ $(,)? })+) => {$(
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $(Self::$variant => $text),+ })
            }
        }
    )+};
}
lowercase_display! {
    Accelerator { Cpu => "cpu", Gpu => "gpu", Npu => "npu" }
    Precision { Fp32 => "fp32", Fp16 => "fp16" }
    CompileMode { Jit => "jit", Aot => "aot" }
}

/// Options by the runtime's identifier (`xnnpack`, `gpu_options`, ...), then by key.
/// The accepted ones stand in [`crate::litert::options`].
pub type ProviderOptions = BTreeMap<String, BTreeMap<String, OptionValue>>;

/// One option value, written to the runtime as TOML.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "host", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum OptionValue {
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(String),
}

/// Folders the runtime's environment is created with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnvironmentPaths {
    /// Where compiler plugins are.
    pub compiler_plugins: Option<PathBuf>,
    /// Where dispatch libraries are.
    pub dispatch: Option<PathBuf>,
    /// Where the compiler may keep its cache.
    pub compiler_cache: Option<PathBuf>,
}

/// Which input or output of the signature is meant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TensorName {
    /// By the signature's own name.
    Name(String),
    /// By position in the signature, for sets whose index gives no names.
    Index(usize),
}

impl fmt::Display for TensorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TensorName::Name(name) => f.write_str(name),
            TensorName::Index(index) => write!(f, "#{index}"),
        }
    }
}

/// A file that fills one input: raw, little-endian, row-major, no header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputBinding {
    pub tensor: TensorName,
    pub spec: TensorSpec,
    pub file: PathBuf,
}

/// How often the graph runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// Untimed runs after the first one.
    pub warmups: u32,
    /// Timed runs.
    pub runs: u32,
}
