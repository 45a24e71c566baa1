//! What was measured, and how near were the outputs?

use super::page::{Page, known};
use crate::report::{
    LatencyMs, Row,
    accuracy::{psnr, sparse_error, verdict, worst_parts},
    numbers::{UNKNOWN, mb, ms, or_unknown, ssim, three_digits},
    sparkline::sparkline,
    text::{counted, elide, one_line},
};

const SPARKLINE_COLUMNS: usize = 60;

pub(super) fn figures(page: &mut Page, row: &Row) {
    match &row.latency_ms {
        Some(latency) => latency_lines(page, latency),
        None => page.fact("latency", UNKNOWN),
    }
    for process in &row.processes {
        page.fact(
            "",
            format!(
                "attempt {}: median {} ms  {}",
                process.attempt,
                three_digits(process.median_ms),
                sparkline(&process.samples_ms, SPARKLINE_COLUMNS)
            ),
        );
    }
    let load = row.load_ms;
    page.fact(
        "load ms",
        format!(
            "first compile {}, cached {}, aot {}",
            ms(load.first_compile),
            ms(load.cached),
            ms(load.aot)
        ),
    );
    let memory = row.memory_kb;
    page.fact(
        "memory MB",
        format!(
            "baseline {}, loaded {}, compiled {}, peak {} (anonymous {}, file {})",
            mb(memory.baseline),
            mb(memory.loaded),
            mb(memory.compiled),
            mb(memory.peak),
            mb(memory.peak_anon),
            mb(memory.peak_file)
        ),
    );
    let thermal = &row.thermal;
    let two_digits = |value: Option<f32>| or_unknown(value.map(|v| format!("{v:.2}")));
    let degrees = |value: Option<f32>| or_unknown(value.map(|v| format!("{v:.1}")));
    page.fact(
        "thermal",
        format!(
            "status {} to {}, headroom {} to {}, {} to {} °C, read from {}",
            known(thermal.status_start.as_ref()),
            known(thermal.status_end.as_ref()),
            two_digits(thermal.headroom_start),
            two_digits(thermal.headroom_end),
            degrees(thermal.temperature_c_start),
            degrees(thermal.temperature_c_end),
            known(thermal.source.as_ref())
        ),
    );
    let host = &row.host;
    let quiet = host.quiet.map(|quiet| if quiet { "quiet" } else { "not quiet" });
    let load = host.load.map(|load| format!("{load:.2}"));
    page.fact(
        "host",
        format!(
            "{}, load {}, governor {}",
            known(quiet),
            or_unknown(load),
            known(host.governor.as_ref())
        ),
    );
}

fn latency_lines(page: &mut Page, latency: &LatencyMs) {
    page.fact(
        "latency ms",
        format!(
            "median {}, min {}, max {}, mean {}, p90 {}, MAD {}, n {}",
            three_digits(latency.median),
            three_digits(latency.min),
            three_digits(latency.max),
            three_digits(latency.mean),
            three_digits(latency.p90),
            three_digits(latency.mad),
            latency.n
        ),
    );
    let interval = latency
        .ci95
        .map(|[low, high]| format!("{} to {}", three_digits(low), three_digits(high)));
    let drift = latency.drift.map(|drift| format!("{drift:.3}"));
    page.fact(
        "",
        format!(
            "95 % interval of the median {}, drift {}, {}",
            or_unknown(interval),
            or_unknown(drift),
            counted(latency.outliers as usize, "outlier")
        ),
    );
}

pub(super) fn scores(page: &mut Page, row: &Row) {
    if row.accuracy.is_empty() {
        page.fact("accuracy", UNKNOWN);
        return;
    }
    page.line("");
    let figure = |value: Option<f64>| or_unknown(value.map(|v| format!("{v:.3e}")));
    let mut table: Vec<Vec<String>> = vec![
        [
            "output",
            "verdict",
            "PSNR dB",
            "SNR dB",
            "SSIM",
            "corr",
            "max abs",
            "mean abs",
            "nonfinite",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    for score in &row.accuracy {
        table.push(vec![
            elide(&one_line(&score.output), 24),
            verdict(score.verdict).to_owned(),
            psnr(score),
            or_unknown(score.snr_db.map(|v| format!("{v:.1}"))),
            or_unknown(score.ssim.map(ssim)),
            or_unknown(score.corr.map(|v| format!("{v:.6}"))),
            figure(score.max_abs),
            figure(score.mean_abs),
            format!("{} of {}", score.nonfinite, score.count),
        ]);
    }
    page.table(&table);
    for score in &row.accuracy {
        let reason = score.reason.as_ref().map(|r| format!(": {r}")).unwrap_or_default();
        let first = score
            .first_nonfinite
            .map(|i| format!(", first non-finite element {i}"))
            .unwrap_or_default();
        page.line(&format!(
            "  {} against {}{first}{reason}",
            score.output, score.reference
        ));
        for line in sparse_error(score).into_iter().chain(worst_parts(score)) {
            page.line(&format!("    {line}"));
        }
    }
}
