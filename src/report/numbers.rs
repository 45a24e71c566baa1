//! How are figures written for people?
//!
//! Three significant digits, never 0 for something that is not, and an em dash for what is not known.

/// What stands for an unknown figure.
pub(super) const UNKNOWN: &str = "—";

/// A positive figure with three significant digits; whole from 100 on. Figures beyond reading are in powers of ten.
pub(super) fn three_digits(value: f64) -> String {
    if !value.is_finite() {
        return UNKNOWN.to_owned();
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{value:.2e}");
    // Read after rounding, so that 9.999 takes the digits of 10.0.
    let exponent: i32 = scientific.rsplit('e').next().and_then(|e| e.parse().ok()).unwrap_or(0);
    match exponent {
        -6..=1 => format!("{value:.*}", usize::try_from(2 - exponent).unwrap_or(0)),
        2..=8 => format!("{value:.0}"),
        _ => scientific,
    }
}

/// A figure that may be unknown.
pub(super) fn or_unknown(value: Option<String>) -> String {
    value.unwrap_or_else(|| UNKNOWN.to_owned())
}

/// Milliseconds, without the unit.
pub(super) fn ms(value: Option<f64>) -> String {
    or_unknown(value.map(three_digits))
}

/// Megabytes of 1024 kB, without the unit.
pub(super) fn mb(kb: Option<u64>) -> String {
    or_unknown(kb.map(|kb| three_digits(kb as f64 / 1024.0)))
}

/// Decibels, without the unit.
pub(super) fn db(value: f64) -> String {
    if value.is_finite() {
        format!("{value:.1}")
    } else {
        UNKNOWN.to_owned()
    }
}

/// An SSIM; 1 is kept for what is exactly 1.
pub(super) fn ssim(value: f64) -> String {
    match format!("{value:.4}") {
        rounded if rounded == "1.0000" && value < 1.0 => "0.9999".to_owned(),
        rounded => rounded,
    }
}

/// A span of time with its unit: milliseconds below a second, else seconds.
pub(super) fn span(ms: f64) -> String {
    if ms < 999.5 {
        format!("{} ms", three_digits(ms))
    } else {
        format!("{} s", three_digits(ms / 1000.0))
    }
}

/// `min` and `max` with one unit if the texts agree, else both.
pub(super) fn range(min: String, max: String, between: &str) -> String {
    if min == max {
        min
    } else {
        format!("{min}{between}{max}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn figures_have_three_significant_digits() {
        for (value, text) in [
            (339.803, "340"),
            (8425.6, "8426"),
            (1.485, "1.49"),
            (12.641, "12.6"),
            (0.247, "0.247"),
            (0.0012345, "0.00123"),
            (9.996, "10.0"),
            (99.96, "100"),
            (999.6, "1000"),
            (0.0, "0"),
            (1e-9, "1.00e-9"),
            (1e300, "1.00e300"),
            (f64::NAN, "—"),
        ] {
            assert_eq!(three_digits(value), text);
        }
    }

    #[test]
    fn spans_choose_their_unit_after_rounding() {
        assert_eq!(span(664.4), "664 ms");
        assert_eq!(span(106_581.1), "107 s");
        assert_eq!(span(999.4), "999 ms");
        assert_eq!(span(999.6), "1.00 s");
    }

    #[test]
    fn only_a_perfect_ssim_is_one() {
        assert_eq!(ssim(1.0), "1.0000");
        assert_eq!(ssim(0.999_99), "0.9999");
        assert_eq!(ssim(-0.5), "-0.5000");
    }

    proptest! {
        #[test]
        fn what_is_not_zero_never_reads_as_zero_and_is_off_by_half_a_percent_at_most(value in 1e-300f64..1e300) {
            let read: f64 = three_digits(value).parse().unwrap();
            prop_assert!(read > 0.0);
            prop_assert!((read - value).abs() <= 0.0051 * value, "{} reads as {}", value, read);
        }
    }
}
