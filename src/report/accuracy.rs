//! How near are a row's outputs to their references, in one word each?

use super::{
    Row,
    numbers::{UNKNOWN, db, or_unknown, ssim},
};
use crate::score::{Accuracy, Verdict};

/// PSNR of one output as tables show it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Nearness {
    Identical,
    Db(f64),
    /// Not a number of decibels: non-finite values, or a reference that cannot judge.
    Undefined,
}

impl Nearness {
    /// Of the 8-bit picture where there is one, else with the reference's range.
    fn of(score: &Accuracy) -> Self {
        match score.psnr_u8_db.or(score.psnr_db) {
            Some(db) => Nearness::Db(db),
            None if score.identical => Nearness::Identical,
            None => Nearness::Undefined,
        }
    }

    /// Sorts the farthest first.
    fn rank(self) -> f64 {
        match self {
            Nearness::Undefined => f64::NEG_INFINITY,
            Nearness::Db(db) => db,
            Nearness::Identical => f64::INFINITY,
        }
    }

    fn text(self) -> String {
        match self {
            Nearness::Identical => "identical".to_owned(),
            Nearness::Db(value) => db(value),
            Nearness::Undefined => "undefined".to_owned(),
        }
    }
}

/// PSNR of one output: decibels, `identical` or `undefined`.
pub(super) fn psnr(score: &Accuracy) -> String {
    Nearness::of(score).text()
}

/// PSNR of the output that is farthest from its reference.
pub(super) fn worst_psnr(row: &Row) -> String {
    row.accuracy
        .iter()
        .map(Nearness::of)
        .min_by(|a, b| a.rank().total_cmp(&b.rank()))
        .map_or_else(|| UNKNOWN.to_owned(), Nearness::text)
}

/// SSIM of the picture that is farthest from its reference.
pub(super) fn worst_ssim(row: &Row) -> String {
    let worst = row
        .accuracy
        .iter()
        .filter_map(|score| score.ssim)
        .min_by(f64::total_cmp);
    or_unknown(worst.map(ssim))
}

/// The name of a verdict, as in report.json.
pub(super) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "pass",
        Verdict::Inaccurate => "inaccurate",
        Verdict::Nonfinite => "nonfinite",
        Verdict::Refused => "refused",
    }
}

/// What the scores say against the row, output by output; none when nothing.
pub(super) fn complaint(row: &Row) -> Option<String> {
    let complaints: Vec<String> = row
        .accuracy
        .iter()
        .filter(|score| score.verdict != Verdict::Pass)
        .map(|score| match (&score.reason, score.nonfinite) {
            (Some(reason), _) => format!("{}: {reason}", score.output),
            (None, 0) => format!("{}: {}", score.output, verdict(score.verdict)),
            (None, n) => format!("{}: {n} of {} elements are NaN or infinite", score.output, score.count),
        })
        .collect();
    (!complaints.is_empty()).then(|| complaints.join("; "))
}
