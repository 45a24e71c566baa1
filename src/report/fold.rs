//! How do attempts become rows?
//!
//! One planned cell gives one row, whatever was tried. Attempts may come in any order: their numbers, which are unique
//! in a run, give the order.

use std::collections::{BTreeSet, HashMap};

use rayon::prelude::*;

use super::{
    LoadMs, MemoryKb, ProcessSamples, Row, RowPlacement, Status, Thermal,
    decide::{decide, last_tries},
};
use crate::{
    agent::{Accelerator, BufferKind, CompileMode, Memory, Placement, ThermalReading},
    attempt::{AttemptRecord, HostState, Measured, keeps_shaders},
    score::Accuracy,
    stats::{latency, median},
    sweep::{Baseline, CellKey, PlannedCell},
};

/// Folds the attempts of a run into one row per planned cell, in the order of the plan.
/// Attempts of cells that are not planned are ignored.
pub fn fold(cells: &[PlannedCell], attempts: &[AttemptRecord], baseline: &Baseline) -> Vec<Row> {
    let mut by_cell: HashMap<&CellKey, Vec<&AttemptRecord>> = HashMap::new();
    for attempt in attempts {
        by_cell.entry(&attempt.key).or_default().push(attempt);
    }
    for of_cell in by_cell.values_mut() {
        of_cell.sort_by_key(|a| (a.attempt, a.repeat, a.try_number));
    }
    cells
        .par_iter()
        .map(|cell| row(cell, by_cell.get(&cell.key).map_or(&[], Vec::as_slice), baseline))
        .collect()
}

/// One row. `attempts` are those of the cell, by number.
fn row(cell: &PlannedCell, attempts: &[&AttemptRecord], baseline: &Baseline) -> Row {
    let counted = last_tries(attempts);
    let decision = decide(attempts, &counted);
    let outcome = decision.as_ref().map(|d| &d.attempt.outcome);
    let status = decision.as_ref().map_or(Status::Skipped, |d| d.status);
    let provider = joined(counted.iter().filter_map(|a| a.provider.as_deref()), " + ");
    let judgement = baseline.judge(&cell.key, provider.as_deref(), status);
    let processes = processes(&counted);
    let samples: Vec<Vec<f64>> = processes.iter().map(|p| p.samples_ms.clone()).collect();
    Row {
        key: cell.key.clone(),
        graph: cell.graph.clone(),
        file: cell.file.clone(),
        sha256: cell.sha256.clone(),
        bytes: cell.bytes,
        signature: cell
            .signature
            .clone()
            .or_else(|| counted.iter().find_map(|a| a.measured.signature.clone())),
        case: cell.case.clone(),
        target: cell.target.clone(),
        accelerator: cell.accelerator,
        provider,
        precision: cell.precision,
        compile: cell.compile,
        runtime: cell.runtime.clone(),
        threads: cell.threads,
        options: cell.options.clone(),
        status,
        expectation: judgement.expectation,
        expectation_reason: judgement.reason.map(str::to_owned),
        stage: outcome.and_then(|o| o.stage),
        code: outcome.and_then(|o| o.code),
        message: decision.as_ref().and_then(|d| d.message.clone()),
        exit: outcome.and_then(|o| o.exit),
        attempts: u32::try_from(attempts.len()).unwrap_or(u32::MAX),
        placement: placement(&counted, cell.accelerator),
        load_ms: load(&counted, cell),
        latency_ms: latency(&samples),
        processes,
        memory_kb: memory(&counted),
        thermal: thermal(&counted),
        host: host(&counted),
        accuracy: accuracy(decision.map(|d| d.attempt), &counted),
    }
}

