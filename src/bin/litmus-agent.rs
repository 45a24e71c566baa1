//! The slim agent that is pushed to a device: a job in, events out.

use std::process::ExitCode;

fn main() -> ExitCode {
    litmus::agent::main(std::env::args_os().skip(1))
}
