//! What does an agent report?

use std::{fmt, path::PathBuf};

use serde::{Deserialize, Serialize};

use crate::tensor::TensorSpec;

/// The schema name every event line carries.
pub const EVENT_SCHEMA: &str = "litmus.event/1";

/// One line of an agent's standard output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventLine {
    /// Always [`EVENT_SCHEMA`].
    pub schema: String,
    #[serde(flatten)]
    pub event: Event,
}

impl From<Event> for EventLine {
    fn from(event: Event) -> Self {
        EventLine {
            schema: EVENT_SCHEMA.to_owned(),
            event,
        }
    }
}

/// What happened, in the order it happens. `done` or `error` is the last one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The agent is alive and has read its job; the runtime is not loaded yet.
    Hello { agent: String, pid: u32, memory: Memory },
    /// The graph was verified and the runtime has opened it. `load_ms` is the time to open, without verifying.
    /// Tensors whose shape the graph leaves to its caller are not listed; an output's own event has its shape.
    Loaded {
        load_ms: f64,
        signature: String,
        inputs: Vec<TensorInfo>,
        outputs: Vec<TensorInfo>,
        memory: Memory,
    },
    /// The graph is compiled and its buffers exist.
    Compiled {
        compile_ms: f64,
        placement: Placement,
        memory: Memory,
    },
    /// The first run, with its outputs read; not a sample.
    FirstRun { first_run_ms: f64, memory: Memory },
    /// A sign of life between slow runs; at most one a second. `runs_done` counts timed runs: 0 during warm-ups.
    Progress { runs_done: u32 },
    /// All timed runs, in order, in nanoseconds of the monotonic clock.
    Samples { samples_ns: Vec<u64> },
    /// One output was written.
    Output {
        /// Position in the signature.
        index: usize,
        name: String,
        #[serde(flatten)]
        spec: TensorSpec,
        file: PathBuf,
        sha256: String,
    },
    /// The thermal state before or after the timed runs.
    Thermal {
        at: ThermalPoint,
        #[serde(flatten)]
        reading: ThermalReading,
    },
    /// Everything was done; only teardown follows.
    Done { memory: Memory },
    /// Something failed; nothing follows.
    Error {
        stage: Stage,
        /// The runtime's status number, when it was the runtime that refused.
        code: Option<i32>,
        message: String,
        /// True when the machine is at fault (no space, no threads), so that the graph may not be blamed.
        #[serde(default)]
        environment: bool,
    },
}

/// Where in an attempt something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Files checked on the host, before a process is started.
    Prepare,
    /// The agent reads its job and opens the runtime library.
    Start,
    /// The flatbuffer is verified.
    Verify,
    /// The runtime opens the graph.
    Load,
    /// The graph is compiled and buffers are made.
    Compile,
    /// Inputs are bound.
    Bind,
    /// The first run and the warm-ups.
    FirstRun,
    /// The timed runs.
    Run,
    /// Outputs are read and written.
    Output,
    /// After `done`: the runtime is taken down.
    Teardown,
    /// The host scores outputs.
    Score,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Stage::Prepare => "prepare",
            Stage::Start => "start",
            Stage::Verify => "verify",
            Stage::Load => "load",
            Stage::Compile => "compile",
            Stage::Bind => "bind",
            Stage::FirstRun => "first_run",
            Stage::Run => "run",
            Stage::Output => "output",
            Stage::Teardown => "teardown",
            Stage::Score => "score",
        })
    }
}

/// Resident memory of the agent process, read inside it from one read of `/proc/self/status`. Unknown is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Resident now (VmRSS).
    pub rss_kb: Option<u64>,
    /// Highest resident so far (VmHWM).
    pub peak_kb: Option<u64>,
    /// Anonymous part of `rss_kb` (RssAnon).
    pub anon_kb: Option<u64>,
    /// File-backed part of `rss_kb` (RssFile).
    pub file_kb: Option<u64>,
}

/// Name, element type and shape of an input or output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TensorInfo {
    pub name: String,
    #[serde(flatten)]
    pub spec: TensorSpec,
}

/// What the runtime says about where the graph was placed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placement {
    /// The runtime's own claim; also true for a whole graph that fell back to the CPU.
    pub fully_accelerated: Option<bool>,
    /// Runtimes from 2.3.0: true only when nothing runs on the CPU.
    pub non_cpu_fully_accelerated: Option<bool>,
    /// First supported buffer type of every input, then of every output (1 is host memory).
    pub buffer_types: Vec<i32>,
    /// Names of the accelerators the environment registered.
    pub accelerators: Vec<String>,
}

/// Which end of the timed runs a thermal reading belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThermalPoint {
    Start,
    End,
}

/// The thermal state of the machine. Unknown is none, never 0 and never "cool".
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ThermalReading {
    /// The platform's own word: `NONE`, `LIGHT`, ..., where it has one.
    pub status: Option<String>,
    /// 1.0 is where severe throttling starts.
    pub headroom: Option<f32>,
    /// Hottest processor zone, degrees Celsius.
    pub temperature_c: Option<f32>,
    /// Where the reading comes from (`sysfs`, `thermalservice`).
    pub source: Option<String>,
}
