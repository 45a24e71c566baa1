//! Does the agent do a job on a real runtime, and refuse what it must?
//!
//! These tests need LiteRT 2.3.0 and fail without it.
#![cfg(feature = "host")]

mod support;

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use litmus::{
    agent::{
        Accelerator, EXIT_DEADLINE, EXIT_ORPHANED, Event, OptionValue, Precision, ProviderOptions, Stage, TensorName,
    },
    tensor::DType,
};
use support::agent::{Agent, Attempt, f32s, graph_set, run, sha256};

/// A short job on the first case of one graph of the tiny klein set.
fn attempt(graph: &str) -> Attempt {
    let (root, index) = graph_set("tiny-klein");
    let entry = &index.graphs[graph];
    Attempt::new(&root, &entry.file, entry.cases.values().next().unwrap())
}

fn option(identifier: &str, key: &str, value: OptionValue) -> ProviderOptions {
    [(identifier.to_owned(), [(key.to_owned(), value)].into())].into()
}

/// Stage, code and message of the error that ended the attempt.
fn refusal(attempt: &Attempt) -> (Stage, Option<i32>, String) {
    let report = run(&attempt.job);
    assert_eq!(report.status.code(), Some(1), "{report:?}");
    match report.events.last() {
        Some(Event::Error {
            stage, code, message, ..
        }) => (*stage, *code, message.clone()),
        other => panic!("expected an error at the end, got {other:?}"),
    }
}

fn fully_accelerated(attempt: &Attempt) -> Option<bool> {
    run(&attempt.job).find(|event| match event {
        Event::Compiled { placement, .. } => Some(placement.fully_accelerated),
        _ => None,
    })
}

fn kind(event: &Event) -> &'static str {
    match event {
        Event::Hello { .. } => "hello",
        Event::Loaded { .. } => "loaded",
        Event::Compiled { .. } => "compiled",
        Event::FirstRun { .. } => "first_run",
        Event::Progress { .. } => "progress",
        Event::Samples { .. } => "samples",
        Event::Output { .. } => "output",
        Event::Thermal { .. } => "thermal",
        Event::Done { .. } => "done",
        Event::Error { .. } => "error",
    }
}

#[test]
fn all_21_klein_graphs_run_in_all_their_cases() {
    let (root, index) = graph_set("tiny-klein");
    assert_eq!(index.graphs.len(), 21);
    for (name, entry) in &index.graphs {
        for (case_name, case) in &entry.cases {
            let attempt = Attempt::new(&root, &entry.file, case);
            let report = run(&attempt.job);
            assert!(report.status.success(), "{name}/{case_name}: {report:?}");
            let written = report.events.iter().filter(|event| kind(event) == "output").count();
            assert_eq!(written, case.outputs.len(), "{name}/{case_name}");
            for output in &case.outputs {
                let values = f32s(&attempt.output(output.index));
                assert_eq!(values.len(), output.spec.elements().unwrap(), "{name}/{case_name}");
                assert!(values.iter().all(|value| value.is_finite()), "{name}/{case_name}");
            }
        }
    }
}

#[test]
fn an_output_is_the_graphs_own_and_near_its_fp32_reference() {
    let (root, index) = graph_set("tiny-klein");
    let entry = &index.graphs["kv_vae"];
    let case = &entry.cases["t2i"];
    let attempt = Attempt::new(&root, &entry.file, case);
    let report = run(&attempt.job);
    assert!(report.status.success(), "{report:?}");
    let output = f32s(&attempt.output(0));
    let reference = f32s(&root.join(&case.outputs[0].file));
    let power = |values: &mut dyn Iterator<Item = f32>| values.map(|v| f64::from(v).powi(2)).sum::<f64>();
    let signal = power(&mut reference.iter().copied());
    let noise = power(&mut output.iter().zip(&reference).map(|(o, r)| o - r));
    let snr_db = 10.0 * (signal / noise).log10();
    assert!(
        (20.0..100.0).contains(&snr_db),
        "an int8 graph against fp32: {snr_db} dB"
    );
}

