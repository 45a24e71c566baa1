//! One file per subcommand: arguments in, printing out, nothing else.

mod annul;
mod bench;
mod completions;
mod doctor;
mod failure;
mod index;
mod launch;
mod output;
mod progress;
mod rescore;
mod runtime;
mod score;
mod show;
mod sweep;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

pub use failure::Failure;

/// Benchmarks and validates LiteRT graphs on real devices.
///
/// A sweep pushes every graph of a set to a target, times it per accelerator in fresh processes, records memory and
/// thermal state, scores the outputs against fp32 references and writes a report in which failures are rows.
///
/// Exit codes: 0 all as expected; 1 findings (a failing, inaccurate or flaky cell that the baseline does not expect);
/// 2 wrong usage or an invalid sweep file; 3 the environment is not ready; 130 interrupted, go on with --resume.
#[derive(Debug, Parser)]
#[command(name = "litmus", version, max_term_width = 110)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Sweep(sweep::SweepArgs),
    Bench(bench::BenchArgs),
    Show(show::ShowArgs),
    Annul(annul::AnnulArgs),
    Score(score::ScoreArgs),
    Rescore(rescore::RescoreArgs),
    Index(index::IndexArgs),
    Runtime(runtime::RuntimeArgs),
    Doctor(doctor::DoctorArgs),
    Completions(completions::CompletionsArgs),
}

impl Cli {
    /// Does what the arguments say.
    pub fn run(self) -> Result<ExitCode, Failure> {
        match self.command {
            Command::Sweep(args) => sweep::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Annul(args) => annul::run(args),
            Command::Show(args) => show::run(&args),
            Command::Score(args) => score::run(&args),
            Command::Rescore(args) => rescore::run(&args),
            Command::Index(args) => index::run(args),
            Command::Runtime(args) => Ok(runtime::run(args)?),
            Command::Doctor(args) => Ok(doctor::run(&args)?),
            Command::Completions(args) => Ok(completions::run(&args, Cli::command())),
        }
    }
}
