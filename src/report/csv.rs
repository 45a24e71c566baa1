//! How is a report written for a spreadsheet?

use std::io;

use super::{
    RenderError, Report, Row,
    accuracy::{psnr, verdict},
    variant::options,
};
use crate::score::Accuracy;

/// A column: its name and how a row fills it. An empty field is an unknown one.
struct Column {
    name: &'static str,
    field: fn(&Row) -> String,
}

macro_rules! columns {
    ($($name:literal => $field:expr),+ $(,)?) => { &[$(Column { name: $name, field: $field }),+] };
}

/// The columns in their order, explained in docs/report.md. New ones are added at the end.
const COLUMNS: &[Column] = columns! {
    "key" => |r| r.key.to_string(),
    "graph" => |r| r.graph.clone(),
    "file" => |r| r.file.to_string_lossy().into_owned(),
    "sha256" => |r| known(&r.sha256),
    "bytes" => |r| known(&r.bytes),
    "signature" => |r| known(&r.signature),
    "case" => |r| r.case.clone(),
    "target" => |r| r.target.clone(),
    "accelerator" => |r| r.accelerator.to_string(),
    "provider" => |r| known(&r.provider),
    "precision" => |r| r.precision.to_string(),
    "compile" => |r| r.compile.to_string(),
    "runtime" => |r| r.runtime.clone(),
    "threads" => |r| known(&r.threads),
    "options" => |r| list(options(&r.options)),
    "status" => |r| r.status.to_string(),
    "expectation" => |r| r.expectation.name().to_owned(),
    "expectation_reason" => |r| known(&r.expectation_reason),
    "stage" => |r| known(&r.stage),
    "code" => |r| known(&r.code),
    "message" => |r| known(&r.message),
    "exit_code" => |r| known(&r.exit.and_then(|e| e.code)),
    "exit_signal" => |r| known(&r.exit.and_then(|e| e.signal)),
    "attempts" => |r| r.attempts.to_string(),
    "fully_accelerated" => |r| known(&r.placement.as_ref().and_then(|p| p.fully_accelerated)),
    "ops_accelerated" => |r| known(&r.placement.as_ref().and_then(|p| p.ops_accelerated)),
    "ops_total" => |r| known(&r.placement.as_ref().and_then(|p| p.ops_total)),
    "buffer" => |r| known(&r.placement.as_ref().and_then(|p| p.buffer.as_ref())),
    "load_first_compile_ms" => |r| known(&r.load_ms.first_compile),
    "load_cached_ms" => |r| known(&r.load_ms.cached),
    "load_aot_ms" => |r| known(&r.load_ms.aot),
    "samples" => |r| known(&r.latency_ms.map(|l| l.n)),
    "median_ms" => |r| known(&r.latency_ms.map(|l| l.median)),
    "min_ms" => |r| known(&r.latency_ms.map(|l| l.min)),
    "max_ms" => |r| known(&r.latency_ms.map(|l| l.max)),
    "mean_ms" => |r| known(&r.latency_ms.map(|l| l.mean)),
    "p90_ms" => |r| known(&r.latency_ms.map(|l| l.p90)),
    "mad_ms" => |r| known(&r.latency_ms.map(|l| l.mad)),
    "ci95_low_ms" => |r| known(&r.latency_ms.and_then(|l| l.ci95).map(|[low, _]| low)),
    "ci95_high_ms" => |r| known(&r.latency_ms.and_then(|l| l.ci95).map(|[_, high]| high)),
    "drift" => |r| known(&r.latency_ms.and_then(|l| l.drift)),
    "outliers" => |r| known(&r.latency_ms.map(|l| l.outliers)),
    "process_medians_ms" => |r| list(r.processes.iter().map(|p| p.median_ms.to_string())),
    "memory_baseline_kb" => |r| known(&r.memory_kb.baseline),
    "memory_loaded_kb" => |r| known(&r.memory_kb.loaded),
    "memory_compiled_kb" => |r| known(&r.memory_kb.compiled),
    "memory_peak_kb" => |r| known(&r.memory_kb.peak),
    "memory_peak_anon_kb" => |r| known(&r.memory_kb.peak_anon),
    "memory_peak_file_kb" => |r| known(&r.memory_kb.peak_file),
    "thermal_status_start" => |r| known(&r.thermal.status_start),
    "thermal_status_end" => |r| known(&r.thermal.status_end),
    "headroom_start" => |r| known(&r.thermal.headroom_start),
    "headroom_end" => |r| known(&r.thermal.headroom_end),
    "temperature_start_c" => |r| known(&r.thermal.temperature_c_start),
    "temperature_end_c" => |r| known(&r.thermal.temperature_c_end),
    "thermal_source" => |r| known(&r.thermal.source),
    "host_load" => |r| known(&r.host.load),
    "host_governor" => |r| known(&r.host.governor),
    "host_quiet" => |r| known(&r.host.quiet),
    "outputs" => |r| scores(r, |a| a.output.clone()),
    "references" => |r| scores(r, |a| a.reference.clone()),
    "verdicts" => |r| scores(r, |a| verdict(a.verdict).to_owned()),
    "psnr_db" => |r| scores(r, |a| match (a.psnr_u8_db.or(a.psnr_db), a.identical) {
        (Some(db), _) => db.to_string(),
        (None, _) => psnr(a),
    }),
    "snr_db" => |r| scores(r, |a| known(&a.snr_db)),
    "corr" => |r| scores(r, |a| known(&a.corr)),
    "max_abs" => |r| scores(r, |a| known(&a.max_abs)),
    "mean_abs" => |r| scores(r, |a| known(&a.mean_abs)),
    "ssim" => |r| scores(r, |a| known(&a.ssim)),
    "nonfinite" => |r| scores(r, |a| a.nonfinite.to_string()),
    "worst_0_5" => |r| scores(r, |a| known(&a.worst.map(|worst| worst.worst_0_5))),
    "psnr_without_worst_0_5" => |r| scores(r, |a| known(&a.psnr_without_worst_0_5)),
};