/// The distinct texts in their order of appearance; none when there is none.
fn joined<'a>(texts: impl Iterator<Item = &'a str>, separator: &str) -> Option<String> {
    let mut distinct: Vec<&str> = Vec::new();
    for text in texts {
        if !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    (!distinct.is_empty()).then(|| distinct.join(separator))
}

fn processes(counted: &[&AttemptRecord]) -> Vec<ProcessSamples> {
    counted
        .iter()
        .filter_map(|a| {
            let samples_ms: Vec<f64> = a.measured.samples_ns.iter().map(|&ns| ns as f64 / 1e6).collect();
            Some(ProcessSamples {
                attempt: a.attempt,
                median_ms: median(&samples_ms)?,
                samples_ms,
            })
        })
        .collect()
}

/// Every attempt is a fresh process without a cache of its own, so a load is a first compile or that of an artifact, unless
/// the sweep keeps the cache of the driver.
fn load(counted: &[&AttemptRecord], cell: &PlannedCell) -> LoadMs {
    let loads: Vec<f64> = counted
        .iter()
        .filter_map(|a| Some(a.measured.load_ms? + a.measured.compile_ms?))
        .collect();
    let load_ms = median(&loads);
    match cell.compile {
        CompileMode::Jit if keeps_shaders(&cell.options) => LoadMs {
            cached: load_ms,
            ..LoadMs::default()
        },
        CompileMode::Jit => LoadMs {
            first_compile: load_ms,
            ..LoadMs::default()
        },
        CompileMode::Aot => LoadMs {
            aot: load_ms,
            ..LoadMs::default()
        },
    }
}

/// Of the first process that tells something about it.
fn placement(counted: &[&AttemptRecord], accelerator: Accelerator) -> Option<RowPlacement> {
    let placement = counted.iter().find_map(|a| a.measured.placement.as_ref());
    let ops = counted.iter().find_map(|a| a.measured.ops);
    let split = counted.iter().find_map(|a| a.measured.split);
    if placement.is_none() && ops.is_none() && split.is_none() {
        return None;
    }
    // Beside the CPU the stricter claim decides where the runtime makes it: the other one is also true after a fallback.
    let fully_accelerated = placement.and_then(|placement| match accelerator {
        Accelerator::Cpu => placement.fully_accelerated,
        Accelerator::Gpu | Accelerator::Npu => placement.non_cpu_fully_accelerated.or(placement.fully_accelerated),
    });
    let kinds: BTreeSet<BufferKind> = placement.into_iter().flat_map(Placement::buffer_kinds).collect();
    let kinds: Vec<String> = kinds.iter().map(BufferKind::to_string).collect();
    Some(RowPlacement {
        fully_accelerated,
        ops_accelerated: ops.map(|ops| ops.accelerated),
        ops_total: ops.map(|ops| ops.total),
        split_accelerated: split.map(|ops| ops.accelerated),
        split_total: split.map(|ops| ops.total),
        buffer: joined(kinds.iter().map(String::as_str), "+"),
    })
}

/// The phases of one process, each read at its end.
fn phases(measured: &Measured) -> [Option<Memory>; 5] {
    [
        measured.memory_baseline,
        measured.memory_loaded,
        measured.memory_compiled,
        measured.memory_first_run,
        measured.memory_done,
    ]
}

fn memory(counted: &[&AttemptRecord]) -> MemoryKb {
    let heaviest = counted
        .iter()
        .map(|a| &a.measured)
        .filter(|measured| phases(measured).iter().any(Option::is_some))
        .reduce(|heaviest, other| if peak(other) > peak(heaviest) { other } else { heaviest });
    let Some(measured) = heaviest else {
        return MemoryKb::default();
    };
    let highest = |part: fn(&Memory) -> Option<u64>| phases(measured).iter().flatten().filter_map(part).max();
    MemoryKb {
        baseline: measured.memory_baseline.and_then(|m| m.rss_kb),
        loaded: measured.memory_loaded.and_then(|m| m.rss_kb),
        compiled: measured.memory_compiled.and_then(|m| m.rss_kb),
        peak: peak(measured),
        peak_anon: highest(|m| m.anon_kb),
        peak_file: highest(|m| m.file_kb),
    }
}

/// The highest memory of a process in which the graph ran. Before that no reading is the peak of the graph.
fn peak(measured: &Measured) -> Option<u64> {
    let ran = measured.memory_first_run.is_some() || measured.memory_done.is_some();
    let readings = phases(measured);
    let peaks = readings.iter().flatten().filter_map(|m| m.peak_kb);
    peaks.max().filter(|_| ran)
}

/// From the start of the first process to the end of the last one.
fn thermal(counted: &[&AttemptRecord]) -> Thermal {
    let unknown = ThermalReading::default();
    let start = counted
        .iter()
        .find_map(|a| a.measured.thermal_start.as_ref())
        .unwrap_or(&unknown);
    let end = counted
        .iter()
        .rev()
        .find_map(|a| a.measured.thermal_end.as_ref())
        .unwrap_or(&unknown);
    Thermal {
        status_start: start.status.clone(),
        status_end: end.status.clone(),
        headroom_start: start.headroom,
        headroom_end: end.headroom,
        temperature_c_start: start.temperature_c,
        temperature_c_end: end.temperature_c,
        source: joined(
            [start, end].iter().filter_map(|reading| reading.source.as_deref()),
            " + ",
        ),
    }
}

/// The least favourable state any of the processes met: the highest load, and not quiet if one was not.
fn host(counted: &[&AttemptRecord]) -> HostState {
    HostState {
        load: counted.iter().filter_map(|a| a.host.load).max_by(f64::total_cmp),
        governor: joined(counted.iter().filter_map(|a| a.host.governor.as_deref()), " + "),
        quiet: counted
            .iter()
            .map(|a| a.host.quiet)
            .reduce(|all, one| match (all, one) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            })
            .flatten(),
    }
}

/// The scores of the attempt that decided, else of the first repeat that has some.
fn accuracy(deciding: Option<&AttemptRecord>, counted: &[&AttemptRecord]) -> Vec<Accuracy> {
    deciding
        .into_iter()
        .chain(counted.iter().copied())
        .map(|a| &a.accuracy)
        .find(|scores| !scores.is_empty())
        .cloned()
        .unwrap_or_default()
}
