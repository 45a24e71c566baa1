//! How do samples lie: their middle, their spread, their tail, their trend?

use statrs::statistics::{Data, OrderStatistics, Statistics};

/// Modified z-scores above this are outliers (Iglewicz and Hoaglin 1993).
const OUTLIER_Z: f64 = 3.5;
/// Normal distribution: its 75 % quantile, which makes a median absolute deviation one standard deviation.
const MAD_TO_SIGMA: f64 = 0.6745;
/// Normal distribution: sqrt(pi / 2), which makes a mean absolute deviation one standard deviation.
const MEAN_DEVIATION_TO_SIGMA: f64 = 1.253_314;
/// Below this many samples a quarter is no base for a trend.
const LEAST_FOR_DRIFT: usize = 8;

/// Samples in the order they were taken, summarised. Times in the unit of the samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    pub n: usize,
    /// Mean of the two middle samples where their number is even.
    pub median: f64,
    pub min: f64,
    pub max: f64,
    pub mean: f64,
    /// 90 % quantile, median-unbiased (definition 8 of Hyndman and Fan 1996).
    pub p90: f64,
    /// Median absolute deviation from the median, not scaled.
    pub mad: f64,
    /// Median of the last quarter over the median of the first. None below 8 samples, or where the first is zero.
    pub drift: Option<f64>,
    /// Samples whose modified z-score is above 3.5.
    pub outliers: usize,
}

impl Summary {
    /// None where there are no samples, or one of them is NaN or infinite.
    pub fn of(samples: &[f64]) -> Option<Summary> {
        let median = median(samples)?;
        let deviations: Vec<f64> = samples.iter().map(|x| (x - median).abs()).collect();
        let mut sortable = Data::new(samples.to_vec());
        Some(Summary {
            n: samples.len(),
            median,
            min: samples.min(),
            max: samples.max(),
            mean: samples.mean(),
            p90: sortable.quantile(0.9),
            mad: self::median(&deviations)?,
            drift: drift(samples),
            outliers: outliers(&deviations)?,
        })
    }
}

/// The middle sample, or the mean of the two middle ones. None where there are no samples, or one is not finite.
pub fn median(samples: &[f64]) -> Option<f64> {
    let is_usable = !samples.is_empty() && samples.iter().all(|x| x.is_finite());
    is_usable.then(|| Data::new(samples.to_vec()).median())
}

fn drift(samples: &[f64]) -> Option<f64> {
    if samples.len() < LEAST_FOR_DRIFT {
        return None;
    }
    let quarter = samples.len() / 4;
    let first = median(&samples[..quarter])?;
    let last = median(&samples[samples.len() - quarter..])?;
    Some(last / first).filter(|drift| drift.is_finite())
}

/// How many samples lie far out, from their absolute deviations from the median.
///
/// Where more than half of the samples are equal their median deviation is zero and says nothing of the rest; then
/// the mean deviation gives the scale.
fn outliers(deviations: &[f64]) -> Option<usize> {
    let mad = median(deviations)?;
    let sigma = if mad > 0.0 {
        mad / MAD_TO_SIGMA
    } else {
        deviations.mean() * MEAN_DEVIATION_TO_SIGMA
    };
    Some(deviations.iter().filter(|&&d| d > OUTLIER_Z * sigma).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_samples_and_samples_that_are_no_numbers_have_no_summary() {
        assert_eq!(Summary::of(&[]), None);
        assert_eq!(Summary::of(&[1.0, f64::NAN]), None);
        assert_eq!(Summary::of(&[f64::INFINITY, 1.0]), None);
    }

    #[test]
    fn one_sample_is_its_own_summary() {
        let summary = Summary::of(&[7.0]).unwrap();
        assert_eq!((summary.median, summary.p90, summary.mad), (7.0, 7.0, 0.0));
        assert_eq!((summary.drift, summary.outliers), (None, 0));
    }

    #[test]
    fn drift_needs_eight_samples_and_sees_a_run_that_slows_down() {
        let steady: Vec<f64> = vec![10.0; 7];
        assert_eq!(Summary::of(&steady).unwrap().drift, None);
        let slowing: Vec<f64> = (0..8).map(|i| if i < 6 { 10.0 } else { 15.0 }).collect();
        assert_eq!(Summary::of(&slowing).unwrap().drift, Some(1.5));
        assert_eq!(Summary::of(&[0.0; 8]).unwrap().drift, None);
    }

    #[test]
    fn a_hiccup_is_an_outlier_even_where_all_other_samples_are_equal() {
        let mut samples = vec![10.0; 20];
        assert_eq!(Summary::of(&samples).unwrap().outliers, 0);
        samples[7] = 11.0;
        let summary = Summary::of(&samples).unwrap();
        assert_eq!((summary.mad, summary.outliers), (0.0, 1));
    }

    #[test]
    fn a_sample_is_an_outlier_above_a_modified_z_of_3_5_and_not_at_it() {
        // Median 0 and median deviation 1: z = 0.6745 d, so 3.5 is passed between 5.18 and 5.19.
        let with = |far: f64| Summary::of(&[-2.0, -1.0, -1.0, 0.0, 1.0, 1.0, far]).unwrap();
        assert_eq!((with(5.18).median, with(5.18).mad), (0.0, 1.0));
        assert_eq!(with(5.18).outliers, 0);
        assert_eq!(with(5.19).outliers, 1);
    }
}
