//! How are cells run, one after the other, whatever they do?

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::{Instant, SystemTime},
};

use super::{
    AttemptRecord, AttemptStatus, Measured, Outcome, attempt_folder, gate,
    host::read_host_state,
    journal::{Entry, Journal, JournalError, JournalState},
    keep::{Allowance, draw_failing},
    observe::{Deadlines, Ended, Observed, observe},
    outcome::{measured, outcome, with_scores},
    prepare::check_files,
    provider::provider,
    resume::{Done, next_try},
    run_folder::{RunFolder, RunFolderError, timestamp},
    scoring::{score_outputs, unreferenced_nonfinite},
};
use crate::{
    agent::{EnvironmentPaths, Event, InputBinding, JOB_SCHEMA, Job, Stage, Timing},
    chain::chain,
    install::Runtime,
    score::Accuracy,
    store::HashCache,
    sweep::{Cell, KeepOutputs, SweepSpec},
    target::Target,
};

/// An agent ends itself so much later than its host would end it: only when the host is gone or stuck.
const AGENT_GRACE_S: u64 = 30;

/// Why a run stops before its cells are done. Attempts that ended are in the journal; resume goes on from there.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    RunFolder(#[from] RunFolderError),
    #[error("cannot {action} {path}; check space and permissions")]
    Folder {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("cannot start an agent on {target}; check that the litmus executable is still there")]
    Start { target: String, source: io::Error },
    #[error("the journal has used up its attempt numbers; start a new run")]
    NoNumbersLeft,
    /// Not the graph's fault: nothing is booked to it.
    #[error("the machine cannot go on: {message}")]
    Environment { message: String },
    #[error("the runtime library {path} is gone; `litmus runtime list` says which runtimes are whole")]
    RuntimeGone { path: PathBuf },
    #[error("the run has no folder for runtime \"{runtime}\"; install it with `litmus runtime install {runtime}`")]
    NoRuntime { runtime: String },
}

/// How a run ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// Every cell has all its process repeats.
    Complete,
    /// Asked to stop; the attempt in flight was dropped.
    Interrupted,
}

/// What is told while a run goes on.
#[derive(Debug)]
pub enum Progress<'a> {
    /// Process repeats in all, and how many of them the journal already held.
    Started { repeats: usize, done: usize },
    /// A process repeat of a cell is about to be tried.
    Attempting {
        cell: &'a Cell,
        repeat: u32,
        try_number: u32,
    },
    /// Too hot to start.
    Cooling { headroom: f32, limit: f32 },
    /// An attempt has ended and is in the journal. `settled` means that its repeat needs no other try.
    Attempted { record: &'a AttemptRecord, settled: bool },
}

/// Listens to a run.
pub trait Observer {
    fn progress(&mut self, progress: &Progress<'_>);
}

/// Everything a run needs besides its cells.
pub struct Executor<'a> {
    pub target: &'a dyn Target,
    /// The runtimes by id.
    pub runtimes: &'a BTreeMap<String, Runtime>,
    pub spec: &'a SweepSpec,
    pub folder: &'a RunFolder,
    pub hashes: &'a HashCache,
    pub observer: &'a mut dyn Observer,
    /// Set from outside to stop the run.
    pub interrupted: &'a AtomicBool,
}

