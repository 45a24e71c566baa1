//! How long does one run take?

use std::time::Instant;

use super::error::AgentError;

/// Calls `run` so many times and returns each duration in nanoseconds of the monotonic clock, in order.
///
/// Only `run` stands between the two clock readings. `between` is called after each run, with the number of runs done.
pub(super) fn timed(
    runs: u32,
    mut run: impl FnMut() -> Result<(), AgentError>,
    mut between: impl FnMut(u32) -> Result<(), AgentError>,
) -> Result<Vec<u64>, AgentError> {
    let mut samples_ns = vec![0; runs as usize];
    for (sample, done) in samples_ns.iter_mut().zip(1..) {
        let start = Instant::now();
        run()?;
        let elapsed = start.elapsed();
        // 584 years fit.
        *sample = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
        between(done)?;
    }
    Ok(samples_ns)
}

/// Milliseconds since `start`.
pub(super) fn ms_since(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use std::{thread::sleep, time::Duration};

    use super::*;

    #[test]
    fn what_happens_between_runs_is_not_timed() {
        let samples = timed(
            3,
            || {
                sleep(Duration::from_millis(2));
                Ok(())
            },
            |_| {
                sleep(Duration::from_millis(300));
                Ok(())
            },
        );
        for sample in samples.unwrap() {
            assert!((2_000_000..250_000_000).contains(&sample), "{sample}");
        }
    }

    #[test]
    fn runs_are_counted_and_the_first_failure_ends_them() {
        let mut seen = Vec::new();
        let mut left = 2;
        let result = timed(
            5,
            || match left {
                0 => Err(AgentError::JobTooLong { limit: 0 }),
                _ => {
                    left -= 1;
                    Ok(())
                }
            },
            |done| {
                seen.push(done);
                Ok(())
            },
        );
        assert!(result.is_err());
        assert_eq!(seen, [1, 2]);
        assert!(timed(0, || Ok(()), |_| Ok(())).unwrap().is_empty());
    }
}
