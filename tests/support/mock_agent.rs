//! An agent that behaves as the name of its graph says, for faults that cannot be made to order with a real one.
//!
//! The behaviour is the stem of the job's model file, up to the first dot. A number after a dash counts the tries that it
//! lasts: `crash-1` crashes in the first try and passes in the second (tries are told apart by the attempt folder's siblings).

use std::{
    fs,
    io::{self, BufRead, Write},
    path::Path,
    process, thread,
    time::Duration,
};

use litmus::{
    agent::{Event, EventLine, Job, Memory, Placement, Stage, TensorInfo},
    tensor::{DType, TensorSpec},
};
use sha2::{Digest, Sha256};

const VALUES: [f32; 4] = [0.0, 1.0, 2.0, 3.0];

fn main() {
    if std::env::args()
        .nth(1)
        .is_some_and(|argument| argument == "never-reads")
    {
        forever();
    }
    let mut line = String::new();
    io::stdin()
        .lock()
        .read_line(&mut line)
        .expect("a job on standard input");
    let job: Job = serde_json::from_str(&line).expect("a valid job");
    let stem = job.model.file_stem().expect("a model").to_string_lossy().into_owned();
    let (behaviour, lasts) = match stem.split_once('-') {
        Some((behaviour, tries)) => (behaviour.to_owned(), tries.parse().expect("a number of tries")),
        None => (stem, u32::MAX),
    };
    let behaviour = if earlier_tries(&job) < lasts {
        behaviour
    } else {
        "pass".to_owned()
    };
    act(&behaviour, &job);
}

/// Counts its own tries in a file beside the model.
fn earlier_tries(job: &Job) -> u32 {
    let counter = job.model.with_extension("tries");
    let tries = fs::read_to_string(&counter)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    fs::write(&counter, (tries + 1).to_string()).expect("a writable folder");
    tries
}

fn act(behaviour: &str, job: &Job) {
    match behaviour {
        "silent_hang" => forever(),
        "babble_forever" => loop {
            println!("still here");
            thread::sleep(Duration::from_millis(20));
        },
        "exit_at_once" => process::exit(7),
        _ => {}
    }
    say(Event::Hello {
        agent: "mock".into(),
        pid: process::id(),
        memory: memory(1000),
    });
    if behaviour == "garbage" {
        println!("W0000 a log line on the wrong stream");
        io::stdout()
            .write_all(b"\xff\xfe\x00 not even text\n")
            .expect("standard output");
    }
    if behaviour == "error" {
        say(Event::Error {
            stage: Stage::Compile,
            code: Some(504),
            message: "status 504 (Compilation)".into(),
            environment: false,
        });
        process::exit(1);
    }
    say(Event::Loaded {
        load_ms: 1.5,
        signature: "serving_default".into(),
        inputs: vec![],
        outputs: vec![TensorInfo {
            name: "y".into(),
            spec: spec(),
        }],
        memory: memory(2000),
    });
    match behaviour {
        "hang_at_compile" => forever(),
        "hang_with_child" => {
            let mut child = process::Command::new("sleep").arg("300").spawn().expect("sleep");
            child.wait().expect("a child that outlives its deadline");
        }
        "crash" => process::abort(),
        "slow" => thread::sleep(Duration::from_millis(1500)),
        _ => {}
    }
    eprintln!("INFO: Created TensorFlow Lite XNNPACK delegate for CPU.");
    let placement = Placement {
        fully_accelerated: Some(true),
        buffer_types: vec![1],
        ..Placement::default()
    };
    say(Event::Compiled {
        compile_ms: 2.5,
        placement,
        memory: memory(3000),
    });
    say(Event::FirstRun {
        first_run_ms: 0.5,
        memory: memory(3100),
    });
    if behaviour == "no_result" {
        process::exit(0);
    }
    if behaviour == "endless_events" {
        for runs_done in 0..50_000 {
            say(Event::Progress { runs_done });
        }
        say(Event::Samples {
            samples_ns: vec![1; 1000],
        });
    }
    if behaviour == "no_space" {
        say(Event::Error {
            stage: Stage::Output,
            code: None,
            message: "no space left".into(),
            environment: true,
        });
        process::exit(1);
    }
    if behaviour == "long_message" {
        say(Event::Error {
            stage: Stage::Run,
            code: None,
            message: "x".repeat(3_000_000),
            environment: false,
        });
        process::exit(1);
    }
    let runs = if behaviour == "few_samples" {
        job.timing.runs / 2
    } else {
        job.timing.runs
    };
    say(Event::Samples {
        samples_ns: (0..runs).map(|i| 250_000 + u64::from(i)).collect(),
    });
    write_output(behaviour, &job.output_folder);
    say(Event::Done { memory: memory(4000) });
    match behaviour {
        "leave_child_with_output" => leave_child(&["sleep", "300"]),
        "leave_session_with_output" => leave_child(&["setsid", "sleep", "30"]),
        "die_after_done" => process::abort(),
        "exit_code_after_done" => process::exit(3),
        _ => {}
    }
}

/// Ends while a child still holds standard output and standard error.
fn leave_child(command: &[&str]) {
    let child = process::Command::new(command[0])
        .args(&command[1..])
        .spawn()
        .expect("a child");
    // It is meant to outlive this process.
    std::mem::forget(child);
    thread::sleep(Duration::from_millis(50));
}

fn write_output(behaviour: &str, folder: &Path) {
    let values = match behaviour {
        "nan" => [0.0, f32::NAN, 2.0, 3.0],
        "inaccurate" => [0.0, 1.0, 2.0, 2.0],
        // Another value each time, well within any threshold.
        "varies" => [0.0, 1.0, 2.0, 3.0 + (process::id() % 1000) as f32 * 1e-6],
        _ => VALUES,
    };
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    let sha256: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
    let file = folder.join("out0.bin");
    let bytes = if behaviour == "short_output" {
        &bytes[..7]
    } else {
        &bytes[..]
    };
    fs::write(&file, bytes).expect("a writable attempt folder");
    let output = |file| Event::Output {
        index: 0,
        name: "y".into(),
        spec: spec(),
        file,
        sha256: sha256.clone(),
    };
    match behaviour {
        "foreign_output" => say(output(folder.join("../../../../y.bin"))),
        "linked_output" => {
            let link = folder.join("link.bin");
            std::os::unix::fs::symlink(&file, &link).expect("a link");
            say(output(link));
        }
        "output_twice" => {
            say(output(file.clone()));
            say(output(file));
        }
        "litter" => {
            fs::write(folder.join("core"), vec![0; 1000]).expect("a writable attempt folder");
            say(output(file));
        }
        "no_folder" => {
            say(output(file));
            fs::remove_dir_all(folder).expect("its own folder");
            eprintln!("it is gone");
        }
        _ => say(output(file)),
    }
}

fn spec() -> TensorSpec {
    TensorSpec {
        dtype: DType::Float32,
        shape: vec![4],
    }
}

fn memory(kb: u64) -> Memory {
    Memory {
        rss_kb: Some(kb),
        peak_kb: Some(kb),
        anon_kb: Some(kb / 2),
        file_kb: Some(kb / 2),
    }
}

fn say(event: Event) {
    let line = serde_json::to_string(&EventLine::from(event)).expect("an event");
    println!("{line}");
}

fn forever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}
