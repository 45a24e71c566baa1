//! What does report.json hold? The machine contract `litmus.report/1`; changes only add.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{
    agent::{Accelerator, CompileMode, Precision, ProviderOptions, Stage},
    attempt::{Exit, HostState},
    score::Accuracy,
    sweep::CellKey,
};

/// The schema name of a report.
pub const REPORT_SCHEMA: &str = "litmus.report/1";

/// One run, folded into rows. Unknown is null; no number is NaN or infinite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub schema: String,
    pub run: RunInfo,
    pub targets: Vec<TargetInfo>,
    pub rows: Vec<Row>,
    /// Baseline entries that match no cell; told only of complete runs of a whole sweep.
    #[serde(default)]
    pub stale_expectations: Vec<StaleExpectation>,
}

/// A baseline entry that no cell needed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaleExpectation {
    /// The entry's glob over cell keys.
    pub cell: String,
    /// The entry's glob over providers.
    pub provider: Option<String>,
    pub reason: String,
}

/// Which run this is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunInfo {
    pub id: String,
    /// Name of the sweep.
    pub sweep: String,
    /// SHA-256 of the sweep file's text.
    pub sweep_sha256: String,
    /// RFC 3339, UTC.
    pub started: String,
    /// End of the last attempt; none while the run is not complete.
    pub finished: Option<String>,
    /// True when every planned process repeat has an attempt that counts.
    pub complete: bool,
    /// Only the cells that match this were meant; none means all.
    #[serde(default)]
    pub filter: Option<String>,
    /// Only this part of the cells was meant, like `2/4`; none means all.
    #[serde(default)]
    pub shard: Option<String>,
    /// `litmus 0.1.0`
    pub harness: String,
    pub protocol: RunProtocol,
    /// Under which thresholds the run was scored again; none where the scores are those of the run itself.
    #[serde(default)]
    pub rescored: Option<String>,
}

impl RunInfo {
    /// From the start to the end of the last attempt; none while the run is not complete.
    pub fn lasted(&self) -> Option<Duration> {
        let at = |text: &str| humantime::parse_rfc3339(text).ok();
        at(self.finished.as_ref()?)?.duration_since(at(&self.started)?).ok()
    }

    /// True when every cell of the sweep was meant.
    pub fn is_whole_sweep(&self) -> bool {
        self.filter.is_none() && self.shard.is_none()
    }
}

/// How often every cell was asked to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunProtocol {
    /// Untimed runs after the first one, in each process.
    pub warmups: u32,
    /// Timed runs in each process.
    pub runs: u32,
    /// Fresh processes per cell.
    pub processes: u32,
}

/// A machine graphs ran on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetInfo {
    pub id: String,
    /// `local` or `adb`.
    pub kind: String,
    pub device: Option<String>,
    pub soc: Option<String>,
    pub os: Option<String>,
    pub abi: Option<String>,
    pub cores: Option<u32>,
    pub memory_kb: Option<u64>,
}

/// What happened to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "host", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Pass,
    Unscored,
    Inaccurate,
    Nonfinite,
    Failed,
    Crashed,
    Timeout,
    NoResult,
    /// Passed only after a crash or hang, or its output differed between repeats.
    Flaky,
    Unavailable,
    /// Never attempted: filtered out, another shard's, or the run was interrupted.
    Skipped,
}

/// One cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub key: CellKey,
    pub graph: String,
    /// As the index names it.
    pub file: PathBuf,
    pub sha256: Option<String>,
    pub bytes: Option<u64>,
    pub signature: Option<String>,
    pub case: String,
    pub target: String,
    pub accelerator: Accelerator,
    pub provider: Option<String>,
    pub precision: Precision,
    pub compile: CompileMode,
    pub runtime: String,
    pub threads: Option<u32>,
    pub options: ProviderOptions,
    pub status: Status,
    /// What the baseline makes of the status.
    pub expectation: Expectation,
    /// The reason the baseline gives, where one of its entries concerns this row.
    #[serde(default)]
    pub expectation_reason: Option<String>,
    pub stage: Option<Stage>,
    pub code: Option<i32>,
    pub message: Option<String>,
    pub exit: Option<Exit>,
    /// Attempts made, retries counted.
    pub attempts: u32,
    pub placement: Option<RowPlacement>,
    pub load_ms: LoadMs,
    pub latency_ms: Option<LatencyMs>,
    pub processes: Vec<ProcessSamples>,
    pub memory_kb: MemoryKb,
    pub thermal: Thermal,
    pub host: HostState,
    pub accuracy: Vec<Accuracy>,
}

/// How a status compares with what the baseline expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expectation {
    /// A status that needs no entry: pass, unscored, unavailable, skipped.
    Fine,
    /// Bad, and the baseline says so.
    ExpectedFailure,
    /// Passes although the baseline expects a failure.
    UnexpectedPass,
    /// Bad, and no entry expects it: a finding.
    Finding,
}

/// Where the graph was placed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowPlacement {
    pub fully_accelerated: Option<bool>,
    pub ops_accelerated: Option<u32>,
    pub ops_total: Option<u32>,
    /// Where the accelerator alone refused the graph: the ops it would take beside the CPU, of `split_total`.
    #[serde(default)]
    pub split_accelerated: Option<u32>,
    #[serde(default)]
    pub split_total: Option<u32>,
    /// Kinds of the input and output buffers: `host`, `webgpu`, `dispatch`, ..., else the runtime's number; several
    /// are joined by `+`.
    pub buffer: Option<String>,
}

/// Load times: opening the graph plus compiling it, each in a fresh process. Median over processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LoadMs {
    pub first_compile: Option<f64>,
    pub cached: Option<f64>,
    pub aot: Option<f64>,
}

/// Latency of a run. `median` is the median of the process medians; the rest is over all samples of all processes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LatencyMs {
    /// Samples.
    pub n: u32,
    pub median: f64,
    pub min: f64,
    pub max: f64,
    pub mean: f64,
    pub p90: f64,
    /// Median absolute deviation from the median.
    pub mad: f64,
    /// Bootstrap 95 % interval of the median: over process medians from three processes on, else over samples.
    pub ci95: Option<[f64; 2]>,
    /// Median of the last quarter over the median of the first quarter.
    pub drift: Option<f64>,
    /// Samples whose modified z-score is above 3.5; kept, never dropped.
    pub outliers: u32,
}

/// The samples of one process repeat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProcessSamples {
    pub attempt: u32,
    pub median_ms: f64,
    pub samples_ms: Vec<f64>,
}

/// Resident memory by phase, of the process with the highest peak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryKb {
    /// Before the runtime is loaded.
    pub baseline: Option<u64>,
    pub loaded: Option<u64>,
    pub compiled: Option<u64>,
    pub peak: Option<u64>,
    /// Highest anonymous part seen at a phase end.
    pub peak_anon: Option<u64>,
    /// Highest file-backed part seen at a phase end.
    pub peak_file: Option<u64>,
}

/// Thermal state around the timed runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Thermal {
    pub status_start: Option<String>,
    pub status_end: Option<String>,
    pub headroom_start: Option<f32>,
    pub headroom_end: Option<f32>,
    pub temperature_c_start: Option<f32>,
    pub temperature_c_end: Option<f32>,
    pub source: Option<String>,
}

impl Report {
    /// How many rows have each status.
    pub fn count_by_status(&self) -> BTreeMap<Status, usize> {
        self.rows.iter().fold(BTreeMap::new(), |mut counts, row| {
            *counts.entry(row.status).or_insert(0) += 1;
            counts
        })
    }
}
