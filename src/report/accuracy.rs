//! How near are a row's outputs to their references, in one word each?

use super::{
    Row,
    numbers::{UNKNOWN, db, or_unknown, ssim},
};
use crate::score::{Accuracy, Breakdown, Verdict};

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
pub fn psnr(score: &Accuracy) -> String {
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

/// Share of the squared error in the worst 0.5 % of the output that is farthest from its reference, in percent.
pub(super) fn worst_share(row: &Row) -> String {
    let farthest = row
        .accuracy
        .iter()
        .min_by(|a, b| Nearness::of(a).rank().total_cmp(&Nearness::of(b).rank()));
    let share = farthest.and_then(|score| score.worst).map(|worst| worst.worst_0_5);
    or_unknown(share.map(|share| format!("{} %", percent(share))))
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

/// Where the error sits: `0.5 % of the pixels carry 76 % of the squared error; without them 34.1 dB`. None where nothing
/// is known about it.
pub fn sparse_error(score: &Accuracy) -> Option<String> {
    let worst = score.worst?;
    let elements = match score.psnr_u8_db {
        Some(_) => "pixels",
        None => "elements",
    };
    let without = match score.psnr_without_worst_0_5 {
        Some(value) => format!("without them {} dB", db(value)),
        None => "the others are identical".to_owned(),
    };
    let carriers = score.carriers.map(|carriers| {
        format!(
            "; half of it sits in {} %, 90 % in {} % of them",
            percent(carriers.of_50),
            percent(carriers.of_90)
        )
    });
    Some(format!(
        "0.5 % of the {elements} carry {} % of the squared error; {without}{}",
        percent(worst.worst_0_5),
        carriers.unwrap_or_default()
    ))
}

/// The worst parts of each axis: `channel 1 of 3 carries 99 %, then 0 (0.6 %)`. One line for each.
pub fn worst_parts(score: &Accuracy) -> Vec<String> {
    score.breakdown.iter().flatten().filter_map(axis).collect()
}

fn axis(breakdown: &Breakdown) -> Option<String> {
    let (first, rest) = breakdown.worst.split_first()?;
    let place = |index: u64| match breakdown.by.as_str() {
        // Tiles are counted row by row.
        "tile" => format!("({}, {})", index / 8, index % 8),
        _ => index.to_string(),
    };
    let parts = match breakdown.by.as_str() {
        "tile" => "8x8 (row, column)".to_owned(),
        _ => breakdown.parts.to_string(),
    };
    let others: Vec<String> = rest
        .iter()
        .map(|part| format!("{} ({} %)", place(part.index), percent(part.share)))
        .collect();
    let then = match others.is_empty() {
        true => String::new(),
        false => format!(", then {}", others.join(", ")),
    };
    Some(format!(
        "{} {} of {parts} carries {} %{then}",
        breakdown.by,
        place(first.index),
        percent(first.share)
    ))
}

/// A share in percent, with two digits; 0 and 100 are kept for what is exactly that.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        99.5..100.0 => "99+".to_owned(),
        9.95.. => format!("{percent:.0}"),
        _ if percent == 0.0 => "0".to_owned(),
        0.095..9.95 => format!("{percent:.1}"),
        _ => format!("{percent:.0e}"),
    }
}

/// The name of a verdict, as in report.json.
pub fn verdict(verdict: Verdict) -> &'static str {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_read_as_percent_and_only_the_whole_is_a_hundred() {
        let cases = [
            (0.0, "0"),
            (1.0, "100"),
            (0.9999, "99+"),
            (0.7621, "76"),
            (0.0994, "9.9"),
            (0.0996, "10"),
            (0.0013, "0.1"),
            (0.00001, "1e-3"),
        ];
        for (share, text) in cases {
            assert_eq!(percent(share), text, "{share}");
        }
    }
}
