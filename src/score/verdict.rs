//! Is an output near enough to its reference?

use super::{Verdict, elementwise::Elementwise, moments::Moments};
use crate::sweep::{Thresholds, Tolerance};

/// A metric as its bound sees it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Metric {
    Value(f64),
    /// No error at all: better than any bound.
    Perfect,
    /// Why there is no value. Such a metric keeps no bound.
    Undefined(String),
}

/// The metrics that can have a bound.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Metrics {
    /// For a picture, of its 8-bit form.
    pub psnr_db: Metric,
    pub ssim: Metric,
    pub corr: Metric,
    pub max_abs: Metric,
    /// Share of the elements outside the tolerance.
    pub outside: Metric,
}

impl Metric {
    /// Perfect where there is no error to measure; else the value, or why there is none.
    pub fn new(perfect: bool, value: Option<f64>, why_undefined: impl FnOnce() -> String) -> Metric {
        match (perfect, value) {
            (true, _) => Metric::Perfect,
            (false, Some(value)) => Metric::Value(value),
            (false, None) => Metric::Undefined(why_undefined()),
        }
    }
}

/// The sums of a comparison that means something; else the verdict without them and its reason. `infinities` says that
/// the reference may hold them, where the output must hold the same.
pub(super) fn usable(pass: &Elementwise, infinities: bool) -> Result<&Moments, (Verdict, Option<String>)> {
    let sums = &pass.moments;
    let count = pass.count();
    if let Some(first) = pass.actual_nonfinite.first {
        let bad = pass.actual_nonfinite.count;
        let reason = format!("{bad} of {count} values are NaN or infinite, the first at index {first}");
        return Err((Verdict::Nonfinite, Some(reason)));
    }
    let refused = |reason| Err((Verdict::Refused, Some(reason)));
    if let Some(first) = pass.reference_nonfinite.first {
        let bad = pass.reference_nonfinite.count;
        if infinities && pass.reference_nonfinite.nans == 0 {
            let reason = format!(
                "{bad} of {count} values are finite where the reference is infinite, the first at index {first}"
            );
            return Err((Verdict::Inaccurate, Some(reason)));
        }
        return refused(format!(
            "{bad} of {count} values of the reference are NaN or infinite, the first at index {first}"
        ));
    }
    if count == 0 {
        return refused("the reference has no elements".to_owned());
    }
    if sums.count == 0 {
        return refused(format!("all {count} values of the reference are infinite"));
    }
    if sums.reference.is_constant() {
        return refused(format!(
            "the reference is constant: all {} finite values are {}",
            sums.count,
            short(sums.reference.min)
        ));
    }
    Ok(sums)
}

