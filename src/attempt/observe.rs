//! What does a running agent do, and does it still make progress?

use std::{
    collections::VecDeque,
    io::{BufRead, BufReader, Read},
    os::unix::process::ExitStatusExt,
    process::Child,
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use super::Exit;
use crate::{
    agent::{EVENT_SCHEMA, Event, EventLine, Stage},
    os,
    sweep::ProtocolSpec,
};

/// The end of an agent's standard error that is kept: what went wrong.
pub const STDERR_KEPT_BYTES: usize = 64 * 1024;
/// The beginning that is kept besides: what the runtime selected to run on.
const STDERR_START_BYTES: usize = 16 * 1024;
/// Longest line an agent may print: a million samples of twenty digits.
const LINE_LIMIT_BYTES: u64 = 32 * 1024 * 1024;
/// How long an agent may take to go away after its last word.
const TEARDOWN_TIMEOUT: Duration = Duration::from_secs(20);
/// How often an interrupt is looked for.
const INTERRUPT_POLL: Duration = Duration::from_millis(100);

/// Everything seen of one agent process.
#[derive(Debug)]
pub struct Observed {
    pub events: Vec<Event>,
    /// The first line that was no event, cut to a readable length.
    pub garbage: Option<String>,
    /// Standard error: its beginning and its end, all of it where it is short.
    pub stderr: Vec<u8>,
    pub ended: Ended,
    pub exit: Exit,
    /// From start to the end of the process.
    pub wall: Duration,
}

/// Why the process is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself.
    Itself,
    /// Killed: no event within the deadline.
    NoProgress(Duration),
    /// Killed: the attempt as a whole took too long.
    AttemptTimeout(Duration),
    /// Killed: the sweep was interrupted.
    Interrupted,
}

/// Deadlines of an attempt.
#[derive(Clone, Copy, Debug)]
pub struct Deadlines {
    load: Duration,
    compile: Duration,
    run: Duration,
    attempt: Duration,
}

impl From<&ProtocolSpec> for Deadlines {
    fn from(protocol: &ProtocolSpec) -> Self {
        let seconds = |s: u32| Duration::from_secs(s.into());
        Deadlines {
            load: seconds(protocol.load_timeout_s),
            compile: seconds(protocol.compile_timeout_s),
            run: seconds(protocol.run_timeout_s),
            attempt: seconds(protocol.attempt_timeout_s),
        }
    }
}

impl Deadlines {
    fn for_stage(&self, stage: Stage) -> Duration {
        match stage {
            Stage::Compile => self.compile,
            Stage::Bind | Stage::FirstRun | Stage::Run | Stage::Output => self.run,
            Stage::Teardown => TEARDOWN_TIMEOUT,
            Stage::Prepare | Stage::Start | Stage::Verify | Stage::Load | Stage::Score => self.load,
        }
    }
}

/// The stage an agent is in after its last event.
pub fn stage_after(last: Option<&Event>) -> Stage {
    match last {
        None => Stage::Start,
        Some(Event::Hello { .. }) => Stage::Load,
        Some(Event::Loaded { .. }) => Stage::Compile,
        Some(Event::Compiled { .. }) => Stage::FirstRun,
        Some(Event::FirstRun { .. } | Event::Progress { .. } | Event::Thermal { .. }) => Stage::Run,
        Some(Event::Samples { .. } | Event::Output { .. }) => Stage::Output,
        Some(Event::Done { .. } | Event::Error { .. }) => Stage::Teardown,
    }
}

enum Message {
    Event(Event),
    Garbage(String),
    EndOfOutput,
}

/// Watches an agent to its end. Takes every line it prints, kills its process group when a deadline passes or when
/// `interrupted` becomes true, and reaps it.
pub fn observe(mut child: Child, started: Instant, deadlines: &Deadlines, interrupted: &AtomicBool) -> Observed {
    let (sender, receiver) = mpsc::channel();
    let stdout = child
        .stdout
        .take()
        .map(|pipe| thread::spawn(move || read_events(pipe, &sender)));
    let stderr = child.stderr.take().map(|pipe| thread::spawn(move || read_ends(pipe)));
    // Held open until the end: an agent ends itself when it closes.
    let stdin = child.stdin.take();

    let mut seen = Seen::default();
    let killed = seen.follow(&receiver, started, deadlines, interrupted);
    if killed.is_some() {
        kill(&mut child);
    }
    let (exit, hung) = reap(&mut child);
    drop(stdin);
    let wall = started.elapsed();
    let stderr = stderr.and_then(|thread| thread.join().ok()).unwrap_or_default();
    if let Some(thread) = stdout {
        // The reader ends with the pipe; it has nothing to return.
        let _ = thread.join();
    }
    seen.drain(&receiver);
    let ended = killed
        .or(hung.then_some(Ended::NoProgress(TEARDOWN_TIMEOUT)))
        .unwrap_or(Ended::Itself);
    Observed {
        events: seen.events,
        garbage: seen.garbage,
        stderr,
        ended,
        exit,
        wall,
    }
}

#[derive(Default)]
struct Seen {
    events: Vec<Event>,
    garbage: Option<String>,
}

