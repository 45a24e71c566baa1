//! How does a run begin, go on, and end in a report?

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::SystemTime,
};

use super::{
    DraftRun, Equipment, ExecuteError, Executor, Journal, JournalError, Observer, RUN_SCHEMA, RunEnd, RunFile,
    RunFolder, RunFolderError, RunLock, RuntimeUsed, journal, timestamp,
};
use crate::{
    graphset::{GraphSet, IndexError},
    install::{Readiness, Runtime},
    store::{HashCache, read_text, sweep_leftovers},
    sweep::{Baseline, BaselineError, Cell, Filter, PlanError, SelectError, Shard, SweepError, SweepFile, plan},
    target::Target,
};

/// Which of a sweep's cells are meant.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    pub filter: Option<String>,
    pub shard: Option<Shard>,
}

/// A sweep with its cells, before anything is written or run.
#[derive(Debug)]
pub struct Plan {
    pub sweep: SweepFile,
    pub cells: Vec<Cell>,
    index_sha256: String,
    baseline_text: Option<String>,
    selection: Selection,
}

/// A run folder that this process may write to, with its plan.
#[derive(Debug)]
pub struct Run {
    pub folder: RunFolder,
    pub file: RunFile,
    plan: Plan,
    _lock: RunLock,
}

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Sweep(#[from] SweepError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Select(#[from] SelectError),
    #[error("cannot read the baseline {path}; put the file there or take `baseline` out of the sweep file")]
    ReadBaseline { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    #[error(transparent)]
    RunFolder(#[from] RunFolderError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Execute(#[from] ExecuteError),
    #[error("cannot read the runtime library {path}; `litmus runtime list` says which runtimes are whole")]
    Runtime { path: PathBuf, source: io::Error },
    #[error("cannot go on with {run}: {what} changed since it began; start a new run")]
    Changed { run: PathBuf, what: &'static str },
}

impl Plan {
    /// Reads what a sweep names and plans its cells on one target.
    pub fn new(sweep: SweepFile, selection: Selection, target: &str, runtimes: &[String]) -> Result<Self, RunError> {
        let baseline_text = match sweep.baseline_path() {
            None => None,
            Some(path) => {
                let text = read_text(&path).map_err(|source| RunError::ReadBaseline {
                    path: path.clone(),
                    source,
                })?;
                Baseline::parse(&text, &path)?;
                Some(text)
            }
        };
        Self::with_baseline(sweep, baseline_text, selection, target, runtimes)
    }

    /// The same with a baseline that was read before.
    fn with_baseline(
        sweep: SweepFile,
        baseline_text: Option<String>,
        selection: Selection,
        target: &str,
        runtimes: &[String],
    ) -> Result<Self, RunError> {
        let set = GraphSet::load(&sweep.index_path())?;
        let mut cells = plan(&sweep.spec, &set, target, runtimes)?;
        if let Some(filter) = &selection.filter {
            cells = Filter::new(filter)?.select(cells)?;
        }
        if let Some(shard) = selection.shard {
            cells = shard.select(cells)?;
        }
        Ok(Plan {
            sweep,
            cells,
            index_sha256: set.sha256,
            baseline_text,
            selection,
        })
    }
}

impl Plan {
    /// The plan of an existing run, made again from what the run kept, its baseline too. It must be the same.
    pub fn of_run(folder: &RunFolder, file: &RunFile) -> Result<Self, RunError> {
        let sweep = SweepFile::parse(
            &folder.path().join("run.json"),
            file.sweep_text.clone(),
            file.sweep_folder.clone(),
        )?;
        let ids: Vec<String> = file.runtimes.iter().map(|runtime| runtime.id.clone()).collect();
        let selection = Selection {
            filter: file.filter.clone(),
            shard: file.shard,
        };
        let plan = Plan::with_baseline(sweep, file.baseline_text.clone(), selection, &file.target.id, &ids)?;
        let changed = |what| RunError::Changed {
            run: folder.path().to_owned(),
            what,
        };
        if plan.index_sha256 != file.index_sha256 {
            return Err(changed("the graph index"));
        }
        if !plan.cells.iter().map(|cell| &cell.planned).eq(&file.cells) {
            return Err(changed("the plan of its cells"));
        }
        Ok(plan)
    }

    /// What the accelerators that the sweep requires lack on a target, in words; none when the run is worth making.
    pub fn lacks(&self, target: &dyn Target, runtimes: &[Runtime]) -> Option<String> {
        let spec = &self.sweep.spec;
        let mut equipment = Equipment::new(target, &self.sweep.folder);
        let required = spec
            .accelerators
            .iter()
            .filter(|entry| spec.require.contains(&entry.kind));
        required
            .flat_map(|entry| runtimes.iter().map(move |runtime| (entry, runtime)))
            .find_map(
                |(entry, runtime)| match equipment.of(entry.kind, &entry.options, runtime) {
                    Readiness::Ready { .. } => None,
                    Readiness::Missing { what, next } => Some(format!(
                        "the sweep requires the {}, which is unavailable with {}: missing: {what}; {next}",
                        entry.kind, runtime.id
                    )),
                },
            )
    }
}

impl Run {
    /// Makes a run folder for a plan.
    pub fn create(
        plan: Plan,
        reports: &Path,
        runtimes: &[Runtime],
        target: &dyn Target,
        hashes: &HashCache,
    ) -> Result<Self, RunError> {
        let started = SystemTime::now();
        // Hashed while no folder is there yet: a kill in between leaves nothing.
        runtimes
            .iter()
            .try_for_each(|runtime| used(runtime, hashes).map(drop))?;
        let draft = DraftRun::create(reports, &plan.sweep.spec.name, started)?;
        Self::create_in(draft, plan, started, runtimes, target, hashes)
    }

    /// The same, in a run folder that was made before because the sweep's own files are kept in it.
    pub fn create_in(
        draft: DraftRun,
        plan: Plan,
        started: SystemTime,
        runtimes: &[Runtime],
        target: &dyn Target,
        hashes: &HashCache,
    ) -> Result<Self, RunError> {
        let lock = draft.folder().lock()?;
        let spec = &plan.sweep.spec;
        let file = RunFile {
            schema: RUN_SCHEMA.to_owned(),
            id: draft.id(),
            sweep: spec.name.clone(),
            sweep_text: plan.sweep.text.clone(),
            sweep_sha256: plan.sweep.sha256.clone(),
            sweep_folder: plan.sweep.folder.clone(),
            index_sha256: plan.index_sha256.clone(),
            baseline_text: plan.baseline_text.clone(),
            started: timestamp(started),
            harness: concat!("litmus ", env!("CARGO_PKG_VERSION")).to_owned(),
            runtimes: runtimes
                .iter()
                .map(|runtime| used(runtime, hashes))
                .collect::<Result<_, _>>()?,
            target: target.info().clone(),
            protocol: spec.protocol.clone(),
            require: spec.require.clone(),
            filter: plan.selection.filter.clone(),
            shard: plan.selection.shard,
            cells: plan.cells.iter().map(|cell| cell.planned.clone()).collect(),
        };
        let folder = draft.publish(&file)?;
        Ok(Run {
            folder,
            file,
            plan,
            _lock: lock,
        })
    }

    /// Opens a run that was interrupted. Its plan is made again from what it kept, and must be the same.
    pub fn resume(path: &Path, hashes: &HashCache) -> Result<Self, RunError> {
        let (folder, file) = RunFolder::open(path)?;
        let lock = folder.lock()?;
        sweep_leftovers(folder.path());
        let plan = Plan::of_run(&folder, &file)?;
        for kept in &file.runtimes {
            if used(&kept.runtime(), hashes)?.sha256 != kept.sha256 {
                return Err(RunError::Changed {
                    run: folder.path().to_owned(),
                    what: "a runtime",
                });
            }
        }
        Ok(Run {
            folder,
            file,
            plan,
            _lock: lock,
        })
    }

    /// Runs what is left to run.
    pub fn execute(
        &self,
        target: &dyn Target,
        hashes: &HashCache,
        observer: &mut dyn Observer,
        interrupted: &AtomicBool,
    ) -> Result<RunEnd, RunError> {
        let mut journal = Journal::open(&self.folder.journal())?;
        let state = journal::read(&self.folder.journal())?;
        let runtimes: BTreeMap<String, Runtime> = self
            .file
            .runtimes
            .iter()
            .map(|used| (used.id.clone(), used.runtime()))
            .collect();
        let mut executor = Executor {
            target,
            runtimes: &runtimes,
            spec: &self.plan.sweep.spec,
            folder: &self.folder,
            hashes,
            equipment: Equipment::new(target, &self.plan.sweep.folder),
            observer,
            interrupted,
        };
        Ok(executor.run(&self.plan.cells, &mut journal, &state)?)
    }
}

fn used(runtime: &Runtime, hashes: &HashCache) -> Result<RuntimeUsed, RunError> {
    let path = runtime.library();
    let sha256 = hashes
        .sha256(&path)
        .map_err(|source| RunError::Runtime { path, source })?;
    Ok(RuntimeUsed {
        id: runtime.id.clone(),
        folder: runtime.dir.clone(),
        sha256,
    })
}
