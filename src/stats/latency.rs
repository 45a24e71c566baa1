//! What is the latency of a cell, from the samples of its processes?

use super::{Summary, median, median_interval95};
use crate::report::LatencyMs;

/// From this many processes on the interval is over their medians: processes replicate, samples of one do not.
const LEAST_PROCESSES: usize = 3;

/// Latency from the samples in ms of each process, in the order they were taken.
///
/// The median is the median of the process medians; all else is over all samples, in order. The interval is over
/// the process medians from three processes on, else over all samples. Processes without samples are left out. None
/// where no process has any, or a sample is NaN or infinite.
pub fn latency(processes: &[Vec<f64>]) -> Option<LatencyMs> {
    let medians: Vec<f64> = processes
        .iter()
        .filter(|samples| !samples.is_empty())
        .map(|samples| median(samples))
        .collect::<Option<_>>()?;
    let samples = processes.concat();
    let all = Summary::of(&samples)?;
    let replicated = if medians.len() >= LEAST_PROCESSES {
        &medians
    } else {
        &samples
    };
    Some(LatencyMs {
        n: u32::try_from(all.n).ok()?,
        median: median(&medians)?,
        min: all.min,
        max: all.max,
        mean: all.mean,
        p90: all.p90,
        mad: all.mad,
        ci95: median_interval95(replicated),
        drift: all.drift,
        outliers: u32::try_from(all.outliers).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_samples_have_no_latency() {
        assert_eq!(latency(&[]), None);
        assert_eq!(latency(&[vec![], vec![]]), None);
        assert_eq!(latency(&[vec![1.0], vec![f64::NAN]]), None);
    }

    #[test]
    fn the_median_is_that_of_the_processes_so_that_a_long_one_does_not_outweigh_the_others() {
        let latency = latency(&[vec![10.0], vec![12.0], vec![20.0; 50], vec![]]).unwrap();
        assert_eq!(latency.median, 12.0);
        assert_eq!((latency.n, latency.min, latency.max), (52, 10.0, 20.0));
    }

    #[test]
    fn the_interval_is_over_processes_from_three_on_and_over_samples_before() {
        let steady = |level: f64| vec![level; 50];
        let two = latency(&[steady(10.0), steady(10.0)]).unwrap();
        assert_eq!(two.ci95, Some([10.0, 10.0]));
        let three = latency(&[steady(10.0), steady(11.0), steady(12.0)]).unwrap();
        assert_eq!(three.ci95, Some([10.0, 12.0]));
    }
}
