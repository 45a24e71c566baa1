//! `litmus completions`: what does the shell need to complete our commands?

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Args, Command, ValueEnum};

/// Print a completion script for a shell.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// Writes the script for `command` to stdout.
pub fn run(args: &CompletionsArgs, mut command: Command) -> ExitCode {
    let name = command.get_name().to_owned();
    let shell = match args.shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Zsh => clap_complete::Shell::Zsh,
        Shell::Fish => clap_complete::Shell::Fish,
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    // A reader that has gone away is no error.
    let _ = io::stdout().lock().write_all(&script);
    ExitCode::SUCCESS
}
