//! From what was seen of an agent to what is known about the attempt.

use super::{
    AttemptStatus, Exit, Measured, Outcome, OutputFile,
    observe::{Ended, Observed, stage_after},
    signal_name,
};
use crate::{
    agent::{Event, Job, ThermalPoint},
    score::{Accuracy, Verdict},
};

/// The figures in a list of events, as far as it goes.
pub fn measured(events: &[Event]) -> Measured {
    let mut m = Measured::default();
    for event in events {
        match event.clone() {
            Event::Hello { memory, .. } => m.memory_baseline = Some(memory),
            Event::Loaded {
                load_ms,
                signature,
                memory,
                ..
            } => {
                m.load_ms = Some(load_ms);
                m.signature = Some(signature);
                m.memory_loaded = Some(memory);
            }
            Event::Compiled {
                compile_ms,
                placement,
                memory,
            } => {
                m.compile_ms = Some(compile_ms);
                m.placement = Some(placement);
                m.memory_compiled = Some(memory);
            }
            Event::FirstRun { first_run_ms, memory } => {
                m.first_run_ms = Some(first_run_ms);
                m.memory_first_run = Some(memory);
            }
            Event::Samples { samples_ns } => m.samples_ns = samples_ns,
            Event::Thermal {
                at: ThermalPoint::Start,
                reading,
            } => m.thermal_start = Some(reading),
            Event::Thermal {
                at: ThermalPoint::End,
                reading,
            } => m.thermal_end = Some(reading),
            Event::Output {
                index,
                name,
                spec,
                file,
                sha256,
            } => {
                m.outputs.push(OutputFile {
                    index,
                    name,
                    spec,
                    sha256,
                    file: Some(file),
                });
            }
            Event::Done { memory } => m.memory_done = Some(memory),
            Event::Progress { .. } | Event::Error { .. } => {}
        }
    }
    m
}

/// How the process side of an attempt ended. `Unscored` means complete: it ran, and nothing was compared yet.
pub fn outcome(job: &Job, seen: &Observed) -> Outcome {
    let stage = stage_after(seen.events.last());
    let exit = Some(seen.exit);
    let fault = |status, code, message: String| Outcome {
        status,
        stage: Some(stage),
        code,
        message: Some(with_garbage(message, seen)),
        exit,
    };

    if let Some(Event::Error {
        stage, code, message, ..
    }) = seen.events.last()
    {
        return Outcome {
            stage: Some(*stage),
            ..fault(AttemptStatus::Failed, *code, message.clone())
        };
    }
    if is_complete(job, &seen.events) {
        let message = teardown_note(seen).or_else(|| seen.garbage.as_ref().map(|_| String::new()));
        return Outcome {
            status: AttemptStatus::Unscored,
            stage: None,
            code: None,
            message: message.map(|note| with_garbage(note, seen)),
            exit,
        };
    }
    match seen.ended {
        Ended::NoProgress(patience) => fault(
            AttemptStatus::Timeout,
            None,
            format!(
                "no progress at {stage} for {} s; the process group was killed",
                patience.as_secs()
            ),
        ),
        Ended::AttemptTimeout(limit) => fault(
            AttemptStatus::Timeout,
            None,
            format!(
                "not done at {stage} after {} s in all; the process group was killed",
                limit.as_secs()
            ),
        ),
        Ended::Interrupted => fault(AttemptStatus::NoResult, None, "interrupted".to_owned()),
        Ended::Itself => match seen.exit {
            Exit {
                signal: Some(signal), ..
            } => fault(
                AttemptStatus::Crashed,
                None,
                format!("died at {stage} by {}", signal_words(signal)),
            ),
            Exit { code: Some(code), .. } => fault(
                AttemptStatus::NoResult,
                None,
                format!("ended at {stage} with exit code {code} and no complete results"),
            ),
            Exit {
                code: None,
                signal: None,
            } => fault(
                AttemptStatus::NoResult,
                None,
                format!("ended at {stage}, nobody knows how"),
            ),
        },
    }
}

/// Everything the job asked for was reported.
fn is_complete(job: &Job, events: &[Event]) -> bool {
    let has = |wanted: fn(&Event) -> bool| events.iter().any(wanted);
    let samples = events.iter().find_map(|event| match event {
        Event::Samples { samples_ns } => Some(samples_ns.len()),
        _ => None,
    });
    has(|event| matches!(event, Event::Loaded { .. }))
        && has(|event| matches!(event, Event::Compiled { .. }))
        && has(|event| matches!(event, Event::FirstRun { .. }))
        && matches!(events.last(), Some(Event::Done { .. }))
        && samples == Some(job.timing.runs as usize)
}

fn teardown_note(seen: &Observed) -> Option<String> {
    match (seen.ended, seen.exit) {
        (Ended::NoProgress(patience), _) => Some(format!(
            "results complete; hung at teardown and was killed after {} s",
            patience.as_secs()
        )),
        (
            _,
            Exit {
                signal: Some(signal), ..
            },
        ) => Some(format!(
            "results complete; died at teardown by {}",
            signal_words(signal)
        )),
        (
            _,
            Exit {
                code: Some(code @ 1..), ..
            },
        ) => Some(format!("results complete; ended with exit code {code} at teardown")),
        _ => None,
    }
}

fn with_garbage(message: String, seen: &Observed) -> String {
    let Some(garbage) = &seen.garbage else { return message };
    let note = format!("the agent printed a line that is no event: {garbage:?}");
    if message.is_empty() {
        note
    } else {
        format!("{message}; {note}")
    }
}

/// Takes the scores of a complete attempt into its outcome. A refused reference is a failure of the check itself.
pub fn with_scores(mut outcome: Outcome, accuracy: &[Accuracy]) -> Outcome {
    let Some(worst) = accuracy.iter().max_by_key(|score| severity(score.verdict)) else {
        return outcome;
    };
    outcome.status = match worst.verdict {
        Verdict::Pass => AttemptStatus::Pass,
        Verdict::Inaccurate => AttemptStatus::Inaccurate,
        Verdict::Nonfinite => AttemptStatus::Nonfinite,
        Verdict::Refused => AttemptStatus::Failed,
    };
    if worst.verdict != Verdict::Pass {
        outcome.stage = Some(crate::agent::Stage::Score);
        let reasons: Vec<String> = accuracy
            .iter()
            .filter_map(|score| {
                score
                    .reason
                    .as_ref()
                    .map(|reason| format!("output \"{}\": {reason}", score.output))
            })
            .chain(outcome.message.take())
            .collect();
        outcome.message = Some(reasons.join("; "));
    }
    outcome
}

fn severity(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Pass => 0,
        Verdict::Inaccurate => 1,
        Verdict::Nonfinite => 2,
        Verdict::Refused => 3,
    }
}

/// `signal 11 (SIGSEGV)`
fn signal_words(signal: i32) -> String {
    match signal_name(signal) {
        Some(name) => format!("signal {signal} ({name})"),
        None => format!("signal {signal}"),
    }
}
