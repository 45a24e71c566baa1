//! Under which conditions were the figures taken?

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Report, Row, TargetInfo,
    numbers::{UNKNOWN, or_unknown, range, span, three_digits},
    text::{counted, listed, sentence},
    variant::{PROPERTIES, varying},
};

/// What precision, median, load, peak and the scores mean, and what they were scored against.
pub(super) fn method(report: &Report) -> String {
    let references = report
        .rows
        .iter()
        .flat_map(|row| &row.accuracy)
        .map(|score| score.reference.clone());
    let references: Vec<String> = references.collect::<BTreeSet<_>>().into_iter().collect();
    let scores = match references.is_empty() {
        true => "Nothing was scored: there are no references.".to_owned(),
        false => format!(
            "A cell passes when every output keeps its thresholds against its reference ({}). \
            PSNR and SSIM are those of the output farthest from its reference; of pictures, after the mapping to 8 bits.",
            listed(&references)
        ),
    };
    format!(
        "Every row is measured in fresh processes. Precision is that of the accelerator's arithmetic, not of the graph's \
        weights. The median is the median of the processes' medians; min–max and n are over all timed runs of all \
        processes, none dropped. Load is opening plus compiling the graph in a fresh process, the median over processes: \
        a first compile unless marked cached or aot. Peak is the highest resident memory read inside the process, of the \
        process that needed most; 1 MB is 1024 kB. {scores} An em dash is a figure that is not known."
    )
}

/// The conditions as sentences of plain text.
pub(super) fn conditions(report: &Report) -> Vec<String> {
    let mut sentences: Vec<String> = report.targets.iter().map(target).collect();
    sentences.push(runtimes(report));
    sentences.extend(accelerators(report));
    sentences.extend(shared_settings(report));
    sentences.push(protocol(report));
    sentences.push(thermal(report));
    sentences.push(host(report));
    sentences.extend(first_compiles(report));
    sentences.iter().map(|s| sentence(s)).collect()
}

fn target(target: &TargetInfo) -> String {
    let fact = |name: &str, value: &Option<String>| value.as_ref().map(|value| format!("{name} {value}"));
    let mut facts: Vec<String> = [
        fact("device", &target.device),
        fact("SoC", &target.soc),
        fact("OS", &target.os),
        fact("ABI", &target.abi),
    ]
    .into_iter()
    .flatten()
    .collect();
    facts.extend(target.cores.map(|n| counted(n as usize, "core")));
    facts.extend(
        target
            .memory_kb
            .map(|kb| format!("{} GB of memory", three_digits(kb as f64 / (1024.0 * 1024.0)))),
    );
    format!("target {}: {}", target.id, facts.join(", "))
}

fn distinct(report: &Report, of: impl Fn(&Row) -> Option<String>) -> Vec<String> {
    report
        .rows
        .iter()
        .filter_map(of)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

fn runtimes(report: &Report) -> String {
    let runtimes = distinct(report, |row| Some(row.runtime.clone()));
    match runtimes.is_empty() {
        true => format!("runtime {UNKNOWN}"),
        false => format!("runtime {}", listed(&runtimes)),
    }
}

fn accelerators(report: &Report) -> Option<String> {
    let mut providers: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
    for row in &report.rows {
        providers
            .entry(row.accelerator)
            .or_default()
            .extend(row.provider.as_deref());
    }
    let names: Vec<String> = providers
        .iter()
        .map(|(accelerator, providers)| match providers.is_empty() {
            true => format!("{accelerator} (provider {UNKNOWN})"),
            false => format!(
                "{accelerator} ({})",
                providers.iter().copied().collect::<Vec<_>>().join(", ")
            ),
        })
        .collect();
    (!names.is_empty()).then(|| format!("accelerators {}, one accelerator per process", listed(&names)))
}

/// What would be a column if it differed between rows.
fn shared_settings(report: &Report) -> Option<String> {
    let first = report.rows.first()?;
    let varying: Vec<&str> = varying(report).iter().map(|property| property.name).collect();
    let shared: Vec<String> = PROPERTIES
        .iter()
        .filter(|property| property.is_setting && !varying.contains(&property.name))
        .map(|property| format!("{} {}", property.name, (property.of)(first)))
        .collect();
    (!shared.is_empty()).then(|| format!("all cells: {}", shared.join(", ")))
}

fn protocol(report: &Report) -> String {
    let protocol = report.run.protocol;
    format!(
        "in each of {} per cell: a first run, {} and {}",
        counted(protocol.processes as usize, "process"),
        counted(protocol.warmups as usize, "warm-up"),
        counted(protocol.runs as usize, "timed run"),
    )
}

fn thermal(report: &Report) -> String {
    let both = |row: &Row| [row.thermal.status_start.clone(), row.thermal.status_end.clone()];
    let statuses: BTreeSet<String> = report.rows.iter().flat_map(both).flatten().collect();
    let statuses: Vec<String> = statuses.into_iter().collect();
    let status = match statuses.as_slice() {
        [] => UNKNOWN.to_owned(),
        [only] => format!("{only} throughout"),
        several => listed(several),
    };
    let headrooms = extremes(
        report
            .rows
            .iter()
            .flat_map(|r| [r.thermal.headroom_start, r.thermal.headroom_end]),
    );
    let temperatures = extremes(
        report
            .rows
            .iter()
            .flat_map(|r| [r.thermal.temperature_c_start, r.thermal.temperature_c_end]),
    );
    if statuses.is_empty() && headrooms.is_none() && temperatures.is_none() {
        return "the machine does not report its thermal state".to_owned();
    }
    let headroom = headrooms.map(|(low, high)| range(format!("{low:.2}"), format!("{high:.2}"), "–"));
    let temperature =
        temperatures.map(|(low, high)| format!(", {} °C", range(format!("{low:.0}"), format!("{high:.0}"), "–")));
    format!(
        "thermal status {status}, headroom {}{}",
        or_unknown(headroom),
        temperature.unwrap_or_default()
    )
}

/// The smallest and the largest of the known values.
fn extremes<T: Into<f64>>(values: impl Iterator<Item = Option<T>>) -> Option<(f64, f64)> {
    values
        .flatten()
        .map(Into::into)
        .fold(None, |seen, value: f64| match seen {
            None => Some((value, value)),
            Some((low, high)) => Some((low.min(value), high.max(value))),
        })
}

fn host(report: &Report) -> String {
    let measured = || report.rows.iter().filter(|row| row.latency_ms.is_some());
    let quiet = measured().filter(|row| row.host.quiet == Some(true)).count();
    let busy = measured().filter(|row| row.host.quiet == Some(false)).count();
    match (measured().count(), quiet, busy) {
        (all, quiet, _) if all > 0 && all == quiet => "the host was quiet throughout".to_owned(),
        (_, 0, 0) => format!("host quiet: {UNKNOWN}"),
        (_, quiet, 0) => format!(
            "the host was quiet for {}, and not known to be for the others",
            counted(quiet, "cell")
        ),
        (all, _, busy) => format!("the host was not quiet for {busy} of {}", counted(all, "cell")),
    }
}

fn first_compiles(report: &Report) -> Option<String> {
    let (low, high) = extremes(report.rows.iter().map(|row| row.load_ms.first_compile))?;
    Some(format!("first compiles took {}", range(span(low), span(high), " to ")))
}
