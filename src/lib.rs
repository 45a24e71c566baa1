//! litmus benchmarks and validates LiteRT graphs on real devices.
//!
//! # Words
//!
//! These words mean the same in code, output and docs.
//!
//! - **graph**: one `.tflite` file. **graph set**: the graphs an `index.json` names.
//! - **case**: one set of inputs and references for a graph (`t2i`, `edit`).
//! - **accelerator**: `cpu`, `gpu` or `npu`. **provider**: what really ran (`xnnpack`, `webgpu/swiftshader`, `openvino/cpu`).
//! - **precision**: `fp32` or `fp16`. **compile mode**: `jit` (on the device at load) or `aot` (artifact made before).
//! - **target**: where graphs run (`local`, or one device).
//! - **cell**: graph × signature × case × target × accelerator × precision × compile mode × runtime × threads ×
//!   hash of the remaining options. Its **key** is the canonical text of those.
//! - **process repeat**: one of the processes whose samples make a row; the unit of replication.
//! - **attempt**: one try of a process repeat. A retry replaces, a repeat replicates.
//! - **sweep**: the cells of one sweep file. **run**: one execution of a sweep, a folder under `reports/`.
//! - **reference**: the fp32 tensors a cell is scored against. **verdict**: what the score says.
//! - **status**: what happened to the cell; see [`report::Status`].
//!
//! # The way data flows
//!
//! sweep file → [`sweep`] plan → [`attempt`] → [`agent`] events → journal → rows → [`report`].
//! No module reaches back against that direction.

pub mod agent;
pub mod chain;
pub mod elf;
pub mod litert;
pub mod os;
pub mod tensor;
pub mod tflite;

#[cfg(feature = "host")]
pub mod attempt;
#[cfg(feature = "host")]
pub mod cli;
#[cfg(feature = "host")]
pub mod graphset;
#[cfg(feature = "host")]
pub mod install;
#[cfg(feature = "host")]
pub mod report;
#[cfg(feature = "host")]
pub mod score;
#[cfg(feature = "host")]
pub mod stats;
#[cfg(feature = "host")]
pub mod store;
#[cfg(feature = "host")]
pub mod sweep;
#[cfg(feature = "host")]
pub mod target;
