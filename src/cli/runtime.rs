//! `litmus runtime`: which runtimes are here, and how does one get here?

use std::{
    io::{self, IsTerminal},
    process::ExitCode,
};

use clap::{Args, Subcommand};
use indicatif::{DecimalBytes, ProgressBar, ProgressStyle};

use super::output::say;
use crate::install::{self, DEFAULT_RUNTIME, InstallError, Step};

/// Install LiteRT runtimes, or list them.
#[derive(Debug, Args)]
pub struct RuntimeArgs {
    #[command(subcommand)]
    command: RuntimeCommand,
}

#[derive(Debug, Subcommand)]
enum RuntimeCommand {
    /// Download runtimes, verify them against pinned hashes and install them in the cache
    Install {
        /// Runtimes, such as litert-2.3.0, or their companions for NPUs, such as openvino-2026.3.1
        #[arg(default_value = DEFAULT_RUNTIME, value_name = "ID")]
        ids: Vec<String>,
    },
    /// List the runtimes that can be installed and those that are
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command.
pub fn run(args: RuntimeArgs) -> Result<ExitCode, InstallError> {
    match args.command {
        RuntimeCommand::Install { ids } => ids.iter().try_for_each(|id| install_one(id))?,
        RuntimeCommand::List { json } => say(&if json { list_json() } else { list_text() }),
    }
    Ok(ExitCode::SUCCESS)
}

fn install_one(id: &str) -> Result<(), InstallError> {
    let mut progress = InstallProgress::default();
    if let Some(libraries) = install::ensure_companion_id(id, &mut |step| progress.show(step))? {
        say(&format!("{id} is installed, in {}", libraries.display()));
        return Ok(());
    }
    if let Ok(runtime) = install::find(id) {
        say(&format!("{id} is installed already, in {}", runtime.dir.display()));
        return Ok(());
    }
    let runtime = install::ensure(id, &mut |step| progress.show(step))?;
    let size = runtime
        .bytes
        .map(|bytes| format!(" ({})", DecimalBytes(bytes)))
        .unwrap_or_default();
    say(&format!("installed {id}{size} in {}", runtime.dir.display()));
    Ok(())
}

fn list_text() -> String {
    let line = |id: String| {
        let state = match install::find(&id) {
            Ok(runtime) => format!("installed in {}", runtime.dir.display()),
            Err(InstallError::Damaged { what, .. }) => format!("damaged: {what}"),
            Err(InstallError::NotInstalled { .. }) => "not installed".to_owned(),
            Err(error) => error.to_string(),
        };
        let default = if id == DEFAULT_RUNTIME { " (default)" } else { "" };
        format!("{id}{default:<12}{state}")
    };
    install::runtime_ids()
        .into_iter()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}

fn list_json() -> String {
    let runtimes: Vec<_> = install::runtime_ids()
        .into_iter()
        .map(|id| {
            let found = install::find(&id);
            let error = found
                .as_ref()
                .err()
                .filter(|error| !matches!(error, InstallError::NotInstalled { .. }));
            serde_json::json!({
                "id": id,
                "default": id == DEFAULT_RUNTIME,
                "dir": found.as_ref().ok().map(|runtime| &runtime.dir),
                "bytes": found.as_ref().ok().and_then(|runtime| runtime.bytes),
                "error": error.map(ToString::to_string),
            })
        })
        .collect();
    format!("{:#}", serde_json::json!({ "runtimes": runtimes }))
}

/// Shows an installation on stderr: a bar where that is a terminal, else one plain line per step.
#[derive(Default)]
pub struct InstallProgress {
    bar: Option<ProgressBar>,
}

impl InstallProgress {
    /// For [`install::ensure`].
    pub fn show(&mut self, step: Step<'_>) {
        match step {
            Step::Waiting => eprintln!("waiting for another litmus that is installing a runtime"),
            Step::Repairing { id, what } => eprintln!("repairing {id}: {what}"),
            Step::Downloading { id, bytes } if io::stderr().is_terminal() => {
                self.bar = Some(
                    ProgressBar::new(bytes)
                        .with_style(style())
                        .with_message(format!("downloading {id}")),
                );
            }
            Step::Downloading { id, bytes } => eprintln!("downloading {id} ({})", DecimalBytes(bytes)),
            Step::Downloaded { bytes } => {
                if let Some(bar) = &self.bar {
                    bar.set_position(bytes);
                }
            }
            Step::Unpacking { .. } => {
                if let Some(bar) = self.bar.take() {
                    bar.finish_and_clear();
                }
            }
        }
    }
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{msg} {wide_bar} {decimal_bytes}/{decimal_total_bytes} {eta}")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}
