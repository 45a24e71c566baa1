//! `litmus show`

use std::{fs, io, path::PathBuf, process::ExitCode};

use clap::Args;

use super::{
    Failure,
    failure::USAGE,
    launch::{show, shown},
    output,
};
use crate::{
    attempt::{JournalError, RunFolder, read_journal, stderr_file},
    report::{CapturedStderr, cell_detail, read_run},
    sweep::Filter,
};

/// Print the table of a run, or everything about one of its cells
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  litmus show reports/tiny-klein-20261130T140506Z
  litmus show reports/tiny-klein-20261130T140506Z kv_vae/default/t2i
  litmus show reports/tiny-klein-20261130T140506Z 'kc_*gpu*'")]
pub struct ShowArgs {
    /// The run folder
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// Text of the cell's key, or a glob over it; it must mean one cell. Without it the table of the run is printed
    #[arg(value_name = "CELL")]
    cell: Option<String>,
}

/// Runs the subcommand.
pub fn run(args: &ShowArgs) -> Result<ExitCode, Failure> {
    let (folder, _) = RunFolder::open(&args.run)?;
    let report = read_run(folder.path()).map_err(|error| Failure::not_ready(&error))?;
    let Some(cell) = &args.cell else {
        return show(&report, report.run.lasted().unwrap_or_default(), &shown(folder.path()));
    };
    let filter = Filter::new(cell).map_err(|error| Failure::usage(&error))?;
    let rows: Vec<_> = report.rows.iter().filter(|row| filter.matches(&row.key)).collect();
    let usage = |message: String| Failure {
        exit_code: USAGE,
        message,
    };
    let row = match rows.as_slice() {
        [row] => row,
        [] => {
            return Err(usage(format!(
                "no cell of this run matches \"{cell}\"; `litmus show RUN` lists them"
            )));
        }
        many => {
            let keys: String = many.iter().map(|row| format!("\n  {}", row.key)).collect();
            return Err(usage(format!("{} cells match \"{}\":{keys}", many.len(), cell)));
        }
    };
    let state = read_journal(&folder.journal()).map_err(|error: JournalError| Failure::not_ready(&error))?;
    let attempts: Vec<_> = state
        .attempts
        .into_iter()
        .filter(|record| record.key == row.key)
        .collect();
    let captured: Vec<(u32, String, String)> = attempts
        .iter()
        .filter_map(|record| {
            let path = stderr_file(&folder.attempt(record.attempt));
            let text = match fs::read(&path) {
                Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
                Err(error) => format!("(cannot be read: {error})"),
            };
            Some((record.attempt, shown(&path).to_string_lossy().into_owned(), text))
        })
        .collect();
    let stderr: Vec<CapturedStderr<'_>> = captured
        .iter()
        .map(|(attempt, path, text)| CapturedStderr {
            attempt: *attempt,
            path,
            text,
        })
        .collect();
    output::print(&cell_detail(&report, row, &attempts, &stderr))
}
