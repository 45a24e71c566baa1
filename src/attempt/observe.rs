//! What does a running agent do, and does it still make progress?

use std::{
    io,
    os::unix::process::ExitStatusExt,
    process::Child,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use super::{
    Exit,
    pipes::{Message, PIPE_PATIENCE, Pipes},
};
use crate::{
    agent::{Event, Stage},
    os,
    sweep::ProtocolSpec,
    target::Running,
};

/// How long an agent may take to go away after its last word.
const TEARDOWN_TIMEOUT: Duration = Duration::from_secs(20);
/// Events of a job besides signs of life: a dozen, and one per output.
const EVENTS_KEPT: usize = 10_000;
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

/// Watches an agent to its end. Takes every line it prints, kills its process group when a deadline passes or when
/// `interrupted` becomes true, and reaps it. What the agent leaves running in its group is killed too.
///
/// # Errors
/// When the machine has no threads left to read the agent's output; the agent is killed.
pub fn observe(
    mut running: Running,
    started: Instant,
    deadlines: &Deadlines,
    interrupted: &AtomicBool,
) -> io::Result<Observed> {
    let pipes = match Pipes::open(&mut running.child) {
        Ok(pipes) => pipes,
        Err(error) => {
            kill(&mut running.child);
            // It is dead; only its entry in the process table is left.
            let _ = running.child.wait();
            return Err(error);
        }
    };
    let mut seen = Seen::default();
    let killed = seen.follow(&pipes, &running.child, started, deadlines, interrupted);
    if killed.is_some() {
        kill(&mut running.child);
    }
    let (exit, late) = reap(&mut running.child, interrupted);
    // Held open until here: an agent ends itself when it closes.
    drop(running.stdin);
    let wall = started.elapsed();
    let (stderr, left) = pipes.finish();
    left.into_iter().for_each(|message| seen.take(message));
    Ok(Observed {
        events: seen.events,
        garbage: seen.garbage,
        stderr,
        ended: killed.or(late).unwrap_or(Ended::Itself),
        exit,
        wall,
    })
}

#[derive(Default)]
struct Seen {
    events: Vec<Event>,
    garbage: Option<String>,
}

impl Seen {
    /// Takes messages until the output ends or the process has (none), or has to be killed (why).
    fn follow(
        &mut self,
        pipes: &Pipes,
        child: &Child,
        started: Instant,
        deadlines: &Deadlines,
        interrupted: &AtomicBool,
    ) -> Option<Ended> {
        let mut progress = Instant::now();
        let mut over: Option<Instant> = None;
        loop {
            if interrupted.load(Ordering::Relaxed) {
                return Some(Ended::Interrupted);
            }
            // What has arrived is taken before a deadline is looked at: this process may have been stopped meanwhile.
            match pipes.next(INTERRUPT_POLL.min(progress_left(progress, started, deadlines, self.stage()))) {
                Some(Message::EndOfOutput) => return None,
                Some(message) => {
                    // Noise is no progress: an agent that only babbles is killed all the same.
                    if matches!(message, Message::Event(_)) {
                        progress = Instant::now();
                    }
                    self.take(message);
                    continue;
                }
                None => {}
            }
            // A child that the agent left behind may hold its output open for ever.
            if os::has_ended(child.id()).unwrap_or(false)
                && over.get_or_insert_with(Instant::now).elapsed() > PIPE_PATIENCE
            {
                return None;
            }
            let patience = deadlines.for_stage(self.stage());
            if started.elapsed() >= deadlines.attempt {
                return Some(Ended::AttemptTimeout(deadlines.attempt));
            }
            if over.is_none() && progress.elapsed() >= patience {
                return Some(Ended::NoProgress(patience));
            }
        }
    }

    fn stage(&self) -> Stage {
        stage_after(self.events.last())
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Event(event) => self.take_event(event),
            Message::Garbage(line) => self.note_garbage(line),
            Message::EndOfOutput => {}
        }
    }

    /// Keeps what a job can report: one list of samples, the last sign of life, and no more than so many others.
    fn take_event(&mut self, event: Event) {
        let is_progress = |event: &Event| matches!(event, Event::Progress { .. });
        let is_samples = |event: &Event| matches!(event, Event::Samples { .. });
        if is_progress(&event) && self.events.last().is_some_and(is_progress) {
            self.events.pop();
        }
        if (is_samples(&event) && self.events.iter().any(is_samples)) || self.events.len() >= EVENTS_KEPT {
            return self.note_garbage("events that no job asks for".to_owned());
        }
        self.events.push(event);
    }

    fn note_garbage(&mut self, line: String) {
        self.garbage.get_or_insert(line);
    }
}

/// How long nothing may be heard from here on.
fn progress_left(progress: Instant, started: Instant, deadlines: &Deadlines, stage: Stage) -> Duration {
    let left = deadlines.for_stage(stage).saturating_sub(progress.elapsed());
    left.min(deadlines.attempt.saturating_sub(started.elapsed()))
}

fn kill(child: &mut Child) {
    // The leader has not been reaped, so its number still names its group. If the kill is refused nothing else can help.
    let _ = os::kill_group(child.id());
    let _ = child.kill();
}

/// Waits for the process to have ended, kills it when that takes too long or the sweep is interrupted (and says which), and
/// what is left of its group in any case.
fn reap(child: &mut Child, interrupted: &AtomicBool) -> (Exit, Option<Ended>) {
    let since = Instant::now();
    let mut pause = Duration::from_micros(50);
    let mut why = None;
    while !os::has_ended(child.id()).unwrap_or(true) {
        if interrupted.load(Ordering::Relaxed) {
            why = Some(Ended::Interrupted);
        } else if since.elapsed() > TEARDOWN_TIMEOUT {
            why = Some(Ended::NoProgress(TEARDOWN_TIMEOUT));
        }
        if why.is_some() {
            kill(child);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
    kill(child);
    let exit = match child.wait() {
        Ok(status) => Exit {
            code: status.code(),
            signal: status.signal(),
        },
        Err(_) => Exit {
            code: None,
            signal: None,
        },
    };
    (exit, why)
}
