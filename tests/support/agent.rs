//! How does a test run the agent on a real runtime?

use std::{
    env,
    fs::{self, File},
    io::{BufRead, BufReader, Lines, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
};

use litmus::{
    agent::{
        Accelerator, EVENT_SCHEMA, EnvironmentPaths, Event, EventLine, InputBinding, JOB_SCHEMA, Job, Precision, Task,
        TensorName, Timing,
    },
    graphset::{Index, IndexCase},
    install::{DEFAULT_RUNTIME, find, from_dir},
};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// The runtime under test. Without one the test fails: a skipped test proves nothing.
pub fn runtime() -> PathBuf {
    let found = match env::var_os("LITMUS_TEST_RUNTIME") {
        Some(folder) => from_dir(Path::new(&folder)),
        None => find(DEFAULT_RUNTIME),
    };
    match found {
        Ok(runtime) => runtime.dir,
        Err(error) => panic!("{error} (or set LITMUS_TEST_RUNTIME to a folder with libLiteRt.so)"),
    }
}

/// A graph set of this repository: the folder its files are relative to, and its index.
pub fn graph_set(name: &str) -> (PathBuf, Index) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("references").join(name);
    let index: Index = serde_json::from_slice(&fs::read(folder.join("index.json")).unwrap()).unwrap();
    (folder.join(&index.root), index)
}

/// A job and the folder its outputs go to.
pub struct Attempt {
    pub job: Job,
    pub folder: TempDir,
}

impl Attempt {
    /// One warm-up and three timed runs on the CPU, every output kept.
    pub fn new(root: &Path, graph: &Path, case: &IndexCase) -> Attempt {
        let folder = tempfile::tempdir().unwrap();
        let inputs = case.inputs.iter().map(|input| InputBinding {
            tensor: TensorName::Index(input.index),
            spec: input.spec.clone(),
            file: root.join(&input.file),
        });
        let job = Job {
            schema: JOB_SCHEMA.to_owned(),
            cell: graph.display().to_string(),
            runtime: runtime(),
            model: root.join(graph),
            signature: case.signature.clone(),
            accelerator: Accelerator::Cpu,
            precision: Precision::Fp32,
            threads: None,
            options: Default::default(),
            environment: EnvironmentPaths::default(),
            inputs: inputs.collect(),
            output_folder: folder.path().to_owned(),
            timing: Timing { warmups: 1, runs: 3 },
            task: Task::Measure,
            deadline_ms: Some(60_000),
        };
        Attempt { job, folder }
    }

    /// Where an output of the signature is written.
    pub fn output(&self, index: usize) -> PathBuf {
        self.job.output_folder.join(format!("out{index}.bin"))
    }
}

/// What an agent that has ended leaves behind.
#[derive(Debug)]
pub struct Report {
    pub events: Vec<Event>,
    pub status: ExitStatus,
    #[expect(dead_code, reason = "shown when an assertion fails")]
    pub stderr: String,
}

impl Report {
    /// The first answer that `pick` gives.
    pub fn find<T>(&self, pick: impl Fn(&Event) -> Option<T>) -> T {
        self.events
            .iter()
            .find_map(pick)
            .unwrap_or_else(|| panic!("no such event in {self:?}"))
    }
}

/// Does the job from a file, to its end. Everything on standard output must be an event.
pub fn run(job: &Job) -> Report {
    let file = tempfile::NamedTempFile::new().unwrap();
    serde_json::to_writer(File::create(file.path()).unwrap(), job).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_litmus-agent"))
        .arg(file.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Report {
        events: output.stdout.lines().map(|line| event(&line.unwrap())).collect(),
        status: output.status,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn event(line: &str) -> Event {
    let line: EventLine = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line:?}"));
    assert_eq!(line.schema, EVENT_SCHEMA);
    line.event
}

/// A running agent whose standard input is open.
pub struct Agent {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Agent {
    /// Starts the job from standard input and leaves that open.
    pub fn start(job: &Job) -> Agent {
        let mut agent = Agent::start_without_job();
        let mut line = serde_json::to_vec(job).unwrap();
        line.push(b'\n');
        agent.stdin.as_mut().unwrap().write_all(&line).unwrap();
        agent
    }

    pub fn start_without_job() -> Agent {
        let mut child = Command::new(env!("CARGO_BIN_EXE_litmus-agent"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Agent {
            stdin: child.stdin.take(),
            lines: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
        }
    }

    /// Reads events until one is `wanted`, called `name` in the failure.
    pub fn wait_for(&mut self, name: &str, wanted: impl Fn(&Event) -> bool) {
        for line in &mut self.lines {
            if wanted(&event(&line.unwrap())) {
                return;
            }
        }
        panic!("the agent ended before {name}");
    }

    pub fn thread_count(&self) -> usize {
        fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap().count()
    }

    pub fn close_stdin_and_wait(&mut self) -> ExitStatus {
        self.stdin = None;
        self.wait()
    }

    /// Waits for the end with standard input as it is.
    pub fn wait(&mut self) -> ExitStatus {
        let stdin = self.stdin.take();
        // `Child::wait` would close it first, were it still the child's.
        let status = self.child.wait().unwrap();
        drop(stdin);
        status
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // An agent that has ended cannot be killed, and need not be.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A raw file of float32.
pub fn f32s(file: &Path) -> Vec<f32> {
    let bytes = fs::read(file).unwrap();
    let (values, rest) = bytes.as_chunks::<4>();
    assert!(rest.is_empty(), "{}", file.display());
    values.iter().map(|value| f32::from_le_bytes(*value)).collect()
}

pub fn sha256(file: &Path) -> String {
    let hash = Sha256::digest(fs::read(file).unwrap());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
