//! What is the peak signal-to-noise ratio?

/// PSNR in dB: `10 log10(peak² / mse)`.
///
/// `peak` is declared by the caller and must not come from the output under test: one wild value would raise it and
/// hide the error. None where the ratio is not finite: no error at all, or values outside the range of f64.
pub(super) fn psnr_db(peak: f64, mse: f64) -> Option<f64> {
    // Two logarithms, since the square of the peak can leave the range of f64.
    Some(20.0 * peak.log10() - 10.0 * mse.log10()).filter(|db| db.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(actual: Option<f64>, expected: f64, tolerance: f64) {
        let actual = actual.unwrap();
        assert!(
            (actual - expected).abs() <= tolerance,
            "{actual} is not {expected} within {tolerance}"
        );
    }

    #[test]
    fn an_error_of_0_02_is_40_db_of_range_2_and_33_98_db_of_range_1() {
        close(psnr_db(2.0, 0.02 * 0.02), 40.0, 1e-12);
        close(psnr_db(1.0, 0.02 * 0.02), 33.9794, 1e-4);
    }

    #[test]
    fn a_peak_from_the_output_hides_one_wild_value_and_a_declared_peak_does_not() {
        let mse = 1e6f64.powi(2) / 196_608.0;
        close(psnr_db(1e6, mse), 52.9, 0.05);
        close(psnr_db(2.0, mse), -61.0, 0.1);
    }

    #[test]
    fn a_mean_squared_error_of_105_5_is_27_9_db_of_a_byte() {
        close(psnr_db(255.0, 105.5), 27.9, 0.05);
    }

    #[test]
    fn no_error_and_no_peak_have_no_psnr() {
        assert_eq!(psnr_db(1.0, 0.0), None);
        assert_eq!(psnr_db(0.0, 1.0), None);
        assert_eq!(psnr_db(1.0, f64::INFINITY), None);
        assert_eq!(psnr_db(f64::NAN, 1.0), None);
    }
}
