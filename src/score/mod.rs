//! How far is an output from its reference, and is that near enough?

mod accuracy;
mod element;
mod elementwise;
mod moments;
mod nonfinite;
mod picture;
mod psnr;
mod ssim;
mod verdict;

pub use accuracy::{Accuracy, Verdict};
pub use nonfinite::NonFinite;

use self::{
    elementwise::Elementwise,
    moments::Moments,
    picture::{PictureForm, PictureScore},
    psnr::psnr_db,
    verdict::{Metric, Metrics},
};
use crate::{
    sweep::{OutputKind, Thresholds},
    tensor::{SizeError, TensorSpec},
};

/// An output beside its reference. Both are raw little-endian row-major bytes of `spec`.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    /// Role of the output, for the score's `output`.
    pub output: &'a str,
    /// What kind of reference it is, for the score's `reference`.
    pub reference_kind: &'a str,
    pub spec: &'a TensorSpec,
    pub reference: &'a [u8],
    pub actual: &'a [u8],
    pub kind: OutputKind,
    pub thresholds: Thresholds,
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
/// Nothing is copied: both sides are read once (a picture twice), front to back, in blocks that fit a cache.
pub fn score(comparison: &Comparison<'_>) -> Result<Accuracy, ScoreError> {
    check_lengths(comparison)?;
    let form = picture_form(comparison)?;
    let pass = elementwise::compare(comparison.spec.dtype, comparison.reference, comparison.actual);
    let sums = match verdict::usable(&pass) {
        Ok(sums) => sums,
        Err((verdict, reason)) => return Ok(without_metrics(comparison, &pass, verdict, reason)),
    };
    let picture = form.map(|form| form.compare(comparison.reference, comparison.actual));
    let range = sums.reference.range();
    let psnr_db = psnr_db(range, sums.mse());
    let metrics = bounded_metrics(sums, psnr_db, picture.as_ref());
    let (verdict, missed) = verdict::judge(&comparison.thresholds, &metrics, sums);
    Ok(Accuracy {
        identical: sums.identical(),
        psnr_db,
        range: finite(range),
        psnr_u8_db: picture.and_then(|picture| picture.psnr_db),
        snr_db: sums.snr_db(),
        corr: sums.correlation(),
        max_abs: finite(sums.max_distance),
        mean_abs: finite(sums.mean_abs()),
        ssim: picture.and_then(|picture| picture.ssim),
        ..without_metrics(
            comparison,
            &pass,
            verdict,
            missed.or_else(|| picture?.note(sums.identical())),
        )
    })
}

/// The NaNs and infinities of an output that has no reference: it is wrong with them whatever the right answer is.
pub fn nonfinite(output: &str, spec: &TensorSpec, actual: &[u8]) -> Result<NonFinite, ScoreError> {
    check_length("the output", output, spec, actual)?;
    Ok(elementwise::compare(spec.dtype, actual, actual).actual_nonfinite)
}

/// The metrics that can have a bound. A picture's PSNR is that of its 8-bit form.
fn bounded_metrics(sums: &Moments, psnr_db: Option<f64>, picture: Option<&PictureScore>) -> Metrics {
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
        count: pass.moments.count,
        nonfinite: pass.actual_nonfinite.count,
        first_nonfinite: pass.actual_nonfinite.first,
        identical: pass.is_finite() && pass.moments.count > 0 && pass.moments.identical(),
        psnr_db: None,
        range: None,
        psnr_u8_db: None,
        snr_db: None,
        corr: None,
        max_abs: None,
        mean_abs: None,
        ssim: None,
        verdict,
        reason,
    }
}

fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

fn check_lengths(comparison: &Comparison<'_>) -> Result<(), ScoreError> {
    let Comparison {
        output,
        spec,
        reference,
        actual,
        ..
    } = *comparison;
    check_length("the reference", output, spec, reference)?;
    check_length("the output", output, spec, actual)
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
    let form = PictureForm::of(comparison.spec, layout, mapping).ok_or_else(|| ScoreError::NotAPicture {
        output: comparison.output.to_owned(),
        spec: comparison.spec.clone(),
    })?;
    Ok(Some(form))
}