#[test]
fn events_come_in_order_and_say_what_happened() {
    let mut attempt = attempt("kc_final");
    attempt.job.timing.runs = 7;
    let report = run(&attempt.job);
    let kinds: Vec<&str> = report
        .events
        .iter()
        .map(kind)
        .filter(|kind| *kind != "progress")
        .collect();
    let expected = [
        "hello",
        "loaded",
        "compiled",
        "first_run",
        "thermal",
        "thermal",
        "samples",
        "output",
        "done",
    ];
    assert_eq!(kinds, expected, "{report:?}");

    let samples = report.find(|event| match event {
        Event::Samples { samples_ns } => Some(samples_ns.clone()),
        _ => None,
    });
    assert_eq!(samples.len(), 7);
    assert!(samples.iter().all(|&sample| sample > 0), "{samples:?}");

    let placement = report.find(|event| match event {
        Event::Compiled { placement, .. } => Some(placement.clone()),
        _ => None,
    });
    assert_eq!(
        placement.buffer_types,
        [1, 1, 1],
        "two inputs and one output in host memory"
    );
    assert_eq!(
        placement.accelerators.len(),
        1,
        "one accelerator in the process: {placement:?}"
    );

    let hash = report.find(|event| match event {
        Event::Output { sha256, .. } => Some(sha256.clone()),
        _ => None,
    });
    assert_eq!(hash, sha256(&attempt.output(0)));
}

#[test]
fn memory_is_small_before_the_runtime_and_grows_with_it() {
    let report = run(&attempt("kc_final").job);
    let memory: Vec<_> = report
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Hello { memory, .. } | Event::Loaded { memory, .. } | Event::Done { memory } => Some(memory),
            _ => None,
        })
        .collect();
    assert!(memory[0].rss_kb.unwrap() <= 4096, "{:?}", memory[0]);
    assert!(memory[1].rss_kb > memory[0].rss_kb);
    assert!(memory[2].peak_kb >= memory[1].peak_kb);
}

#[test]
fn inputs_bind_by_name_as_well() {
    let by_index = attempt("kc_final");
    let mut by_name = attempt("kc_final");
    for (index, input) in by_name.job.inputs.iter_mut().enumerate() {
        input.tensor = TensorName::Name(format!("args_{index}"));
    }
    by_name.job.inputs.reverse();
    let outputs = [&by_index, &by_name].map(|attempt| {
        let report = run(&attempt.job);
        assert!(report.status.success(), "{report:?}");
        fs::read(attempt.output(0)).unwrap()
    });
    assert_eq!(outputs[0], outputs[1]);
}

#[test]
fn an_input_of_another_type_shape_or_length_is_refused() {
    let mut wrong_type = attempt("kc_final");
    wrong_type.job.inputs[0].spec.dtype = DType::Int32;
    let (stage, code, message) = refusal(&wrong_type);
    assert_eq!((stage, code), (Stage::Bind, None));
    assert!(
        message.contains("float32[1,108,48]") && message.contains("int32[1,108,48]"),
        "{message}"
    );

    let mut wrong_shape = attempt("kc_final");
    wrong_shape.job.inputs[0].spec.shape = vec![1, 48, 108];
    let (stage, _, message) = refusal(&wrong_shape);
    assert_eq!(stage, Stage::Bind);
    assert!(message.contains("float32[1,48,108]"), "{message}");

    for length in [0, 188, 191, 193, 384] {
        let mut wrong_length = attempt("kc_final");
        let file = wrong_length.folder.path().join("input.bin");
        fs::write(&file, vec![0; length]).unwrap();
        wrong_length.job.inputs[1].file = file;
        let (stage, _, message) = refusal(&wrong_length);
        assert_eq!(stage, Stage::Bind);
        let said = message.contains(&format!("holds {length} bytes")) && message.contains("is 192 bytes");
        assert!(said, "{message}");
    }

    let mut absent = attempt("kc_final");
    absent.job.inputs[1].file = absent.folder.path().join("absent.bin");
    let (stage, _, message) = refusal(&absent);
    assert_eq!(stage, Stage::Bind);
    assert!(message.contains("absent.bin"), "{message}");
}

#[test]
fn a_tensor_or_signature_that_is_not_there_is_refused_with_those_that_are() {
    let mut signature = attempt("kc_final");
    signature.job.signature = Some("decode".to_owned());
    let (stage, _, message) = refusal(&signature);
    assert_eq!(stage, Stage::Load);
    assert!(
        message.contains("\"decode\"") && message.contains("serving_default"),
        "{message}"
    );

    let mut input = attempt("kc_final");
    input.job.inputs[0].tensor = TensorName::Name("joint".to_owned());
    let (stage, _, message) = refusal(&input);
    assert_eq!(stage, Stage::Bind);
    assert!(
        message.contains("joint") && message.contains("args_0, args_1"),
        "{message}"
    );
}