impl Seen {
    /// Takes messages until the output ends (none) or the process has to be killed (why).
    fn follow(
        &mut self,
        receiver: &mpsc::Receiver<Message>,
        started: Instant,
        deadlines: &Deadlines,
        interrupted: &AtomicBool,
    ) -> Option<Ended> {
        let mut progress = Instant::now();
        loop {
            if interrupted.load(Ordering::Relaxed) {
                return Some(Ended::Interrupted);
            }
            let patience = deadlines.for_stage(stage_after(self.events.last()));
            let left = patience.saturating_sub(progress.elapsed());
            let left_in_all = deadlines.attempt.saturating_sub(started.elapsed());
            if left_in_all.is_zero() {
                return Some(Ended::AttemptTimeout(deadlines.attempt));
            }
            if left.is_zero() {
                return Some(Ended::NoProgress(patience));
            }
            match receiver.recv_timeout(left.min(left_in_all).min(INTERRUPT_POLL)) {
                Ok(Message::Event(event)) => {
                    progress = Instant::now();
                    self.events.push(event);
                }
                // Noise is no progress: an agent that only babbles is killed all the same.
                Ok(Message::Garbage(line)) => self.note_garbage(line),
                Ok(Message::EndOfOutput) | Err(mpsc::RecvTimeoutError::Disconnected) => return None,
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Takes what arrived between the kill and the end of the pipe.
    fn drain(&mut self, receiver: &mpsc::Receiver<Message>) {
        for message in receiver.try_iter() {
            match message {
                Message::Event(event) => self.events.push(event),
                Message::Garbage(line) => self.note_garbage(line),
                Message::EndOfOutput => {}
            }
        }
    }

    fn note_garbage(&mut self, line: String) {
        self.garbage.get_or_insert(line);
    }
}

fn kill(child: &mut Child) {
    // The leader has not been reaped, so its number still names its group. If the kill is refused nothing else can help.
    let _ = os::kill_group(child.id());
    let _ = child.kill();
}

/// Waits for the process to be gone, and kills it when teardown takes too long (second value true).
fn reap(child: &mut Child) -> (Exit, bool) {
    let since = Instant::now();
    let mut pause = Duration::from_micros(50);
    let mut hung = false;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                return (
                    Exit {
                        code: status.code(),
                        signal: status.signal(),
                    },
                    hung,
                );
            }
            Ok(None) => {}
            Err(_) => {
                return (
                    Exit {
                        code: None,
                        signal: None,
                    },
                    hung,
                );
            }
        }
        if !hung && since.elapsed() > TEARDOWN_TIMEOUT {
            hung = true;
            kill(child);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

fn read_events(pipe: impl Read, sender: &mpsc::Sender<Message>) {
    let mut reader = BufReader::new(pipe);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = reader.by_ref().take(LINE_LIMIT_BYTES).read_until(b'\n', &mut line);
        let message = match read {
            Ok(0) | Err(_) => Message::EndOfOutput,
            Ok(_) => parse_line(&line),
        };
        let last = matches!(message, Message::EndOfOutput);
        if sender.send(message).is_err() || last {
            return;
        }
    }
}

fn parse_line(line: &[u8]) -> Message {
    match serde_json::from_slice::<EventLine>(line) {
        Ok(EventLine { schema, event }) if schema == EVENT_SCHEMA => Message::Event(event),
        _ => Message::Garbage(String::from_utf8_lossy(line).trim_end().chars().take(200).collect()),
    }
}

fn read_ends(mut pipe: impl Read) -> Vec<u8> {
    let mut start = Vec::new();
    let mut tail: VecDeque<u8> = VecDeque::new();
    let mut left_out = 0;
    let mut chunk = [0; 8192];
    while let Ok(n @ 1..) = pipe.read(&mut chunk) {
        let (first, rest) = chunk[..n].split_at(n.min(STDERR_START_BYTES - start.len()));
        start.extend_from_slice(first);
        tail.extend(rest);
        let excess = tail.len().saturating_sub(STDERR_KEPT_BYTES);
        tail.drain(..excess);
        left_out += excess;
    }
    if left_out > 0 {
        start.extend_from_slice(format!("\n[{left_out} bytes left out]\n").as_bytes());
    }
    start.extend(tail);
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_standard_error_the_two_ends_are_kept() {
        let noise: Vec<u8> = (0..200_000u32).map(|i| (i % 251) as u8).collect();
        let kept = read_ends(&noise[..]);
        assert!(kept.starts_with(&noise[..STDERR_START_BYTES]));
        assert!(kept.ends_with(&noise[noise.len() - STDERR_KEPT_BYTES..]));
        let left_out = noise.len() - STDERR_START_BYTES - STDERR_KEPT_BYTES;
        let said = format!("\n[{left_out} bytes left out]\n");
        assert_eq!(kept.len(), STDERR_START_BYTES + said.len() + STDERR_KEPT_BYTES);
        let short = &noise[..STDERR_START_BYTES + STDERR_KEPT_BYTES];
        assert_eq!(read_ends(short), short);
    }

    #[test]
    fn a_line_of_another_schema_is_no_event() {
        let ours = br#"{"schema":"litmus.event/1","event":"progress","runs_done":3}"#;
        assert!(matches!(
            parse_line(ours),
            Message::Event(Event::Progress { runs_done: 3 })
        ));
        let theirs = br#"{"schema":"litmus.event/9","event":"progress","runs_done":3}"#;
        assert!(matches!(parse_line(theirs), Message::Garbage(_)));
        assert!(matches!(parse_line(b"\xff\xfe"), Message::Garbage(_)));
    }
}
