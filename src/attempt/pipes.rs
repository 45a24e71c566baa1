//! What does an agent write, read without ever waiting for it longer than it is worth?

use std::{
    collections::VecDeque,
    io::{self, BufRead, BufReader, Read},
    process::Child,
    sync::mpsc,
    thread,
    time::Duration,
};

use crate::agent::{EVENT_SCHEMA, Event, EventLine};

/// The end of an agent's standard error that is kept: what went wrong.
pub const STDERR_KEPT_BYTES: usize = 64 * 1024;
/// The beginning that is kept besides: what the runtime selected to run on.
const STDERR_START_BYTES: usize = 16 * 1024;
/// Longest line an agent may print: a million samples of twenty digits.
const LINE_LIMIT_BYTES: u64 = 32 * 1024 * 1024;
/// How long the pipes of a process that is gone are waited for.
pub(super) const PIPE_PATIENCE: Duration = Duration::from_secs(2);

/// One thing that standard output held.
pub(super) enum Message {
    Event(Event),
    Garbage(String),
    EndOfOutput,
}

/// The output of a process, read by two threads. A thread whose pipe never ends is left behind.
pub(super) struct Pipes {
    messages: mpsc::Receiver<Message>,
    stderr: mpsc::Receiver<Vec<u8>>,
}

impl Pipes {
    /// Starts reading.
    pub(super) fn open(child: &mut Child) -> io::Result<Pipes> {
        let (sender, messages) = mpsc::channel();
        if let Some(pipe) = child.stdout.take() {
            thread::Builder::new().spawn(move || read_events(pipe, &sender))?;
        }
        let (sender, stderr) = mpsc::channel();
        if let Some(pipe) = child.stderr.take() {
            // The receiver is gone only when nobody wants the text any more.
            thread::Builder::new().spawn(move || drop(sender.send(read_ends(pipe))))?;
        }
        Ok(Pipes { messages, stderr })
    }

    /// The next thing on standard output, none after so long.
    pub(super) fn next(&self, patience: Duration) -> Option<Message> {
        match self.messages.recv_timeout(patience) {
            Ok(message) => Some(message),
            Err(mpsc::RecvTimeoutError::Timeout) => None,
            Err(mpsc::RecvTimeoutError::Disconnected) => Some(Message::EndOfOutput),
        }
    }

    /// Standard error, and what was still unread of standard output, of a process that is gone.
    pub(super) fn finish(self) -> (Vec<u8>, Vec<Message>) {
        let stderr = self.stderr.recv_timeout(PIPE_PATIENCE).unwrap_or_else(|_| {
            b"[not kept: a process that the agent left behind holds its standard error open]\n".to_vec()
        });
        (stderr, self.messages.try_iter().collect())
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
