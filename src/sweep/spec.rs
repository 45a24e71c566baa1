//! What may stand in a sweep file?
//!
//! The types are the format: unknown keys are errors, `litmus sweep --schema` prints them as JSON Schema, and
//! docs/sweep-file.md explains them. Checks that one key alone cannot decide are made by the planner.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::agent::{Accelerator, CompileMode, Precision, ProviderOptions};

/// A sweep file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SweepSpec {
    /// Name of the sweep; run folders start with it.
    pub name: String,
    /// The graphs to measure.
    pub graphs: GraphsSpec,
    /// Runtimes to measure with: `litert-2.3.0` or the like. All accelerators are measured with each.
    #[serde(default = "default_runtimes")]
    pub runtimes: Vec<String>,
    /// What each graph is run on; one entry is one column of cells.
    #[serde(rename = "accelerator")]
    pub accelerators: Vec<AcceleratorSpec>,
    /// How often and how long.
    #[serde(default)]
    pub protocol: ProtocolSpec,
    /// When to wait for the machine to cool down.
    #[serde(default)]
    pub thermal: ThermalSpec,
    /// When an output counts as accurate.
    #[serde(default)]
    pub accuracy: AccuracySpec,
    /// Accelerators without which the run is not worth making: the sweep ends with exit code 3 when one is unavailable.
    #[serde(default)]
    pub require: Vec<Accelerator>,
    /// File of expected failures, relative to the sweep file.
    #[serde(default)]
    pub baseline: Option<PathBuf>,
    /// Which output tensors stay in the run folder.
    #[serde(default)]
    pub keep: KeepOutputs,
    /// The most that stays in the run folder, in MB of 1024 x 1024 bytes; what is dropped beyond it is said.
    #[serde(default = "default_keep_limit_mb")]
    pub keep_limit_mb: u32,
}

/// `keep_limit_mb` of a sweep that does not say it.
pub const DEFAULT_KEEP_LIMIT_MB: u32 = 2048;

/// The graph set of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GraphsSpec {
    /// The set's index.json, relative to the sweep file.
    pub index: PathBuf,
    /// Graph names to include, as globs; all when empty.
    #[serde(default)]
    pub include: Vec<String>,
    /// Graph names to leave out, as globs.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Cases to include; all when empty.
    #[serde(default)]
    pub cases: Vec<String>,
}

/// One accelerator with its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AcceleratorSpec {
    pub kind: Accelerator,
    #[serde(default = "default_precision")]
    pub precision: Precision,
    #[serde(default = "default_compile")]
    pub compile: CompileMode,
    /// CPU threads; the runtime's default when absent.
    #[serde(default)]
    pub threads: Option<u32>,
    /// Options by the runtime's identifier, then key: `options.xnnpack.kernel_mode = "builtin"`.
    #[serde(default)]
    pub options: ProviderOptions,
}

/// How a cell is measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ProtocolSpec {
    /// Untimed runs after the first one.
    pub warmups: u32,
    /// Timed runs in each process.
    pub runs: u32,
    /// Fresh processes per cell.
    pub processes: u32,
    /// Tries after a crash, a hang or a missing result.
    pub retries: u32,
    /// Seconds without progress while the agent starts, verifies and opens the graph.
    pub load_timeout_s: u32,
    /// Seconds without progress while the graph is compiled.
    pub compile_timeout_s: u32,
    /// Seconds without progress while it runs: longer than the slowest single run.
    pub run_timeout_s: u32,
    /// Seconds one attempt may take in all.
    pub attempt_timeout_s: u32,
}

/// The thermal gate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ThermalSpec {
    /// Start an attempt only at or below this headroom (1.0 is severe throttling); no gate when absent.
    pub max_headroom: Option<f32>,
    /// Give up waiting after this many seconds, and say so in the row. Default 300.
    pub max_wait_s: Option<u32>,
}

