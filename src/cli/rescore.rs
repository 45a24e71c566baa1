//! `litmus rescore`

use std::{path::PathBuf, process::ExitCode};

use clap::Args;

use super::{Failure, failure::USAGE, launch::shown, output};
use crate::{
    attempt::{RescoreError, rescore},
    report::{self, counts},
    store::HashCache,
    sweep::Thresholds,
};

/// Score a run again from the tensors it kept, under other thresholds, without running anything
///
/// Writes rescored.json, rescored.csv and rescored.md into the run folder; the journal and the run's own report stay as they
/// are. Cells whose tensors were not kept (sweep key `keep`) are named and keep their verdict. Exit codes as for a sweep.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  litmus rescore reports/tiny-klein-20261130T140506Z --thresholds psnr=45
  litmus rescore reports/tiny-klein-20261130T140506Z")]
pub struct RescoreArgs {
    /// The run folder
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// Bounds for all outputs, like psnr=45,ssim=0.99,corr=0.999,max-abs=0.1,tolerance=0.01:0.001; those of the sweep when absent
    #[arg(long, value_name = "BOUNDS")]
    thresholds: Option<String>,
}

/// Runs the subcommand.
pub fn run(args: &RescoreArgs) -> Result<ExitCode, Failure> {
    let thresholds: Option<Thresholds> = match &args.thresholds {
        Some(text) => Some(text.parse().map_err(|error| Failure::usage(&error))?),
        None => None,
    };
    let hashes = HashCache::of_user();
    let rescored = rescore(&args.run, thresholds, &hashes)?;
    // The cache only ever saves time.
    let _ = hashes.save();
    if rescored.rescored == 0 {
        return Err(Failure {
            exit_code: USAGE,
            message: format!(
                "{} kept no tensors that can be scored again; run the sweep with keep = \"all\"",
                shown(rescored.folder.path()).display()
            ),
        });
    }
    let under = args
        .thresholds
        .clone()
        .unwrap_or_else(|| "the thresholds of the sweep".to_owned());
    let require = rescored.file.require.clone();
    let mut report = report::report_of(&rescored.folder, rescored.file, &rescored.attempts)
        .map_err(|error| Failure::not_ready(&error))?;
    report.run.rescored = Some(under.clone());
    report::write_files(&rescored.folder, &report).map_err(|error| Failure::not_ready(&error))?;
    let mut text = format!(
        "{} of {} attempts scored again under {under}: {}\n",
        rescored.rescored,
        rescored.attempts.len(),
        counts(&report)
    );
    for key in &rescored.without_tensors {
        text.push_str(&format!("{key} kept no tensors: its verdict is the old one\n"));
    }
    text.push_str(&format!("{}/rescored.md\n", shown(rescored.folder.path()).display()));
    output::print(&text)?;
    Ok(ExitCode::from(report::exit_code(&report, &require)))
}

impl From<RescoreError> for Failure {
    fn from(error: RescoreError) -> Self {
        match error {
            RescoreError::Run(error) => error.into(),
            RescoreError::Score { .. } | RescoreError::Changed { .. } => Failure::usage(&error),
            RescoreError::Journal(_) | RescoreError::Read { .. } => Failure::not_ready(&error),
        }
    }
}
