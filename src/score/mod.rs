//! How far is an output from its reference, and is that near enough?

mod accuracy;
mod bins;
mod breakdown;
mod chart;
mod elementwise;
mod full;
mod lanes;
mod moments;
mod nonfinite;
mod pairs;
mod picture;
mod psnr;
mod simd;
mod sparse;
mod ssim;
mod triptych;
mod values;
mod verdict;

pub use accuracy::{Accuracy, Breakdown, Carriers, Part, Verdict, WorstShares};
pub use chart::{ChartError, histogram};
pub use full::Full;
pub use nonfinite::NonFinite;
pub use pairs::{PairError, Pairs, TensorPair, Unmatched, pairs};
pub use triptych::{TriptychError, triptych};
pub use values::Values;

use self::{
    breakdown::{Axes, Naming},
    elementwise::{Elementwise, Pair, Survey, Wanted, survey},
    moments::Moments,
    picture::{PictureForm, PictureScore},
    psnr::psnr_db,
    sparse::{Spread, spread},
    verdict::{Metric, Metrics},
};
use crate::{
    sweep::{OutputKind, PictureLayout, Thresholds},
    tensor::{SizeError, TensorSpec},
};

/// An output beside its reference, and the terms they are compared on.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    /// Role of the output, for the score's `output`.
    pub output: &'a str,
    /// What kind of reference it is, for the score's `reference`.
    pub reference_kind: &'a str,
    /// Of both sides.
    pub shape: &'a [u32],
    pub reference: Values<'a>,
    pub actual: Values<'a>,
    pub kind: OutputKind,
    pub thresholds: Thresholds,
    pub terms: Terms,
}

/// What a comparison takes for granted unless it is told otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Terms {
    /// The peak of `psnr_db`; the reference's own max - min when none.
    pub peak: Option<f64>,
    /// Infinities are right where the reference has the same.
    pub equal_infinities: bool,
    /// Which dimension of a tensor is which, for the breakdown.
    pub layout: Option<PictureLayout>,
}

/// Why a comparison could not be made at all.
#[derive(Debug, thiserror::Error)]
pub enum ScoreError {
    #[error("{side} of \"{output}\" has {actual} bytes, but {spec} takes {expected}")]
    Length {
        side: &'static str,
        output: String,
        spec: TensorSpec,
        expected: usize,
        actual: usize,
    },
    #[error("\"{output}\" cannot be scored")]
    Size {
        output: String,
        #[source]
        source: SizeError,
    },
    #[error(
        "\"{output}\" is {spec}, which is no picture of the layout its rule names: {rule}; correct the rule in [[accuracy.output]]",
        rule = picture::SHAPE_RULE
    )]
    NotAPicture { output: String, spec: TensorSpec },
}

/// Scores one output. Non-finite values decide first; see docs/scoring.md for every definition.
///
/// Nothing is copied: both sides are read front to back in blocks that fit a cache, twice where there are many elements.
/// The result does not depend on the number of threads.
pub fn score(comparison: &Comparison<'_>) -> Result<Accuracy, ScoreError> {
    check_lengths(comparison)?;
    let form = picture_form(comparison)?;
    let pair = comparison.pair();
    let axes = comparison.axes();
    let wanted = match form {
        // The errors that count are those of its 8-bit form.
        Some(_) => Wanted::Metrics,
        None => Wanted::Spread,
    };
    let survey = survey(&pair, &axes, wanted);
    let found = &survey.found;
    let sums = match verdict::usable(found, comparison.terms.equal_infinities) {
        Ok(sums) => sums,
        Err((verdict, reason)) => return Ok(without_metrics(comparison, found, verdict, reason)),
    };
    let picture = form.map(|form| form.compare(&comparison.reference, &comparison.actual));
    let range = comparison.terms.peak.unwrap_or(sums.reference.range());
    let psnr_db = psnr_db(range, sums.mse());
    let outside = pair.tolerance.map(|_| found.outside as f64 / found.count() as f64);
    let metrics = bounded_metrics(sums, psnr_db, picture.as_ref(), outside);
    let (verdict, missed) = verdict::judge(&comparison.thresholds, &metrics, sums);
    let note = missed.or_else(|| picture.as_ref()?.note(sums.identical()));
    let accuracy = Accuracy {
        identical: sums.identical(),
        psnr_db,
        range: finite(range),
        snr_db: sums.snr_db(),
        corr: sums.correlation(),
        cosine: sums.cosine(),
        max_abs: finite(sums.max_distance),
        mean_abs: finite(sums.mean_abs()),
        rms: finite(sums.rms()),
        nrmse: finite(sums.rms() / sums.reference.range()),
        outside,
        ..without_metrics(comparison, found, verdict, note)
    };
    Ok(match picture {
        Some(picture) => with_picture(accuracy, picture),
        None => with_sparse_error(accuracy, &pair, &axes, survey),
    })
}

