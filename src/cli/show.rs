//! `litmus show`

use std::{fs, io, path::PathBuf, process::ExitCode};

use clap::Args;

use super::{Failure, failure::USAGE, launch::shown, output};
use crate::{
    attempt::{JournalError, RunFolder, read_journal},
    report::{CapturedStderr, cell_detail, read_run},
    sweep::Filter,
};

/// Print everything about one cell of a run, with what the runtime said on standard error
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  litmus show reports/tiny-klein-20261130T140506Z kv_vae/default/t2i
  litmus show reports/tiny-klein-20261130T140506Z 'kc_*gpu*'")]
pub struct ShowArgs {
    /// The run folder
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// Text of the cell's key, or a glob over it; it must mean one cell
    #[arg(value_name = "CELL")]
    cell: String,
}

/// Runs the subcommand.
pub fn run(args: &ShowArgs) -> Result<ExitCode, Failure> {
    let (folder, _) = RunFolder::open(&args.run)?;
    let report = read_run(folder.path()).map_err(|error| Failure::not_ready(&error))?;
    let filter = Filter::new(&args.cell).map_err(|error| Failure::usage(&error))?;
    let rows: Vec<_> = report.rows.iter().filter(|row| filter.matches(&row.key)).collect();
    let usage = |message: String| Failure {
        exit_code: USAGE,
        message,
    };
    let row = match rows.as_slice() {
        [row] => row,
        [] => {
            return Err(usage(format!(
                "no cell of this run matches \"{}\"; report.md lists them",
                args.cell
            )));
        }
        many => {
            let keys: String = many.iter().map(|row| format!("\n  {}", row.key)).collect();
            return Err(usage(format!("{} cells match \"{}\":{keys}", many.len(), args.cell)));
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
            let path = folder.attempt(record.attempt).join("stderr.txt");
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
