//! How is one attempt made, from files and a job to a scored record?

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    time::{Instant, SystemTime},
};

use super::{
    AttemptRecord, AttemptStatus, ExecuteError, Executor, Measured, Outcome, attempt_folder,
    cause::explained,
    equipment::with_shader_cache,
    evidence::{evidence, op_counts},
    executor::Numbers,
    gate,
    host::read_host_state,
    keep::{Allowance, draw_failing},
    observe::{Deadlines, Ended, Observed, observe},
    outcome::{measured, outcome, with_scores},
    prepare::check_files,
    run_folder::timestamp,
    scoring::{score_outputs, unreferenced_nonfinite},
};
use crate::{
    agent::{Event, InputBinding, JOB_SCHEMA, Job, Stage, Task, Timing},
    chain::chain,
    install::{Readiness, Runtime, Surroundings},
    score::Accuracy,
    sweep::{Cell, KeepOutputs},
};

/// An agent ends itself so much later than its host would end it: only when the host is gone or stuck.
const AGENT_GRACE_S: u64 = 30;

impl Executor<'_> {
    /// One attempt, scored; none when it was interrupted.
    pub(super) fn attempt(
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
        let runtime = self.runtime(cell)?.clone();
        let library = runtime.library();
        if !library.is_file() {
            // Not the graph's fault: nothing is booked to it, and the run can go on when the runtime is back.
            return Err(ExecuteError::RuntimeGone { path: library });
        }
        let planned = &cell.planned;
        let needs = match self.equipment.of(planned.accelerator, &planned.options, &runtime) {
            Readiness::Ready { needs, .. } => needs.clone(),
            Readiness::Missing { what, next } => {
                record.outcome = Outcome {
                    status: AttemptStatus::Unavailable,
                    ..failed(Stage::Prepare, format!("missing: {what}; {next}"))
                };
                return Ok(Some(record));
            }
        };
        if let Err(error) = check_files(cell, self.hashes) {
            record.outcome = failed(Stage::Prepare, chain(&error));
            return Ok(Some(record));
        }
        record.thermal_gate = gate::wait(self.target, &self.spec.thermal, self.interrupted, self.observer);
        let folder = self.folder.attempt(numbers.attempt);
        attempt_folder::make(&folder)?;
        let needs = with_shader_cache(needs, planned.accelerator, &planned.options, &folder);
        let job = self.job(cell, &needs, &folder)?;
        let mut seen = self.run_agent(&job, &needs, &folder)?;
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
        if worth_splitting(&record) {
            self.split(job, &needs, &folder, &mut seen, &mut record)?;
        }
        self.keep(cell, &folder, &seen, &mut record, allowance);
        record.outcome.cut_message();
        Ok(Some(record))
    }

    fn run_agent(&self, job: &Job, needs: &Surroundings, folder: &Path) -> Result<Observed, ExecuteError> {
        let started = Instant::now();
        let deadlines = Deadlines::from(&self.spec.protocol);
        self.target
            .start(job, needs, folder)
            .and_then(|running| observe(running, started, &deadlines, self.interrupted))
            .map_err(|source| ExecuteError::Start {
                target: self.target.info().id.clone(),
                source,
            })
    }

    /// From what was seen to what is recorded; the outputs are scored here.
    fn conclude(&self, cell: &Cell, job: &Job, seen: &Observed, folder: &Path, record: &mut AttemptRecord) {
        record.wall_ms = Some(seen.wall.as_secs_f64() * 1e3);
        record.measured = measured(&seen.events);
        let accelerator = cell.planned.accelerator;
        let evidence = evidence(accelerator, record.measured.placement.as_ref(), &seen.stderr);
        record.provider = evidence.provider;
        record.measured.ops = evidence.ops;
        let mut ran = explained(outcome(job, seen), accelerator, &seen.stderr);
        if let Some(what) = evidence.contradiction.filter(|_| ran.status == AttemptStatus::Unscored) {
            let message = format!("the graph did not run on the {accelerator} alone: {what}");
            ran = Outcome {
                exit: ran.exit,
                ..failed(Stage::Compile, message)
            };
        }
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

    /// Lets a second agent compile a graph that was refused beside the CPU, which says how many ops the accelerator would
    /// take. What it fails with is not asked: the first one has failed already. Its log follows that of the first.
    fn split(
        &self,
        job: Job,
        needs: &Surroundings,
        folder: &Path,
        seen: &mut Observed,
        record: &mut AttemptRecord,
    ) -> Result<(), ExecuteError> {
        let job = Job {
            task: Task::Split,
            ..job
        };
        let beside = self.run_agent(&job, needs, folder)?;
        let counted = |stderr: &[u8]| op_counts(&String::from_utf8_lossy(stderr));
        // A process that died has told nothing; what the first one counted before it refused the graph is as good.
        record.measured.split = counted(&beside.stderr).or_else(|| counted(&seen.stderr));
        if let Some(split) = record.measured.split {
            record.outcome.add_note(&format!(
                "beside the CPU it would take {} of {} ops",
                split.accelerated, split.total
            ));
        }
        seen.stderr.extend(b"\n[compiled beside the CPU]\n");
        seen.stderr.extend(beside.stderr);
        Ok(())
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

    fn job(&self, cell: &Cell, needs: &Surroundings, folder: &Path) -> Result<Job, ExecuteError> {
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
            environment: needs.folders.clone(),
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
            task: Task::Measure,
            deadline_ms: Some((u64::from(protocol.attempt_timeout_s) + AGENT_GRACE_S) * 1000),
        })
    }
}

/// True when the accelerator was there and refused the graph as such: the runtime's status for what it cannot compile.
fn worth_splitting(record: &AttemptRecord) -> bool {
    const COMPILATION: i32 = 504;
    let outcome = &record.outcome;
    outcome.stage == Some(Stage::Compile) && outcome.code == Some(COMPILATION) && record.provider.is_some()
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
