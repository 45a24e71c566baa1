//! How do events leave the agent?

use std::{
    fs::File,
    io::{self, Write},
    time::{Duration, Instant},
};

use super::{Event, EventLine, error::AgentError};

/// Least time between two signs of life.
const PROGRESS_EVERY: Duration = Duration::from_secs(1);

/// The agent's standard output, which nothing else in the process can write to.
pub(super) struct Events {
    stdout: File,
    last: Instant,
}

impl Events {
    pub(super) fn new(stdout: File) -> Events {
        Events {
            stdout,
            last: Instant::now(),
        }
    }

    /// Writes one event as one line, in one call.
    pub(super) fn send(&mut self, event: Event) -> Result<(), AgentError> {
        self.write(event).map_err(AgentError::Report)
    }

    /// Gives a sign of life, unless there was an event within the last second.
    pub(super) fn progress(&mut self, runs_done: u32) -> Result<(), AgentError> {
        if self.last.elapsed() < PROGRESS_EVERY {
            return Ok(());
        }
        self.send(Event::Progress { runs_done })
    }

    fn write(&mut self, event: Event) -> io::Result<()> {
        let mut line = serde_json::to_vec(&EventLine::from(event))?;
        line.push(b'\n');
        self.stdout.write_all(&line)?;
        self.last = Instant::now();
        Ok(())
    }
}
