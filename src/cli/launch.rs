//! What do `sweep` and `bench` share? Runtimes found, a run executed, its report written and shown.

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use clap::Args;

use super::{
    Failure,
    failure::{INTERRUPTED, NOT_READY},
    output, progress,
    runtime::InstallProgress,
};
use crate::{
    agent::Accelerator,
    attempt::{Run, RunEnd},
    chain::chain,
    install::{self, InstallError, NamedRuntime, Runtime},
    report::{self, Ansi, Closing, Plain, Style},
    store::HashCache,
    sweep::SweepSpec,
    target::{LocalTarget, Target},
};

/// Where runs go and what they run with.
#[derive(Clone, Debug, Args)]
pub struct LaunchArgs {
    /// Runtime to measure with in place of the sweep file's: an id (litert-2.3.0) or a folder that holds libLiteRt.so
    #[arg(long, value_name = "ID|DIR")]
    pub runtime: Vec<String>,

    /// Folder that run folders are made in
    #[arg(long, value_name = "DIR", default_value = "reports")]
    pub out: PathBuf,

    /// Program that runs beside each graph, in place of litmus itself (litmus-agent, say)
    #[arg(long, value_name = "PROGRAM")]
    pub agent: Option<PathBuf>,
}

impl LaunchArgs {
    /// This machine, with the agent that was asked for.
    pub fn target(&self) -> Result<LocalTarget, Failure> {
        match &self.agent {
            Some(program) => Ok(LocalTarget::with_agent(
                std::path::absolute(program).map_err(|error| Failure::not_ready(&error))?,
                Vec::new(),
            )),
            None => LocalTarget::new().map_err(|error| Failure::not_ready(&error)),
        }
    }

    /// The runtimes named here, else those of the sweep. Nothing is installed yet.
    pub fn runtimes(&self, of_sweep: &[String]) -> Result<Vec<NamedRuntime>, InstallError> {
        let named = if self.runtime.is_empty() {
            of_sweep
        } else {
            &self.runtime
        };
        named.iter().map(|name| NamedRuntime::parse(name)).collect()
    }
}

/// The runtimes themselves; what is missing is installed, and said.
pub fn install(named: Vec<NamedRuntime>) -> Result<Vec<Runtime>, InstallError> {
    let mut progress = InstallProgress::default();
    named
        .into_iter()
        .map(|runtime| runtime.ensure(&mut |step| progress.show(step)))
        .collect()
}

/// Installs what the runtimes need besides for the accelerators of a sweep. What cannot be had is said and goes without: its
/// cells are unavailable then.
pub fn install_companions(spec: &SweepSpec, runtimes: &[Runtime]) {
    if spec.accelerators.iter().all(|entry| entry.kind != Accelerator::Npu) {
        return;
    }
    let mut progress = InstallProgress::default();
    for runtime in runtimes {
        if let Err(error) = install::ensure_companion(runtime, &mut |step| progress.show(step)) {
            eprintln!("cannot install what {} needs for npus: {}", runtime.id, chain(&error));
        }
    }
}

/// Executes a run to its end or until Ctrl-C, writes its reports and shows them.
pub fn launch(run: &Run, target: &dyn Target, hashes: &HashCache) -> Result<ExitCode, Failure> {
    let since = Instant::now();
    let interrupted = stop_on_signal();
    let end = {
        let mut observer = progress::observer();
        run.execute(target, hashes, observer.as_mut(), &interrupted)
    };
    // The cache only ever saves time; a sweep does not fail for it.
    let _ = hashes.save();
    // Whatever happened, what is in the journal is reported.
    let report = report::read_run(run.folder.path()).map_err(|error| Failure::not_ready(&error))?;
    report::write_files(&run.folder, &report).map_err(|error| Failure::not_ready(&error))?;
    let folder = shown(run.folder.path());
    let closing = Closing {
        wall: since.elapsed(),
        folder: &folder.to_string_lossy(),
    };
    let text = report::terminal(&report, style(), &closing);
    output::print(&text)?;

    let resume = || format!("go on with `litmus sweep --resume {}`", folder.display());
    match end {
        Ok(RunEnd::Complete) => Ok(ExitCode::from(report::exit_code(&report, &run.file.require))),
        Ok(RunEnd::Interrupted) => Err(Failure {
            exit_code: INTERRUPTED,
            message: format!("interrupted; {}", resume()),
        }),
        Err(error) => {
            let failure = Failure::from(error);
            Err(Failure {
                exit_code: NOT_READY,
                message: format!("{}; then {}", failure.message, resume()),
            })
        }
    }
}

/// Becomes true on the first Ctrl-C, SIGTERM or SIGHUP.
pub fn stop_on_signal() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    // A second handler can only be refused where one is set already; then that one serves.
    let _ = ctrlc::set_handler(move || seen.store(true, Ordering::Relaxed));
    flag
}

/// Colour for a terminal whose user has not set NO_COLOR.
fn style() -> &'static dyn Style {
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    if wanted && io::stdout().is_terminal() {
        &Ansi
    } else {
        &Plain
    }
}

/// A path as one would type it: relative to where one is, if that is shorter.
pub fn shown(path: &Path) -> PathBuf {
    let relative = std::env::current_dir()
        .ok()
        .and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    relative.unwrap_or_else(|| path.to_owned())
}
