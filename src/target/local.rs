//! How does this machine run an agent? By starting litmus again, as an agent.

use std::{
    env,
    io::{self, Write},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use super::Target;
use crate::{
    agent::{Job, ThermalReading},
    install::{Readiness, Runtime, Surroundings, Wanted, readiness},
    report::TargetInfo,
};

/// The machine litmus itself runs on.
#[derive(Debug)]
pub struct LocalTarget {
    info: TargetInfo,
    program: PathBuf,
    arguments: Vec<String>,
}

impl LocalTarget {
    /// The id of this target in keys and reports.
    pub const ID: &str = "local";

    /// Agents are this very executable.
    pub fn new() -> io::Result<Self> {
        Ok(Self::with_agent(std::env::current_exe()?, vec!["agent".to_owned()]))
    }

    /// Agents are another program, as `litmus-agent`.
    pub fn with_agent(program: PathBuf, arguments: Vec<String>) -> Self {
        LocalTarget {
            info: super::local_facts(),
            program,
            arguments,
        }
    }
}

impl Target for LocalTarget {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn start(&self, job: &Job, needs: &Surroundings, folder: &Path) -> io::Result<Child> {
        // Only the agent's: litmus itself never loads what an accelerator needs.
        let library_path = needs.library_path(env::var_os("LD_LIBRARY_PATH"));
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .envs(&needs.variables)
            .envs(library_path.map(|paths| ("LD_LIBRARY_PATH", paths)))
            .current_dir(folder)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut line = serde_json::to_vec(job)?;
        line.push(b'\n');
        if let Some(stdin) = &mut child.stdin {
            match stdin.write_all(&line) {
                // An agent that died before it read its job tells more by its exit than by this.
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error),
                _ => {}
            }
        }
        Ok(child)
    }

    fn readiness(&self, wanted: &Wanted, runtime: &Runtime) -> Readiness {
        readiness(runtime, wanted)
    }

    fn thermal(&self) -> ThermalReading {
        ThermalReading::now()
    }
}
