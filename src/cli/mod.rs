//! One file per subcommand: arguments in, printing out, nothing else.

pub mod completions;
pub mod doctor;
pub mod runtime;

use std::io::{self, Write};

/// Prints a line to stdout. A reader that has gone away (`litmus … | head`) is no error.
fn say(text: &str) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}