/// Compares every bound that is set with its metric. The reason names each bound that is missed.
pub(super) fn judge(thresholds: &Thresholds, metrics: &Metrics, sums: &Moments) -> (Verdict, Option<String>) {
    let at_least = |bound: Option<f64>| bound.map(Bound::AtLeast);
    let missed: Vec<String> = [
        missed("psnr", " dB", at_least(thresholds.psnr_db), &metrics.psnr_db),
        missed("ssim", "", at_least(thresholds.ssim), &metrics.ssim),
        missed("corr", "", at_least(thresholds.corr), &metrics.corr),
        missed("max abs", "", thresholds.max_abs.map(Bound::AtMost), &metrics.max_abs),
        missed(
            "share outside the tolerance",
            "",
            thresholds.tolerance.map(|tolerance| Bound::AtMost(tolerance.share)),
            &metrics.outside,
        ),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !missed.is_empty() {
        return (Verdict::Inaccurate, Some(missed.join("; ")));
    }
    match vacuous_bound(thresholds, sums) {
        Some(reason) => (Verdict::Refused, Some(reason)),
        None => (Verdict::Pass, None),
    }
}

/// A bound, kept at equality.
#[derive(Clone, Copy)]
enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

/// Which bound a metric misses, in words; none where it keeps it or there is none.
fn missed(name: &str, unit: &str, bound: Option<Bound>, metric: &Metric) -> Option<String> {
    let bound = bound?;
    let (side, number) = match bound {
        Bound::AtLeast(number) => ("below", number),
        Bound::AtMost(number) => ("above", number),
    };
    let value = match metric {
        Metric::Perfect => return None,
        Metric::Value(value) => *value,
        Metric::Undefined(why) => {
            let number = short(number);
            return Some(format!(
                "{name} is undefined and cannot keep its bound of {number}{unit}: {why}"
            ));
        }
    };
    // Comparisons that hold for a kept bound, so that NaN keeps none.
    let is_kept = match bound {
        Bound::AtLeast(least) => value >= least,
        Bound::AtMost(most) => value <= most,
    };
    (!is_kept).then(|| {
        format!(
            "{name} {}{unit} is {side} {}{unit}",
            distinct(value, number),
            short(number)
        )
    })
}

/// Absolute bounds alone say nothing where zeros in place of the output would keep them too.
fn vacuous_bound(thresholds: &Thresholds, sums: &Moments) -> Option<String> {
    let Thresholds {
        psnr_db: None,
        ssim: None,
        corr: None,
        max_abs,
        tolerance,
    } = *thresholds
    else {
        return None;
    };
    let largest = sums.reference.largest();
    // Zeros are off by |r|, which a relative bound of 1 or more allows anywhere.
    let allowed = |tolerance: Tolerance| match tolerance.rel < 1.0 {
        true => tolerance.abs / (1.0 - tolerance.rel),
        false => f64::INFINITY,
    };
    let bounds = [
        max_abs.map(|bound| ("max abs bound", bound, bound)),
        tolerance.map(|tolerance| ("tolerance", tolerance.abs, allowed(tolerance))),
    ];
    let mut set = bounds.into_iter().flatten().peekable();
    let (name, bound, _) = *set.peek()?;
    let zeros_pass = set.all(|(_, _, allowed)| largest <= allowed);
    (zeros_pass && !sums.identical()).then(|| {
        format!(
            "vacuous: no value of the reference exceeds {}, so zeros would keep the {name} of {}",
            short(largest),
            short(bound)
        )
    })
}

/// The number in three significant digits, or as many more as tell it from `other`.
fn distinct(value: f64, other: f64) -> String {
    (2..17)
        .filter_map(|decimals| format!("{value:.decimals$e}").parse::<f64>().ok())
        .find(|rounded| *rounded != other)
        .map_or_else(|| short(value), short)
}

/// The shortest text that reads back as this number.
fn short(value: f64) -> String {
    match value.abs() {
        0.0 | 1e-4..1e15 => value.to_string(),
        _ => format!("{value:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums() -> Moments {
        Moments::of_block(&[0.0, 1.0], &[0.5, 1.0], &[0.5, 0.0])
    }

    fn metrics() -> Metrics {
        Metrics {
            psnr_db: Metric::Value(31.2),
            ssim: Metric::Value(0.98),
            corr: Metric::Value(0.9994),
            max_abs: Metric::Value(0.23),
            outside: Metric::Value(0.01),
        }
    }

    const NONE: Thresholds = Thresholds {
        psnr_db: None,
        ssim: None,
        corr: None,
        max_abs: None,
        tolerance: None,
    };

    fn reason(thresholds: Thresholds, metrics: Metrics) -> String {
        let (verdict, reason) = judge(&thresholds, &metrics, &sums());
        assert_eq!(verdict, Verdict::Inaccurate);
        reason.unwrap()
    }

    #[test]
    fn the_reason_names_each_missed_bound_with_both_numbers() {
        let psnr = Thresholds {
            psnr_db: Some(40.0),
            ..NONE
        };
        assert_eq!(reason(psnr, metrics()), "psnr 31.2 dB is below 40 dB");
        let all = Thresholds {
            psnr_db: Some(40.0),
            ssim: Some(0.995),
            corr: Some(0.9995),
            max_abs: Some(1e-5),
            tolerance: None,
        };
        assert_eq!(
            reason(all, metrics()),
            "psnr 31.2 dB is below 40 dB; ssim 0.98 is below 0.995; corr 0.999 is below 0.9995; max abs 0.23 is above 1e-5"
        );
    }

    #[test]
    fn a_near_miss_is_printed_with_the_digits_that_tell_it_from_its_bound() {
        let near = Metrics {
            psnr_db: Metric::Value(39.99964),
            ..metrics()
        };
        let bound = Thresholds {
            psnr_db: Some(40.0),
            ..NONE
        };
        assert_eq!(reason(bound, near), "psnr 39.9996 dB is below 40 dB");
    }

    #[test]
    fn a_bound_is_kept_at_equality_and_an_absent_one_is_not_checked() {
        let exact = Thresholds {
            psnr_db: Some(31.2),
            ssim: Some(0.98),
            corr: Some(0.9994),
            max_abs: Some(0.23),
            tolerance: Some(Tolerance {
                abs: 1e-3,
                rel: 0.0,
                share: 0.01,
            }),
        };
        assert_eq!(judge(&exact, &metrics(), &sums()), (Verdict::Pass, None));
        assert_eq!(judge(&NONE, &metrics(), &sums()), (Verdict::Pass, None));
    }

    #[test]
    fn an_undefined_metric_and_a_bound_that_is_no_number_never_pass() {
        let undefined = Metrics {
            corr: Metric::Undefined("the output is constant".to_owned()),
            ..metrics()
        };
        let corr = Thresholds {
            corr: Some(0.5),
            ..NONE
        };
        assert_eq!(
            reason(corr, undefined),
            "corr is undefined and cannot keep its bound of 0.5: the output is constant"
        );
        let nan = Thresholds {
            max_abs: Some(f64::NAN),
            ..NONE
        };
        assert_eq!(reason(nan, metrics()), "max abs 0.23 is above NaN");
    }

    #[test]
    fn an_absolute_bound_that_zeros_would_keep_judges_nothing() {
        let vacuous = Thresholds {
            max_abs: Some(1.0),
            ..NONE
        };
        let (verdict, reason) = judge(&vacuous, &metrics(), &sums());
        assert_eq!(verdict, Verdict::Refused);
        assert!(
            reason
                .unwrap()
                .starts_with("vacuous: no value of the reference exceeds 1,")
        );
        let with_another = Thresholds {
            corr: Some(0.5),
            ..vacuous
        };
        assert_eq!(judge(&with_another, &metrics(), &sums()).0, Verdict::Pass);
    }

    #[test]
    fn a_tolerance_that_zeros_would_keep_judges_nothing_and_a_tight_one_judges() {
        let with = |abs, rel| {
            let tolerance = Some(Tolerance { abs, rel, share: 0.5 });
            judge(&Thresholds { tolerance, ..NONE }, &metrics(), &sums())
        };
        assert_eq!(with(1.0, 0.0).0, Verdict::Refused);
        assert_eq!(with(0.5, 0.5).0, Verdict::Refused);
        assert_eq!(with(0.0, 1.0).0, Verdict::Refused);
        assert_eq!(with(0.4, 0.5).0, Verdict::Pass);
        let too_many = Thresholds {
            tolerance: Some(Tolerance::default()),
            ..NONE
        };
        assert_eq!(
            reason(too_many, metrics()),
            "share outside the tolerance 0.01 is above 0"
        );
    }
}
