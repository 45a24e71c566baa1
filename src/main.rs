//! litmus: see `litmus --help`.

use std::process::ExitCode;

use clap::Parser;
use litmus::cli::Cli;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    // Before anything else is set up: an agent's memory is measured, and ours would count as its own.
    if arguments.next().is_some_and(|first| first == "agent") {
        return litmus::agent::main(arguments);
    }
    match Cli::parse().run() {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("litmus: {}", failure.message);
            ExitCode::from(failure.exit_code)
        }
    }
}
