//! How does this machine run an agent? By starting litmus again, as an agent.

use std::{
    env,
    fs::File,
    io::{self, Write},
    os::{fd::AsRawFd, unix::process::CommandExt},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

use super::{Running, Target};
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
    /// Keeps what `program` names.
    _executable: Option<File>,
}

impl LocalTarget {
    /// The id of this target in keys and reports.
    pub const ID: &str = "local";

    /// Agents are this very executable, also when its file is replaced while a sweep runs.
    pub fn new() -> io::Result<Self> {
        let executable = File::open("/proc/self/exe")?;
        let held = PathBuf::from(format!("/proc/self/fd/{}", executable.as_raw_fd()));
        Ok(LocalTarget {
            _executable: Some(executable),
            ..Self::with_agent(held, vec!["agent".to_owned()])
        })
    }

    /// Agents are another program, as `litmus-agent`.
    pub fn with_agent(program: PathBuf, arguments: Vec<String>) -> Self {
        LocalTarget {
            info: super::local_facts(),
            program,
            arguments,
            _executable: None,
        }
    }
}

impl Target for LocalTarget {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn start(&self, job: &Job, needs: &Surroundings, folder: &Path) -> io::Result<Running> {
        // Only the agent's: litmus itself never loads what an accelerator needs.
        let library_path = needs.library_path(env::var_os("LD_LIBRARY_PATH"));
        let mut line = serde_json::to_vec(job)?;
        line.push(b'\n');
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
        let mut stdin = child.stdin.take();
        // An agent that does not read must not keep its host from watching it.
        let writer = thread::Builder::new().spawn(move || {
            if let Some(pipe) = &mut stdin {
                // An agent that died before it read its job tells more by its exit than by this.
                let _ = pipe.write_all(&line);
            }
            stdin
        });
        match writer {
            Ok(stdin) => Ok(Running { child, stdin }),
            Err(error) => {
                // Nothing of it is wanted any more.
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    fn readiness(&self, wanted: &Wanted, runtime: &Runtime) -> Readiness {
        readiness(runtime, wanted)
    }

    fn thermal(&self) -> ThermalReading {
        ThermalReading::now()
    }
}
