//! How does an agent process start and end?

use std::{
    ffi::OsString,
    fs::File,
    io::{self, BufRead, Read},
    path::Path,
    process::ExitCode,
    time::Duration,
};

use super::{
    Event, JOB_SCHEMA, Job, Memory, Stage,
    error::{AgentError, At, Failure},
    events::Events,
    run::run,
    watch,
};
use crate::os;

/// Exit code after an `error` event.
pub const EXIT_FAILED: u8 = 1;
/// Exit code for wrong arguments.
pub const EXIT_USAGE: u8 = 2;
/// Exit code when the job's deadline passed; no event says so.
pub const EXIT_DEADLINE: u8 = 124;
/// Exit code when standard input was closed before the job was done; no event says so.
pub const EXIT_ORPHANED: u8 = 125;

/// Longest job document in bytes; a job names a few dozen files.
const JOB_LIMIT: u64 = 1 << 20;
/// Most timed or warm-up runs of one job; bounds the buffer of samples.
const RUNS_LIMIT: u32 = 1_000_000;

/// Where the job comes from.
enum Source {
    /// One line of standard input, which then stays open for as long as somebody wants the result.
    Stdin,
    File(OsString),
}

/// Runs one attempt. `arguments` are those after the program's name: a job file, or nothing for a job on standard
/// input. Events go to standard output; the exit code is 0 after `done` and 1 after `error`.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut arguments = arguments.into_iter();
    let source = match (arguments.next(), arguments.next()) {
        (None, _) => Source::Stdin,
        (Some(file), None) if !file.as_encoded_bytes().starts_with(b"-") => Source::File(file),
        _ => {
            eprintln!("usage: litmus-agent [JOB_FILE]\nWithout a file the job is one line of JSON on standard input.");
            return ExitCode::from(EXIT_USAGE);
        }
    };
    let mut events = match os::claim_stdout() {
        Ok(stdout) => Events::new(stdout),
        Err(error) => {
            eprintln!("litmus-agent: cannot take over standard output: {error}");
            return ExitCode::from(EXIT_FAILED);
        }
    };
    match attempt(source, &mut events) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let event = Event::Error {
                stage: failure.stage,
                code: failure.code(),
                message: failure.message(),
                environment: failure.is_of_environment(),
            };
            if let Err(error) = events.send(event) {
                eprintln!("litmus-agent: {}: {error}", failure.message());
            }
            ExitCode::from(EXIT_FAILED)
        }
    }
}

fn attempt(source: Source, events: &mut Events) -> Result<(), Failure> {
    let job = match &source {
        Source::Stdin => read_line(io::stdin().lock()),
        Source::File(path) => read_file(Path::new(path)),
    }
    .and_then(|text| parse(&text))
    .at(Stage::Start)?;

    let deadline = job.deadline_ms.map(Duration::from_millis);
    match (source, deadline) {
        (Source::Stdin, deadline) => watch::for_host_and_deadline(deadline),
        (Source::File(_), Some(deadline)) => watch::for_deadline(deadline),
        (Source::File(_), None) => Ok(()),
    }
    .map_err(AgentError::Watch)
    .at(Stage::Start)?;

    events
        .send(Event::Hello {
            agent: concat!("litmus-agent ", env!("CARGO_PKG_VERSION")).to_owned(),
            pid: std::process::id(),
            memory: Memory::now(),
        })
        .at(Stage::Start)?;
    run(&job, events)
}

fn read_line(input: impl BufRead) -> Result<Vec<u8>, AgentError> {
    let mut line = Vec::new();
    input
        .take(JOB_LIMIT + 1)
        .read_until(b'\n', &mut line)
        .map_err(AgentError::ReadJob)?;
    Ok(line)
}

fn read_file(path: &Path) -> Result<Vec<u8>, AgentError> {
    let mut text = Vec::new();
    File::open(path)
        .and_then(|file| file.take(JOB_LIMIT + 1).read_to_end(&mut text))
        .map_err(AgentError::ReadJob)?;
    Ok(text)
}

fn parse(text: &[u8]) -> Result<Job, AgentError> {
    if text.len() as u64 > JOB_LIMIT {
        return Err(AgentError::JobTooLong { limit: JOB_LIMIT });
    }
    let job: Job = serde_json::from_slice(text).map_err(AgentError::ParseJob)?;
    if job.schema != JOB_SCHEMA {
        return Err(AgentError::JobSchema {
            found: job.schema,
            wanted: JOB_SCHEMA,
        });
    }
    let runs = job.timing.runs.max(job.timing.warmups);
    if runs > RUNS_LIMIT {
        return Err(AgentError::TooManyRuns {
            runs,
            limit: RUNS_LIMIT,
        });
    }
    Ok(job)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(schema: &str, runs: u32) -> String {
        format!(
            r#"{{"schema":"{schema}","cell":"c","runtime":"r","model":"m","signature":null,"accelerator":"cpu",
            "precision":"fp32","threads":null,"options":{{}},"environment":{{}},"inputs":[],"output_folder":"o",
            "timing":{{"warmups":1,"runs":{runs}}},"deadline_ms":null}}"#
        )
    }

    #[test]
    fn a_job_of_another_schema_says_both() {
        let error = parse(job("litmus.job/9", 1).as_bytes()).unwrap_err().to_string();
        assert!(error.contains("litmus.job/9") && error.contains(JOB_SCHEMA), "{error}");
        assert!(parse(job(JOB_SCHEMA, 1).as_bytes()).is_ok());
    }

    #[test]
    fn a_job_cannot_ask_for_an_endless_buffer() {
        let error = parse(job(JOB_SCHEMA, u32::MAX).as_bytes()).unwrap_err();
        assert!(matches!(error, AgentError::TooManyRuns { .. }), "{error}");
        let error = parse(&vec![b' '; JOB_LIMIT as usize + 1]).unwrap_err();
        assert!(matches!(error, AgentError::JobTooLong { .. }), "{error}");
    }

    #[test]
    fn a_line_is_read_to_its_end_and_no_further() {
        let line = read_line(&b"{\"a\":1}\nmore"[..]).unwrap();
        assert_eq!(line, b"{\"a\":1}\n");
        assert!(read_line(&vec![b'x'; 2 * JOB_LIMIT as usize][..]).unwrap().len() as u64 <= JOB_LIMIT + 1);
    }
}
