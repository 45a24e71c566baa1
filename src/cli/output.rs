//! How does text reach standard output?

use std::{
    io::{self, IsTerminal, Write},
    process::ExitCode,
};

use super::Failure;

/// Prints text. A reader that has gone away (`| head`) is no failure.
pub fn print(text: &str) -> Result<ExitCode, Failure> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::not_ready(&error)),
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Prints a line to standard output, on the same terms.
pub fn say(text: &str) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// Width of the terminal that standard output is; none where it is no terminal and nothing has to fit.
pub fn columns() -> Option<usize> {
    let is_terminal = io::stdout().is_terminal();
    is_terminal.then(|| {
        console::Term::stdout()
            .size_checked()
            .map_or(100, |(_, columns)| columns.into())
    })
}