impl Comparison<'_> {
    fn pair(&self) -> Pair<'_> {
        Pair {
            reference: self.reference,
            actual: self.actual,
            equal_infinities: self.terms.equal_infinities,
            tolerance: self.thresholds.tolerance,
        }
    }

    /// A picture is broken down in its 8-bit form.
    fn axes(&self) -> Axes {
        let naming = match self.terms.layout {
            None => Naming::Tensor,
            Some(PictureLayout::Nchw) => Naming::ChannelsFirst,
            Some(PictureLayout::Nhwc) => Naming::ChannelsLast,
        };
        match self.kind {
            OutputKind::Tensor => Axes::of(self.shape, naming),
            OutputKind::Picture { .. } => Axes::of(&[], naming),
        }
    }
}

fn with_picture(accuracy: Accuracy, picture: PictureScore) -> Accuracy {
    Accuracy {
        psnr_u8_db: picture.psnr_db,
        ssim: picture.ssim,
        psnr_without_worst_0_5: picture.psnr_without_worst,
        breakdown: picture.breakdown,
        ..with_spread(accuracy, picture.spread)
    }
}

fn with_sparse_error(accuracy: Accuracy, pair: &Pair<'_>, axes: &Axes, survey: Survey) -> Accuracy {
    if accuracy.identical {
        return accuracy;
    }
    let spread = spread(pair, survey.bins);
    let rest = spread.and_then(|spread| spread.mean_without_worst);
    Accuracy {
        psnr_without_worst_0_5: accuracy.range.zip(rest).and_then(|(range, mean)| psnr_db(range, mean)),
        breakdown: axes.breakdown(&survey.sums),
        ..with_spread(accuracy, spread)
    }
}

fn with_spread(accuracy: Accuracy, spread: Option<Spread>) -> Accuracy {
    Accuracy {
        worst: spread.map(|spread| {
            let [worst_0_1, worst_0_5, worst_1, worst_5] = spread.worst;
            WorstShares {
                worst_0_1,
                worst_0_5,
                worst_1,
                worst_5,
            }
        }),
        carriers: spread.map(|spread| {
            let [of_50, of_90] = spread.carriers;
            Carriers { of_50, of_90 }
        }),
        ..accuracy
    }
}

/// The figures that take more time and memory; none where a side is not finite.
pub fn full(comparison: &Comparison<'_>) -> Result<Option<Full>, ScoreError> {
    check_lengths(comparison)?;
    let pair = comparison.pair();
    let survey = survey(&pair, &Axes::of(&[], Naming::Tensor), Wanted::Metrics);
    let is_whole = survey.found.is_finite() && survey.found.equal_infinities == 0;
    Ok(is_whole.then(|| full::full(&pair)))
}

