//! What do `sweep` and `bench` share? Runtimes found, a run executed, its report written and shown.

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use clap::Args;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::{
    Failure,
    failure::{INTERRUPTED, NOT_READY, USAGE},
    output, progress,
    runtime::InstallProgress,
};
use crate::{
    agent::Accelerator,
    attempt::{Plan, Run, RunEnd},
    chain::chain,
    install::{self, InstallError, NamedRuntime, Runtime},
    report::{self, Ansi, Closing, Plain, Report, Style},
    store::HashCache,
    target::{LocalTarget, Target},
};

/// What graphs are run with.
#[derive(Clone, Debug, Args)]
pub struct LaunchArgs {
    /// Runtime to measure with: an id (litert-2.3.0) or a folder that holds libLiteRt.so. Default: what the sweep file names
    #[arg(long, value_name = "ID|DIR")]
    pub runtime: Vec<String>,

    /// Program that runs beside each graph, in place of litmus itself (litmus-agent, say)
    #[arg(long, value_name = "PROGRAM")]
    pub agent: Option<PathBuf>,
}

impl LaunchArgs {
    /// This machine, with the agent that was asked for.
    pub fn target(&self) -> Result<LocalTarget, Failure> {
        let Some(program) = &self.agent else {
            return LocalTarget::new().map_err(|error| Failure::not_ready(&error));
        };
        if !program.is_file() {
            return Err(Failure {
                exit_code: USAGE,
                message: format!("--agent: there is no program {}", program.display()),
            });
        }
        let program = std::path::absolute(program).map_err(|error| Failure::not_ready(&error))?;
        Ok(LocalTarget::with_agent(program, Vec::new()))
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

/// Installs what the runtimes need besides for these accelerators. What cannot be had is said and goes without: its cells are
/// unavailable then.
pub fn install_companions(mut accelerators: impl Iterator<Item = Accelerator>, runtimes: &[Runtime]) {
    if accelerators.all(|accelerator| accelerator != Accelerator::Npu) {
        return;
    }
    let mut progress = InstallProgress::default();
    for runtime in runtimes {
        if let Err(error) = install::ensure_companion(runtime, &mut |step| progress.show(step)) {
            eprintln!("cannot install what {} needs for npus: {}", runtime.id, chain(&error));
        }
    }
}

/// Refuses a run whose required accelerators are not there, before anything is written.
pub fn require(plan: &Plan, target: &dyn Target, runtimes: &[Runtime]) -> Result<(), Failure> {
    match plan.lacks(target, runtimes) {
        Some(message) => Err(Failure {
            exit_code: NOT_READY,
            message,
        }),
        None => Ok(()),
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
    let folder = shown(run.folder.path());
    let resume = format!("go on with `litmus sweep --resume {}`", folder.display());
    // Whatever happened, what is in the journal is reported; but why the run stopped is said first.
    let reported = report(run, since.elapsed(), &folder);
    match end {
        Ok(RunEnd::Complete) => reported,
        Ok(RunEnd::Interrupted) => Err(Failure {
            exit_code: INTERRUPTED,
            message: format!("interrupted; {resume}"),
        }),
        Err(error) => Err(Failure {
            exit_code: NOT_READY,
            message: format!("{}; then {resume}", Failure::from(error).message),
        }),
    }
}

/// Writes the reports of a run and shows them; the exit code they mean.
fn report(run: &Run, wall: Duration, folder: &Path) -> Result<ExitCode, Failure> {
    let report = report::read_run(run.folder.path()).map_err(|error| Failure::not_ready(&error))?;
    report::write_files(&run.folder, &report).map_err(|error| Failure::not_ready(&error))?;
    if let Err(failure) = show(&report, wall, folder) {
        // The run and its exit code stand, whether or not somebody could read this.
        eprintln!("litmus: the table could not be printed: {}", failure.message);
    }
    Ok(ExitCode::from(report::exit_code(&report, &run.file.require)))
}

/// Prints the table, the findings and the summary of a report.
pub fn show(report: &Report, wall: Duration, folder: &Path) -> Result<ExitCode, Failure> {
    let closing = Closing {
        wall,
        folder: &folder.to_string_lossy(),
        columns: output::columns(),
    };
    output::print(&report::terminal(report, style(), &closing))
}

/// Becomes true on the first Ctrl-C, SIGTERM or SIGHUP. A signal that was ignored from the start, as by nohup, stays ignored.
pub fn stop_on_signal() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let ignored = ignored_signals();
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        if ignored & (1 << (signal - 1)) == 0 {
            // Without a handler the signal ends the process, and the run can be resumed all the same.
            let _ = signal_hook::flag::register(signal, Arc::clone(&flag));
        }
    }
    flag
}

/// Bit n-1 is set for signal n when it is ignored (`SigIgn` of proc(5)); nothing where that cannot be read.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
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