/// The report's rows as comma-separated values (RFC 4180, lines end with a line feed), after one line of column names.
pub fn csv(report: &Report) -> Result<String, RenderError> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS.iter().map(|column| column.name))?;
    for row in &report.rows {
        for column in COLUMNS {
            writer.write_field((column.field)(row))?;
        }
        writer.write_record(None::<&[u8]>)?;
    }
    let bytes = writer.into_inner().map_err(|e| ::csv::Error::from(e.into_error()))?;
    Ok(String::from_utf8(bytes).map_err(|e| ::csv::Error::from(io::Error::other(e)))?)
}

fn known<T: ToString>(value: &Option<T>) -> String {
    value.as_ref().map(T::to_string).unwrap_or_default()
}

/// Joined by `;`. What would be mistaken for structure inside an item is percent-encoded.
fn list(items: impl IntoIterator<Item = String>) -> String {
    let items: Vec<String> = items
        .into_iter()
        .map(|item| match item.contains(['%', ';']) {
            true => item.replace('%', "%25").replace(';', "%3B"),
            false => item,
        })
        .collect();
    items.join(";")
}

fn scores(row: &Row, of: fn(&Accuracy) -> String) -> String {
    list(row.accuracy.iter().map(of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_is_explained_in_the_docs() {
        let docs = include_str!("../../docs/report.md");
        for column in COLUMNS {
            assert!(
                docs.contains(&format!("`{}`", column.name)),
                "{} is not explained",
                column.name
            );
        }
    }

    #[test]
    fn list_items_cannot_be_mistaken_for_two() {
        assert_eq!(list(["a;b".to_owned(), "50%".to_owned()]), "a%3Bb;50%25");
    }
}
