//! Where do agents run?

mod facts;
mod local;

pub use facts::local_facts;
pub use local::LocalTarget;

use std::{
    io,
    path::Path,
    process::{Child, ChildStdin},
    thread::JoinHandle,
};

use crate::{
    agent::{Job, ThermalReading},
    install::{Readiness, Runtime, Surroundings, Wanted},
    report::TargetInfo,
};

/// A process that was given its job.
#[derive(Debug)]
pub struct Running {
    pub child: Child,
    /// The thread that writes the job, and then the pipe: while this lives, standard input stays open.
    pub stdin: JoinHandle<Option<ChildStdin>>,
}

/// A machine that runs agents.
pub trait Target {
    /// What the machine is.
    fn info(&self) -> &TargetInfo;

    /// Starts an agent on a job, as the leader of its own process group, with all three streams piped and its working
    /// folder at `folder` and around it what it `needs`. Closing its standard input ends the agent.
    fn start(&self, job: &Job, needs: &Surroundings, folder: &Path) -> io::Result<Running>;

    /// Whether graphs can be run here as wanted with a runtime: what an agent then needs, or what is missing and what to do.
    fn readiness(&self, wanted: &Wanted, runtime: &Runtime) -> Readiness;

    /// The machine's thermal state now.
    fn thermal(&self) -> ThermalReading;
}
