//! How are cells run, one after the other, whatever they do?

use std::{
    collections::BTreeMap,
    io,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{
    AttemptRecord,
    equipment::Equipment,
    journal::{Entry, Journal, JournalError, JournalState},
    keep::Allowance,
    resume::{Done, next_try},
    run_folder::{RunFolder, RunFolderError},
};
use crate::{
    install::Runtime,
    store::HashCache,
    sweep::{Cell, SweepSpec},
    target::Target,
};

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
    /// What the target offers to each kind of cell.
    pub equipment: Equipment<'a>,
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

    fn tell(&mut self, progress: &Progress<'_>) {
        self.observer.progress(progress);
    }
}

/// The numbers that name an attempt.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    pub(super) attempt: u32,
    pub(super) repeat: u32,
    pub(super) try_number: u32,
}
