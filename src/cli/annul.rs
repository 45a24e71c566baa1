//! `litmus annul`

use std::{path::PathBuf, process::ExitCode};

use clap::Args;

use super::{Failure, failure::USAGE, launch::shown, output};
use crate::{
    attempt::{Entry, Journal, RunFolder, read_journal},
    report,
};

/// Take attempts of a run out of its rows, with a reason; --resume makes them again
///
/// The journal is never edited: a line is added that says which attempt counts no longer and why.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  litmus annul reports/nightly-20261130T140506Z 12 13 --reason 'somebody used the machine'
  litmus sweep --resume reports/nightly-20261130T140506Z")]
pub struct AnnulArgs {
    /// The run folder
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// Numbers of the attempts, as `litmus show RUN CELL` prints them
    #[arg(value_name = "ATTEMPT", required = true)]
    attempts: Vec<u32>,

    /// Why they count no longer
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

/// Runs the subcommand.
pub fn run(args: AnnulArgs) -> Result<ExitCode, Failure> {
    let (folder, _) = RunFolder::open(&args.run)?;
    let _lock = folder.lock()?;
    let state = read_journal(&folder.journal()).map_err(|error| Failure::not_ready(&error))?;
    let counts = |attempt: u32| state.attempts.iter().any(|record| record.attempt == attempt);
    if let Some(unknown) = args.attempts.iter().find(|&&attempt| !counts(attempt)) {
        return Err(Failure {
            exit_code: USAGE,
            message: format!("attempt {unknown} is none that counts in this run; `litmus show RUN CELL` lists them"),
        });
    }
    let mut journal = Journal::open(&folder.journal()).map_err(|error| Failure::not_ready(&error))?;
    for &attempt in &args.attempts {
        let entry = Entry::Annul {
            attempt,
            reason: args.reason.clone(),
        };
        journal.append(entry).map_err(|error| Failure::not_ready(&error))?;
    }
    let report = report::read_run(folder.path()).map_err(|error| Failure::not_ready(&error))?;
    report::write_files(&folder, &report).map_err(|error| Failure::not_ready(&error))?;
    output::print(&format!(
        "{} annulled; make again with `litmus sweep --resume {}`\n",
        args.attempts.len(),
        shown(folder.path()).display()
    ))
}
