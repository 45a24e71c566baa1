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

/// The part of an agent's standard error that is kept: the end of it.
pub const STDERR_KEPT_BYTES: usize = 64 * 1024;
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
            thread::Builder::new().spawn(move || drop(sender.send(read_tail(pipe))))?;
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

fn read_tail(mut pipe: impl Read) -> Vec<u8> {
    let mut tail = VecDeque::new();
    let mut chunk = [0; 8192];
    while let Ok(n @ 1..) = pipe.read(&mut chunk) {
        tail.extend(&chunk[..n]);
        let excess = tail.len().saturating_sub(STDERR_KEPT_BYTES);
        tail.drain(..excess);
    }
    tail.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_of_standard_error_is_kept() {
        let noise: Vec<u8> = (0..200_000u32).map(|i| (i % 251) as u8).collect();
        let tail = read_tail(&noise[..]);
        assert_eq!(tail.len(), STDERR_KEPT_BYTES);
        assert_eq!(tail, noise[noise.len() - STDERR_KEPT_BYTES..]);
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
