//! What is known about one attempt after it has ended? The line of a journal.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{
    agent::{Memory, Placement, Stage, ThermalReading},
    score::Accuracy,
    sweep::CellKey,
    tensor::TensorSpec,
};

/// Everything one attempt told, scored. Numbers are as measured; summaries are made later, from these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttemptRecord {
    pub key: CellKey,
    /// Number of the attempt in its run, from 1; names its folder.
    pub attempt: u32,
    /// Which process repeat of the cell this is, from 1.
    pub repeat: u32,
    /// Which try of that repeat, from 1.
    pub try_number: u32,
    /// When the process was started, RFC 3339 in UTC.
    pub started: String,
    /// From start to the end of the process, as the host saw it. None when no process was started.
    pub wall_ms: Option<f64>,
    pub outcome: Outcome,
    pub measured: Measured,
    /// One entry per output that has a reference.
    pub accuracy: Vec<Accuracy>,
    /// What really ran, by evidence.
    pub provider: Option<String>,
    pub host: HostState,
    /// How the attempt passed the thermal gate; none when the sweep has no gate.
    pub thermal_gate: Option<ThermalGate>,
}

/// What a thermal gate did before an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThermalGate {
    /// Cool enough after this long.
    Opened { waited_ms: u64 },
    /// Still too hot after this long; the attempt was made all the same.
    GaveUp { waited_ms: u64 },
    /// The machine does not say how hot it is; the attempt was made at once.
    Unknown,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    pub status: AttemptStatus,
    /// Where it failed; none when nothing did.
    pub stage: Option<Stage>,
    /// The runtime's status number.
    pub code: Option<i32>,
    /// What happened, in words; also notes on a passing attempt ("died at teardown").
    pub message: Option<String>,
    /// None when no process was started.
    pub exit: Option<Exit>,
}

/// Characters of a message that are kept: reports carry it several times.
const MESSAGE_KEPT: usize = 4096;

impl Outcome {
    /// Adds a remark that changes nothing about the status.
    pub fn add_note(&mut self, note: &str) {
        self.message = Some(match self.message.take() {
            Some(message) if !message.is_empty() => format!("{message}; {note}"),
            _ => note.to_owned(),
        });
    }

    /// Cuts a message that nobody would read to its end.
    pub fn cut_message(&mut self) {
        if let Some(message) = &mut self.message
            && let Some((at, _)) = message.char_indices().nth(MESSAGE_KEPT)
        {
            message.truncate(at);
            message.push_str(" [cut]");
        }
    }
}

/// How the process ended: exactly one of the two is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exit {
    pub code: Option<i32>,
    pub signal: Option<i32>,
}

/// What happened to one attempt. The status of a cell is a fold over these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptStatus {
    /// Ran, and every output is within its thresholds.
    Pass,
    /// Ran; there was no reference.
    Unscored,
    /// Ran; an output is outside its thresholds.
    Inaccurate,
    /// Ran; an output holds NaN or infinity.
    Nonfinite,
    /// The agent or the host said what is wrong.
    Failed,
    /// The process died by a signal before its results were complete.
    Crashed,
    /// No progress within a deadline; the process group was killed.
    Timeout,
    /// The process ended by itself without complete results.
    NoResult,
    /// The environment lacks something: no driver, no device.
    Unavailable,
}

impl AttemptStatus {
    /// True where another try may end differently for reasons outside the graph.
    pub fn is_worth_retrying(self) -> bool {
        matches!(
            self,
            AttemptStatus::Crashed | AttemptStatus::Timeout | AttemptStatus::NoResult
        )
    }
}

/// The figures an agent reported, as far as it came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The signature that really ran.
    pub signature: Option<String>,
    pub load_ms: Option<f64>,
    pub compile_ms: Option<f64>,
    pub first_run_ms: Option<f64>,
    /// Timed runs in order; empty unless all of them are there.
    pub samples_ns: Vec<u64>,
    pub placement: Option<Placement>,
    /// Ops the accelerator took, where the runtime's log counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ops: Option<OpCounts>,
    /// Where the accelerator alone refused the graph: how it would be split beside the CPU.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<OpCounts>,
    /// Before the runtime was loaded.
    pub memory_baseline: Option<Memory>,
    pub memory_loaded: Option<Memory>,
    pub memory_compiled: Option<Memory>,
    pub memory_first_run: Option<Memory>,
    pub memory_done: Option<Memory>,
    pub thermal_start: Option<ThermalReading>,
    pub thermal_end: Option<ThermalReading>,
    pub outputs: Vec<OutputFile>,
}

/// How many ops of a graph an accelerator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpCounts {
    pub accelerated: u32,
    pub total: u32,
}

/// One output tensor an attempt has written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputFile {
    /// Position in the signature.
    pub index: usize,
    pub name: String,
    #[serde(flatten)]
    pub spec: TensorSpec,
    pub sha256: String,
    /// What it was before the timed runs of the same process, where that is known and was another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier_sha256: Option<String>,
    /// Relative to the run folder; none once the tensor was dropped.
    pub file: Option<PathBuf>,
}

/// The state of the machine that drives the attempt, read just before it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostState {
    /// One-minute load average.
    pub load: Option<f64>,
    /// Frequency governor of the first processor.
    pub governor: Option<String>,
    /// True when nothing else competed for the processors; none when that cannot be told.
    pub quiet: Option<bool>,
}