#[test]
fn every_input_is_bound_exactly_once() {
    let mut twice = attempt("kc_final");
    let again = twice.job.inputs[1].clone();
    twice.job.inputs.push(again);
    let (stage, _, message) = refusal(&twice);
    assert_eq!(
        (stage, message.as_str()),
        (Stage::Bind, "input \"args_1\" is bound twice")
    );

    let mut missing = attempt("kc_final");
    missing.job.inputs.pop();
    let (stage, _, message) = refusal(&missing);
    assert_eq!(stage, Stage::Bind);
    assert!(message.contains("\"args_1\" float32[1,48]"), "{message}");
}

#[test]
fn kernel_mode_reaches_the_cpu() {
    assert_eq!(fully_accelerated(&attempt("kc_final")), Some(true));
    for mode in ["builtin", "reference"] {
        let mut other = attempt("kc_final");
        other.job.options = option("xnnpack", "kernel_mode", OptionValue::Text(mode.to_owned()));
        assert_eq!(fully_accelerated(&other), Some(false), "{mode}");
    }
}

#[test]
fn threads_reach_the_cpu() {
    let threads_of_process = [1, 3].map(|threads| {
        let mut attempt = attempt("kv_vae");
        attempt.job.threads = Some(threads);
        attempt.job.timing.runs = 1_000_000;
        let mut agent = Agent::start(&attempt.job);
        agent.wait_for("first_run", |event| kind(event) == "first_run");
        agent.thread_count()
    });
    assert_eq!(
        threads_of_process[1] - threads_of_process[0],
        2,
        "{threads_of_process:?}"
    );
}

#[test]
fn a_weight_cache_is_written_where_the_option_says() {
    let mut cached = attempt("kc_single0");
    let cache = cached.folder.path().join("a weight's #1=[ü] cache.bin");
    let path = OptionValue::Text(cache.to_str().unwrap().to_owned());
    cached.job.options = option("xnnpack", "weight_cache_file_path", path);
    let report = run(&cached.job);
    assert!(report.status.success(), "{report:?}");
    assert!(fs::metadata(&cache).unwrap().len() > 1000);
}

#[test]
fn an_option_the_runtime_would_ignore_is_refused_before_it_starts() {
    let mut typo = attempt("kc_final");
    typo.job.options = option("xnnpack", "num_thread", OptionValue::Integer(2));
    let (stage, _, message) = refusal(&typo);
    assert_eq!(stage, Stage::Start);
    assert!(
        message.contains("num_threads, kernel_mode, weight_cache_file_path"),
        "{message}"
    );

    let mut half = attempt("kc_final");
    half.job.precision = Precision::Fp16;
    assert_eq!(refusal(&half).0, Stage::Start);
}

#[test]
fn closing_standard_input_ends_a_long_run_at_once() {
    let mut attempt = attempt("kv_vae");
    attempt.job.timing.runs = 1_000_000;
    let mut agent = Agent::start(&attempt.job);
    agent.wait_for("thermal", |event| kind(event) == "thermal");
    let started = Instant::now();
    for _ in 0..2 {
        agent.wait_for("progress", |event| kind(event) == "progress");
    }
    assert!(
        started.elapsed() >= Duration::from_millis(1900),
        "{:?}",
        started.elapsed()
    );

    let closed = Instant::now();
    let status = agent.close_stdin_and_wait();
    assert_eq!(status.code(), Some(EXIT_ORPHANED.into()));
    assert!(closed.elapsed() < Duration::from_secs(2), "{:?}", closed.elapsed());
}