/// The NaNs and infinities of an output that has no reference: it is wrong with them whatever the right answer is.
pub fn nonfinite(output: &str, spec: &TensorSpec, actual: &[u8]) -> Result<NonFinite, ScoreError> {
    check_length("the output", output, spec, actual)?;
    let values = Values::plain(spec.dtype, actual);
    let pair = Pair {
        reference: values,
        actual: values,
        equal_infinities: false,
        tolerance: None,
    };
    Ok(survey(&pair, &Axes::of(&[], Naming::Tensor), Wanted::Metrics)
        .found
        .actual_nonfinite)
}

/// The metrics that can have a bound. A picture's PSNR is that of its 8-bit form.
fn bounded_metrics(
    sums: &Moments,
    psnr_db: Option<f64>,
    picture: Option<&PictureScore>,
    outside: Option<f64>,
) -> Metrics {
    let identical = sums.identical();
    let beyond_f64 = || "its sums leave the range of f64".to_owned();
    let (psnr_db, ssim) = match picture {
        Some(picture) => (
            Metric::new(picture.equal, picture.psnr_db, beyond_f64),
            Metric::new(identical, picture.ssim, || picture.why_no_ssim()),
        ),
        None => (
            Metric::new(identical, psnr_db, beyond_f64),
            Metric::new(identical, None, || "the output is a tensor, not a picture".to_owned()),
        ),
    };
    Metrics {
        psnr_db,
        ssim,
        corr: Metric::new(false, sums.correlation(), || "the output is constant".to_owned()),
        max_abs: Metric::new(false, finite(sums.max_distance), beyond_f64),
        outside: Metric::new(false, outside, || "no tolerance is set".to_owned()),
    }
}

/// A score that says only how many values there are and what is wrong with them.
fn without_metrics(
    comparison: &Comparison<'_>,
    pass: &Elementwise,
    verdict: Verdict,
    reason: Option<String>,
) -> Accuracy {
    Accuracy {
        output: comparison.output.to_owned(),
        reference: comparison.reference_kind.to_owned(),
        count: pass.count(),
        equal_infinities: pass.equal_infinities,
        nonfinite: pass.actual_nonfinite.count,
        first_nonfinite: pass.actual_nonfinite.first,
        identical: pass.is_finite() && pass.count() > 0 && pass.moments.identical(),
        psnr_db: None,
        range: None,
        psnr_u8_db: None,
        snr_db: None,
        corr: None,
        cosine: None,
        max_abs: None,
        mean_abs: None,
        rms: None,
        nrmse: None,
        ssim: None,
        worst: None,
        carriers: None,
        psnr_without_worst_0_5: None,
        outside: None,
        breakdown: None,
        verdict,
        reason,
    }
}

fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

fn check_lengths(comparison: &Comparison<'_>) -> Result<(), ScoreError> {
    let Comparison { output, shape, .. } = *comparison;
    for (side, values) in [
        ("the reference", comparison.reference),
        ("the output", comparison.actual),
    ] {
        let spec = TensorSpec {
            dtype: values.dtype,
            shape: shape.to_vec(),
        };
        check_length(side, output, &spec, values.bytes)?;
    }
    Ok(())
}

fn check_length(side: &'static str, output: &str, spec: &TensorSpec, bytes: &[u8]) -> Result<(), ScoreError> {
    let expected = spec.bytes().map_err(|source| ScoreError::Size {
        output: output.to_owned(),
        source,
    })?;
    if bytes.len() == expected {
        return Ok(());
    }
    Err(ScoreError::Length {
        side,
        output: output.to_owned(),
        spec: spec.clone(),
        expected,
        actual: bytes.len(),
    })
}

fn picture_form(comparison: &Comparison<'_>) -> Result<Option<PictureForm>, ScoreError> {
    let OutputKind::Picture { layout, mapping } = comparison.kind else {
        return Ok(None);
    };
    let form = PictureForm::of(comparison.shape, layout, mapping).ok_or_else(|| ScoreError::NotAPicture {
        output: comparison.output.to_owned(),
        spec: TensorSpec {
            dtype: comparison.actual.dtype,
            shape: comparison.shape.to_vec(),
        },
    })?;
    Ok(Some(form))
}
