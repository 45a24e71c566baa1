//! Which attempt decides what happened to a cell?

use std::{cmp::Reverse, collections::BTreeMap};

use super::Status;
use crate::attempt::AttemptRecord;

/// The status of a cell, with the attempt that decided it.
pub(super) struct Decision<'a> {
    pub status: Status,
    pub attempt: &'a AttemptRecord,
    pub message: Option<String>,
}

/// The last try of every process repeat, by repeat. `attempts` are those of one cell, by number.
pub(super) fn last_tries<'a>(attempts: &[&'a AttemptRecord]) -> Vec<&'a AttemptRecord> {
    let by_repeat: BTreeMap<u32, &AttemptRecord> = attempts.iter().map(|a| (a.repeat, *a)).collect();
    by_repeat.into_values().collect()
}

/// The worst repeat decides, unless all ran well but not reliably. None without attempts.
pub(super) fn decide<'a>(attempts: &[&'a AttemptRecord], counted: &[&'a AttemptRecord]) -> Option<Decision<'a>> {
    let mut worst = worst_repeat(counted)?;
    let varying = varying_output(counted);
    if worst.status.severity() >= Status::Flaky.severity() {
        if let Some((what, _)) = varying {
            worst.message = Some(
                worst
                    .message
                    .map_or(what.clone(), |message| format!("{message}; {what}")),
            );
        }
        return Some(worst);
    }
    let varies = varying.map(|(what, attempt)| Decision {
        status: Status::Flaky,
        attempt,
        message: Some(what),
    });
    passed_after_dying(attempts, counted).or(varies).or(Some(worst))
}

fn worst_repeat<'a>(counted: &[&'a AttemptRecord]) -> Option<Decision<'a>> {
    // Of equally bad repeats the one that has more to tell speaks: a signal, then a message, then the earliest.
    let attempt = counted.iter().copied().max_by_key(|a| {
        let outcome = &a.outcome;
        (
            Status::from(outcome.status).severity(),
            outcome.exit.is_some_and(|exit| exit.signal.is_some()),
            outcome.message.is_some(),
            Reverse(a.attempt),
        )
    })?;
    let status = Status::from(attempt.outcome.status);
    Some(Decision {
        status,
        attempt,
        message: attempt
            .outcome
            .message
            .clone()
            .or_else(|| teardown_note(status, attempt)),
    })
}

/// A good measurement whose process did not end well says so, even when the attempt brought no words.
fn teardown_note(status: Status, attempt: &AttemptRecord) -> Option<String> {
    let signal = attempt.outcome.exit?.signal?;
    status
        .ran_well()
        .then(|| format!("the results are complete, but the process died at teardown by signal {signal}"))
}

fn passed_after_dying<'a>(attempts: &[&'a AttemptRecord], counted: &[&'a AttemptRecord]) -> Option<Decision<'a>> {
    let (died, passed) = counted
        .iter()
        .filter(|passed| Status::from(passed.outcome.status).ran_well())
        .find_map(|passed| {
            let died = attempts
                .iter()
                .find(|a| a.repeat == passed.repeat && a.outcome.status.is_worth_retrying())?;
            Some((*died, *passed))
        })?;
    let cause = died
        .outcome
        .message
        .as_deref()
        .map(|m| format!(": {m}"))
        .unwrap_or_default();
    Some(Decision {
        status: Status::Flaky,
        attempt: died,
        message: Some(format!(
            "repeat {} passed only on try {}; try {} ended as {}{cause}",
            passed.repeat,
            passed.try_number,
            died.try_number,
            Status::from(died.outcome.status),
        )),
    })
}

/// The first output that was not the same each time, in words, with the attempt that shows it.
fn varying_output<'a>(counted: &[&'a AttemptRecord]) -> Option<(String, &'a AttemptRecord)> {
    let mut first_seen: BTreeMap<&str, (&str, &AttemptRecord)> = BTreeMap::new();
    for attempt in counted {
        for output in &attempt.measured.outputs {
            let name = &output.name;
            if output.earlier_sha256.is_some() {
                return Some((
                    format!("output \"{name}\" varies from run to run within one process"),
                    attempt,
                ));
            }
            let (sha256, first) = *first_seen.entry(name).or_insert((&output.sha256, attempt));
            if sha256 != output.sha256 {
                let (one, other) = (first.repeat, attempt.repeat);
                return Some((
                    format!("output \"{name}\" differs between repeat {one} and repeat {other}"),
                    first,
                ));
            }
        }
    }
    None
}