#[test]
fn the_deadline_ends_a_long_run_from_either_source() {
    let mut attempt = attempt("kv_vae");
    attempt.job.timing.runs = 1_000_000;
    attempt.job.deadline_ms = Some(700);
    let started = Instant::now();
    let by_file = run(&attempt.job).status;
    let by_stdin = Agent::start(&attempt.job).wait();
    assert_eq!(by_file.code(), Some(EXIT_DEADLINE.into()));
    assert_eq!(by_stdin.code(), Some(EXIT_DEADLINE.into()));
    assert!(
        started.elapsed() >= Duration::from_millis(1400),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn a_job_on_standard_input_is_done_while_it_stays_open() {
    let attempt = attempt("kc_final");
    let mut agent = Agent::start(&attempt.job);
    agent.wait_for("done", |event| kind(event) == "done");
    assert!(agent.wait().success());
}

#[test]
fn an_agent_whose_host_leaves_before_the_job_ends_with_an_error() {
    let mut agent = Agent::start_without_job();
    assert_eq!(agent.close_stdin_and_wait().code(), Some(1));
}

#[test]
fn a_library_that_is_no_runtime_for_this_machine_is_named_as_such() {
    let with_library = |make: &dyn Fn(&Path)| {
        let mut attempt = attempt("kc_final");
        let folder = attempt.folder.path().join("runtime");
        fs::create_dir(&folder).unwrap();
        make(&folder.join("libLiteRt.so"));
        attempt.job.runtime = folder;
        let (stage, code, message) = refusal(&attempt);
        assert_eq!((stage, code), (Stage::Start, None), "{message}");
        message
    };

    let message = with_library(&|_| {});
    assert!(message.contains("litmus runtime install litert-2.3.0"), "{message}");

    let message = with_library(&|library| fs::write(library, "#!/bin/sh\nexit 0 # long enough\n").unwrap());
    assert!(message.contains("is not an ELF file"), "{message}");

    let (machine, name) = if cfg!(target_arch = "aarch64") {
        (62, "x86_64")
    } else {
        (183, "aarch64")
    };
    let message = with_library(&|library| {
        let mut header = vec![0; 64];
        header[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
        header[18] = machine;
        fs::write(library, header).unwrap();
    });
    let expected = format!("is for {name}, this machine is {}", std::env::consts::ARCH);
    assert!(message.contains(&expected), "{message}");

    let message = with_library(&|library| {
        let mut header = vec![0; 64];
        header[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
        header[18] = if machine == 62 { 183 } else { 62 };
        fs::write(library, header).unwrap();
    });
    assert!(message.contains("cannot load the runtime library"), "{message}");

    let message = with_library(&|library| symlink(c_library(), library).unwrap());
    assert!(message.contains("has no symbol LiteRt"), "{message}");
}

/// The C library this test runs with: a loadable library that is surely no LiteRT.
fn c_library() -> PathBuf {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let mut files = maps.lines().filter_map(|line| line.split_whitespace().nth(5));
    files.find(|file| file.contains("libc.so")).unwrap().into()
}

#[test]
fn what_is_no_job_or_no_graph_is_reported_with_its_stage() {
    let mut absent = attempt("kc_final");
    absent.job.model = absent.folder.path().join("absent.tflite");
    let (stage, _, message) = refusal(&absent);
    assert_eq!(stage, Stage::Verify);
    assert!(message.contains("absent.tflite"), "{message}");

    let mut schema = attempt("kc_final");
    schema.job.schema = "litmus.job/2".to_owned();
    let (stage, _, message) = refusal(&schema);
    assert_eq!(stage, Stage::Start);
    assert!(message.contains("litmus.job/1"), "{message}");
}

#[test]
fn an_output_that_cannot_be_written_is_an_error_after_the_samples() {
    let mut attempt = attempt("kc_final");
    attempt.job.output_folder = attempt.folder.path().join("absent");
    let report = run(&attempt.job);
    let kinds: Vec<&str> = report.events.iter().map(kind).collect();
    assert_eq!(kinds[kinds.len() - 2..], ["samples", "error"], "{report:?}");
    assert!(
        matches!(
            report.events.last(),
            Some(Event::Error {
                stage: Stage::Output,
                ..
            })
        ),
        "{report:?}"
    );
}

#[test]
fn a_gpu_that_is_not_there_is_an_error_and_never_a_cpu_run() {
    let mut gpu = attempt("kc_final");
    gpu.job.accelerator = Accelerator::Gpu;
    let folder = gpu.folder.path().join("runtime");
    fs::create_dir(&folder).unwrap();
    symlink(gpu.job.runtime.join("libLiteRt.so"), folder.join("libLiteRt.so")).unwrap();
    gpu.job.runtime = folder;
    let (stage, code, message) = refusal(&gpu);
    assert_eq!((stage, code), (Stage::Compile, Some(504)), "{message}");
    assert!(message.contains("504 (Compilation)"), "{message}");
}
