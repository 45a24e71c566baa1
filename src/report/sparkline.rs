//! What do many samples look like on one line?

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The samples in order, at most `columns` characters wide, from the smallest (lowest bar) to the largest.
/// Where several samples share a column the largest shows, so that a spike is never averaged away.
pub(super) fn sparkline(samples: &[f64], columns: usize) -> String {
    let finite = || samples.iter().copied().filter(|s| s.is_finite());
    let (Some(low), Some(high)) = (finite().min_by(f64::total_cmp), finite().max_by(f64::total_cmp)) else {
        return String::new();
    };
    let per_column = samples.len().div_ceil(columns.max(1));
    samples
        .chunks(per_column)
        .map(|chunk| bar(chunk.iter().copied().fold(low, f64::max), low, high))
        .collect()
}

fn bar(value: f64, low: f64, high: f64) -> char {
    // Equal samples are a flat line; a spread too wide for f64 gives NaN, which the cast turns into the lowest bar.
    let share = if high > low { (value - low) / (high - low) } else { 0.0 };
    let top = BARS.len() - 1;
    BARS[((share * BARS.len() as f64) as usize).min(top)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_run_from_the_smallest_to_the_largest() {
        assert_eq!(sparkline(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], 8), "▁▂▃▄▅▆▇█");
        assert_eq!(sparkline(&[3.0, 3.0], 8), "▁▁");
        assert_eq!(sparkline(&[], 8), "");
    }

    #[test]
    fn a_spike_survives_when_samples_share_a_column() {
        let mut samples = vec![1.0; 100];
        samples[41] = 9.0;
        let line = sparkline(&samples, 10);
        assert_eq!(line.chars().count(), 10);
        assert_eq!(line.chars().filter(|&c| c == '█').count(), 1);
    }
}