/// Thresholds by kind of output, and which output is of which kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AccuracySpec {
    /// For tensors. Default: `psnr_db = 40`.
    pub tensor: Option<Thresholds>,
    /// For pictures. Default: `psnr_db = 37`, `ssim = 0.995`.
    pub picture: Option<Thresholds>,
    /// Exceptions for single outputs; the last one that matches decides.
    pub output: Vec<OutputRule>,
}

/// Bounds an output must keep. An absent bound is not checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Thresholds {
    /// Least PSNR in dB: with the reference's range for a tensor, of the 8-bit picture for a picture.
    pub psnr_db: Option<f64>,
    /// Least SSIM of the 8-bit picture; pictures only.
    pub ssim: Option<f64>,
    /// Least Pearson correlation.
    pub corr: Option<f64>,
    /// Largest absolute difference of any element.
    pub max_abs: Option<f64>,
    /// How far each element may be off, and how many may be farther.
    pub tolerance: Option<Tolerance>,
}

/// An element r is matched by a where |a - r| <= abs + rel |r|.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Tolerance {
    pub abs: f64,
    pub rel: f64,
    /// The greatest share of elements that may be outside, 0 to 1.
    pub share: f64,
}

/// A rule for outputs whose graph and role match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutputRule {
    /// Glob over graph names.
    #[serde(default = "any")]
    pub graph: String,
    /// Glob over output roles (or names, where a graph has no roles).
    #[serde(default = "any")]
    pub output: String,
    /// What the output is; the kind it already has when absent.
    #[serde(default)]
    pub kind: Option<OutputKind>,
    /// Thresholds in place of the kind's.
    #[serde(default)]
    pub thresholds: Option<Thresholds>,
}

/// What an output is, and so how it is scored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "is", deny_unknown_fields)]
pub enum OutputKind {
    #[default]
    Tensor,
    /// A picture of one or three channels with a leading batch of one.
    Picture {
        layout: PictureLayout,
        mapping: PictureMapping,
    },
}

/// Order of a picture's dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PictureLayout {
    Nchw,
    Nhwc,
}

/// From tensor values to display values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PictureMapping {
    /// -1 is black and 1 is white: `round(clamp(x / 2 + 0.5, 0, 1) * 255)`, as klein maps.
    MinusOneToOne,
    /// 0 is black and 1 is white.
    ZeroToOne,
    /// 0 is black and 255 is white.
    Byte,
}

/// Which output tensors stay in the run folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum KeepOutputs {
    /// Those of attempts that did not pass; of the others only the hash.
    #[default]
    Failing,
    /// All, so that a run can be scored again under other thresholds.
    All,
}

impl Tolerance {
    /// Both bounds are finite and not negative, and the share is one.
    pub fn is_usable(&self) -> bool {
        let is_bound = |bound: f64| bound.is_finite() && bound >= 0.0;
        is_bound(self.abs) && is_bound(self.rel) && (0.0..=1.0).contains(&self.share)
    }
}

impl Default for ProtocolSpec {
    fn default() -> Self {
        ProtocolSpec {
            warmups: 5,
            runs: 50,
            processes: 1,
            retries: 1,
            load_timeout_s: 120,
            compile_timeout_s: 600,
            run_timeout_s: 60,
            attempt_timeout_s: 1800,
        }
    }
}

impl Thresholds {
    /// For an output that is a plain tensor.
    pub const TENSOR: Thresholds = Thresholds {
        psnr_db: Some(40.0),
        ssim: None,
        corr: None,
        max_abs: None,
        tolerance: None,
    };
    /// For an output that is a picture.
    pub const PICTURE: Thresholds = Thresholds {
        psnr_db: Some(37.0),
        ssim: Some(0.995),
        corr: None,
        max_abs: None,
        tolerance: None,
    };
}

fn default_runtimes() -> Vec<String> {
    vec![crate::install::DEFAULT_RUNTIME.to_owned()]
}

fn default_keep_limit_mb() -> u32 {
    DEFAULT_KEEP_LIMIT_MB
}

fn default_precision() -> Precision {
    Precision::Fp32
}

fn default_compile() -> CompileMode {
    CompileMode::Jit
}

fn any() -> String {
    "*".to_owned()
}
