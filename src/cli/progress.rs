//! What does a person see while a run goes on? A bar on a terminal, plain lines elsewhere.

use std::{
    io::{self, IsTerminal, Write},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::attempt::{AttemptRecord, AttemptStatus, Observer, Progress};

/// The observer that fits standard error.
pub fn observer() -> Box<dyn Observer> {
    if io::stderr().is_terminal() {
        Box::new(Bar::new())
    } else {
        Box::new(Lines::default())
    }
}

/// An observer that only counts, for runs whose rows nobody asked for.
pub fn counter(what: &'static str) -> Box<dyn Observer> {
    if io::stderr().is_terminal() {
        Box::new(Bar::new())
    } else {
        Box::new(Counter {
            what,
            repeats: 0,
            done: 0,
        })
    }
}

/// One line per ten attempts.
struct Counter {
    what: &'static str,
    repeats: usize,
    done: usize,
}

impl Observer for Counter {
    fn progress(&mut self, progress: &Progress<'_>) {
        match progress {
            Progress::Started { repeats, .. } => self.repeats = *repeats,
            Progress::Attempted { settled: true, .. } => {
                self.done += 1;
                if self.done.is_multiple_of(10) || self.done == self.repeats {
                    say(&format!("{}: {} of {}", self.what, self.done, self.repeats));
                }
            }
            _ => {}
        }
    }
}

/// One bar: cells done, the current one, time left. What went wrong stays above it.
struct Bar(ProgressBar);

impl Bar {
    fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {elapsed_precise} (left {eta}) {wide_msg}");
        if let Ok(style) = style {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_secs(1));
        Bar(bar)
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

impl Observer for Bar {
    fn progress(&mut self, progress: &Progress<'_>) {
        match progress {
            Progress::Started { repeats, done } => {
                self.0.set_length(*repeats as u64);
                self.0.set_position(*done as u64);
                self.0.reset_eta();
            }
            Progress::Attempting { cell, try_number, .. } => self.0.set_message(match try_number {
                1 => cell.planned.key.to_string(),
                _ => format!("{} (try {try_number})", cell.planned.key),
            }),
            Progress::Cooling { headroom, limit } => {
                self.0
                    .set_message(format!("cooling down: headroom {headroom:.2}, waiting for {limit:.2}"));
            }
            Progress::Attempted { record, settled } => {
                if is_worth_a_line(record) {
                    self.0.println(line(record));
                }
                if *settled {
                    self.0.inc(1);
                }
            }
        }
    }
}

/// One line per attempt, for logs.
#[derive(Default)]
struct Lines {
    repeats: usize,
    done: usize,
    cooling: bool,
}

impl Observer for Lines {
    fn progress(&mut self, progress: &Progress<'_>) {
        match progress {
            Progress::Started { repeats, done } => {
                (self.repeats, self.done) = (*repeats, *done);
                if *done > 0 {
                    say(&format!("{done} of {repeats} were done before"));
                }
            }
            Progress::Attempting { .. } => {}
            Progress::Cooling { headroom, limit } => {
                // Once per wait: a log needs no line a second.
                if !self.cooling {
                    say(&format!("cooling down: headroom {headroom:.2}, waiting for {limit:.2}"));
                }
                self.cooling = true;
            }
            Progress::Attempted { record, settled } => {
                self.cooling = false;
                self.done += usize::from(*settled);
                say(&format!("[{}/{}] {}", self.done, self.repeats, line(record)));
            }
        }
    }
}

fn say(text: &str) {
    // Progress that nobody can read any more must not end the measurement.
    let _ = writeln!(io::stderr(), "{text}");
}

fn is_worth_a_line(record: &AttemptRecord) -> bool {
    !matches!(record.outcome.status, AttemptStatus::Pass | AttemptStatus::Unscored) || record.outcome.message.is_some()
}

fn line(record: &AttemptRecord) -> String {
    let status = serde_json::to_value(record.outcome.status).ok();
    let status = status.as_ref().and_then(|value| value.as_str()).unwrap_or("?");
    match &record.outcome.message {
        // An agent's words must not forge lines or colours.
        Some(message) => format!("{status:10} {}: {}", record.key, message.replace(char::is_control, " ")),
        None => format!("{status:10} {}", record.key),
    }
}