impl Executor<'_> {
    /// Tries every process repeat of every cell that the journal does not hold yet.
    pub fn run(&mut self, cells: &[Cell], journal: &mut Journal, state: &JournalState) -> Result<RunEnd, ExecuteError> {
        let protocol = &self.spec.protocol;
        let done = Done::new(&state.attempts, protocol.retries);
        let limit = u64::from(self.spec.keep_limit_mb) << 20;
        let mut allowance = Allowance::new(&self.folder.attempts(), limit);
        let mut next_attempt = state.last_attempt.checked_add(1).ok_or(ExecuteError::NoNumbersLeft)?;
        let repeats = cells.len() * protocol.processes as usize;
        self.tell(&Progress::Started {
            repeats,
            done: done.settled(),
        });
        for cell in cells {
            for repeat in 1..=protocol.processes {
                let mut tries = done.next(&cell.planned.key, repeat);
                while let Some(try_number) = tries {
                    if self.interrupted.load(Ordering::Relaxed) {
                        return Ok(RunEnd::Interrupted);
                    }
                    self.tell(&Progress::Attempting {
                        cell,
                        repeat,
                        try_number,
                    });
                    let Some(record) = self.attempt(
                        cell,
                        Numbers {
                            attempt: next_attempt,
                            repeat,
                            try_number,
                        },
                        &mut allowance,
                    )?
                    else {
                        return Ok(RunEnd::Interrupted);
                    };
                    next_attempt = next_attempt.checked_add(1).ok_or(ExecuteError::NoNumbersLeft)?;
                    journal.append(Entry::Attempt(Box::new(record.clone())))?;
                    tries = next_try(&record, protocol.retries);
                    self.tell(&Progress::Attempted {
                        record: &record,
                        settled: tries.is_none(),
                    });
                }
            }
        }
        Ok(RunEnd::Complete)
    }

    /// One attempt, scored; none when it was interrupted.
    fn attempt(
        &mut self,
        cell: &Cell,
        numbers: Numbers,
        allowance: &mut Allowance,
    ) -> Result<Option<AttemptRecord>, ExecuteError> {
        let mut record = AttemptRecord {
            key: cell.planned.key.clone(),
            attempt: numbers.attempt,
            repeat: numbers.repeat,
            try_number: numbers.try_number,
            started: timestamp(SystemTime::now()),
            wall_ms: None,
            outcome: complete(),
            measured: Measured::default(),
            accuracy: Vec::new(),
            provider: None,
            host: read_host_state(),
            thermal_gate: None,
        };
        let runtime = self.runtime(cell)?;
        let library = runtime.library();
        if !library.is_file() {
            // Not the graph's fault: nothing is booked to it, and the run can go on when the runtime is back.
            return Err(ExecuteError::RuntimeGone { path: library });
        }
        if let Some(missing) = self.target.missing(cell.planned.accelerator, runtime) {
            record.outcome = Outcome {
                status: AttemptStatus::Unavailable,
                ..failed(Stage::Prepare, missing)
            };
            return Ok(Some(record));
        }
        if let Err(error) = check_files(cell, self.hashes) {
            record.outcome = failed(Stage::Prepare, chain(&error));
            return Ok(Some(record));
        }
        record.thermal_gate = gate::wait(self.target, &self.spec.thermal, self.interrupted, self.observer);
        let folder = self.folder.attempt(numbers.attempt);
        attempt_folder::make(&folder)?;
        let job = self.job(cell, &folder)?;
        let started = Instant::now();
        let seen = self
            .target
            .start(&job, &folder)
            .and_then(|running| {
                observe(
                    running,
                    started,
                    &Deadlines::from(&self.spec.protocol),
                    self.interrupted,
                )
            })
            .map_err(|source| ExecuteError::Start {
                target: self.target.info().id.clone(),
                source,
            })?;
        if seen.ended == Ended::Interrupted {
            attempt_folder::remove(&folder)?;
            return Ok(None);
        }
        if let Some(Event::Error {
            message,
            environment: true,
            ..
        }) = seen.events.last()
        {
            attempt_folder::remove(&folder)?;
            return Err(ExecuteError::Environment {
                message: message.clone(),
            });
        }
        self.conclude(cell, &job, &seen, &folder, &mut record);
        self.keep(cell, &folder, &seen, &mut record, allowance);
        record.outcome.cut_message();
        Ok(Some(record))
    }

    /// From what was seen to what is recorded; the outputs are scored here.
    fn conclude(&self, cell: &Cell, job: &Job, seen: &Observed, folder: &Path, record: &mut AttemptRecord) {
        record.wall_ms = Some(seen.wall.as_secs_f64() * 1e3);
        record.measured = measured(&seen.events);
        record.provider = provider(cell.planned.accelerator, &record.measured, &seen.stderr);
        let ran = outcome(job, seen);
        if ran.status != AttemptStatus::Unscored {
            // Only complete results are results.
            record.measured.samples_ns.clear();
            record.outcome = ran;
            return;
        }
        if let Err(message) = attempt_folder::check_outputs(folder, &record.measured.outputs) {
            record.measured.outputs.clear();
            record.outcome = Outcome {
                exit: ran.exit,
                ..failed(Stage::Output, message)
            };
            return;
        }
        match score(cell, &record.measured) {
            Ok((accuracy, nonfinite)) => {
                record.outcome = with_scores(ran, &accuracy);
                record.accuracy = accuracy;
                if let Some(what) = nonfinite {
                    record.outcome.status = AttemptStatus::Nonfinite;
                    record.outcome.stage = Some(Stage::Score);
                    record.outcome.message = Some(what);
                }
            }
            Err(message) => {
                record.outcome = Outcome {
                    exit: ran.exit,
                    ..failed(Stage::Score, message)
                }
            }
        }
    }

    /// Leaves in the attempt's folder what is worth keeping, and in the record where it is.
    fn keep(&self, cell: &Cell, folder: &Path, seen: &Observed, record: &mut AttemptRecord, allowance: &mut Allowance) {
        let passed = matches!(record.outcome.status, AttemptStatus::Pass | AttemptStatus::Unscored);
        let wanted = self.spec.keep == KeepOutputs::All || !passed;
        let mut pictures = BTreeSet::new();
        if !passed {
            pictures = draw_failing(cell, folder, record, allowance);
        }
        let mut dropped = Vec::new();
        let outputs = &mut record.measured.outputs;
        let failure = attempt_folder::tidy(
            self.folder.path(),
            folder,
            &seen.stderr,
            outputs,
            pictures,
            |output, bytes| {
                let fits = wanted && allowance.take(bytes);
                if wanted && !fits {
                    dropped.push(allowance.refusal(&output.name, bytes));
                }
                fits
            },
        );
        for note in failure.iter().chain(&dropped) {
            record.outcome.add_note(note);
        }
    }

    fn runtime(&self, cell: &Cell) -> Result<&Runtime, ExecuteError> {
        let id = &cell.planned.runtime;
        self.runtimes
            .get(id)
            .ok_or_else(|| ExecuteError::NoRuntime { runtime: id.clone() })
    }

    fn job(&self, cell: &Cell, folder: &Path) -> Result<Job, ExecuteError> {
        let planned = &cell.planned;
        let runtime = self.runtime(cell)?;
        let protocol = &self.spec.protocol;
        Ok(Job {
            schema: JOB_SCHEMA.to_owned(),
            cell: planned.key.to_string(),
            runtime: runtime.dir.clone(),
            model: absolute(&cell.model),
            signature: planned.signature.clone(),
            accelerator: planned.accelerator,
            precision: planned.precision,
            threads: planned.threads,
            options: planned.options.clone(),
            environment: EnvironmentPaths::default(),
            inputs: cell
                .inputs
                .iter()
                .map(|input| InputBinding {
                    file: absolute(&input.file),
                    ..input.clone()
                })
                .collect(),
            output_folder: folder.to_owned(),
            timing: Timing {
                warmups: protocol.warmups,
                runs: protocol.runs,
            },
            deadline_ms: Some((u64::from(protocol.attempt_timeout_s) + AGENT_GRACE_S) * 1000),
        })
    }

    fn tell(&mut self, progress: &Progress<'_>) {
        self.observer.progress(progress);
    }
}

/// The numbers that name an attempt.
#[derive(Clone, Copy)]
struct Numbers {
    attempt: u32,
    repeat: u32,
    try_number: u32,
}

/// Scores, and what is not finite among outputs without a reference.
fn score(cell: &Cell, measured: &Measured) -> Result<(Vec<Accuracy>, Option<String>), String> {
    let accuracy = score_outputs(cell, &measured.outputs).map_err(|error| chain(&error))?;
    let nonfinite = unreferenced_nonfinite(cell, &measured.outputs).map_err(|error| chain(&error))?;
    Ok((accuracy, nonfinite))
}

fn complete() -> Outcome {
    Outcome {
        status: AttemptStatus::Unscored,
        stage: None,
        code: None,
        message: None,
        exit: None,
    }
}

fn failed(stage: Stage, message: String) -> Outcome {
    Outcome {
        status: AttemptStatus::Failed,
        stage: Some(stage),
        code: None,
        message: Some(message),
        exit: None,
    }
}

/// Agents run in a folder of their own, so relative paths would mean something else to them.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
