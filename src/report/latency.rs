//! What do the samples of a cell's processes say? The one place where the report asks for statistics.

use super::LatencyMs;

/// Median of one process's samples.
pub(super) fn median(samples_ms: &[f64]) -> Option<f64> {
    let mut sorted = samples_ms.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    Some(match sorted.len() % 2 {
        1 => upper,
        _ => sorted[sorted.len() / 2 - 1].midpoint(upper),
    })
}

/// Summary over all processes: the minimum that needs no resampling.
pub(super) fn latency(processes: &[Vec<f64>]) -> Option<LatencyMs> {
    let all: Vec<f64> = processes.concat();
    let medians: Vec<f64> = processes.iter().filter_map(|p| median(p)).collect();
    let centre = median(&all)?;
    let deviations: Vec<f64> = all.iter().map(|s| (s - centre).abs()).collect();
    let mut sorted = all.clone();
    sorted.sort_by(f64::total_cmp);
    Some(LatencyMs {
        n: u32::try_from(all.len()).unwrap_or(u32::MAX),
        median: median(&medians)?,
        min: *sorted.first()?,
        max: *sorted.last()?,
        mean: all.iter().sum::<f64>() / all.len() as f64,
        p90: *sorted.get((sorted.len() * 9).div_ceil(10).saturating_sub(1))?,
        mad: median(&deviations)?,
        ci95: None,
        drift: None,
        outliers: 0,
    })
}
