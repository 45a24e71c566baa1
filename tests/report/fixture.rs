//! Hand-made cells and attempts.

use std::path::{Path, PathBuf};

use litmus::{
    agent::{Accelerator, CompileMode, Memory, Placement, Precision, ProviderOptions, Stage, ThermalReading},
    attempt::{AttemptRecord, AttemptStatus, Exit, HostState, Measured, Outcome, OutputFile},
    report::{Report, RunInfo, RunProtocol, TargetInfo, assemble},
    score::{Accuracy, Breakdown, Carriers, Part, Verdict, WorstShares},
    sweep::{Baseline, CellKey, KeyParts, PlannedCell},
    tensor::{DType, TensorSpec},
};

pub fn cell(graph: &str, case: &str, accelerator: Accelerator) -> PlannedCell {
    cell_with_threads(graph, case, accelerator, None)
}

pub fn cell_with_threads(graph: &str, case: &str, accelerator: Accelerator, threads: Option<u32>) -> PlannedCell {
    let options = ProviderOptions::new();
    let key = CellKey::new(&KeyParts {
        graph,
        signature: None,
        case,
        target: "local",
        accelerator,
        precision: Precision::Fp32,
        compile: CompileMode::Jit,
        runtime: "litert-2.3.0",
        threads,
        options: &options,
    });
    PlannedCell {
        key,
        graph: graph.to_owned(),
        file: PathBuf::from(format!("graphs/{graph}.tflite")),
        sha256: Some("5e".repeat(32)),
        bytes: Some(123_456),
        signature: None,
        case: case.to_owned(),
        target: "local".to_owned(),
        accelerator,
        precision: Precision::Fp32,
        compile: CompileMode::Jit,
        runtime: "litert-2.3.0".to_owned(),
        threads,
        options,
    }
}

/// An attempt that passed with complete samples.
pub fn passed(cell: &PlannedCell, attempt: u32, repeat: u32) -> AttemptRecord {
    let memory = |rss_kb: u64| {
        Some(Memory {
            rss_kb: Some(rss_kb),
            peak_kb: Some(rss_kb + 500),
            anon_kb: Some(rss_kb / 2),
            file_kb: Some(rss_kb / 4),
        })
    };
    let reading = |headroom| {
        Some(ThermalReading {
            status: Some("NONE".to_owned()),
            headroom: Some(headroom),
            temperature_c: Some(41.5),
            source: Some("sysfs".to_owned()),
        })
    };
    AttemptRecord {
        key: cell.key.clone(),
        attempt,
        repeat,
        try_number: 1,
        started: "2026-11-03T02:00:00Z".to_owned(),
        wall_ms: Some(812.25),
        outcome: Outcome {
            status: AttemptStatus::Pass,
            stage: None,
            code: None,
            message: None,
            exit: Some(Exit {
                code: Some(0),
                signal: None,
            }),
        },
        measured: Measured {
            signature: Some("serving_default".to_owned()),
            load_ms: Some(3.5),
            compile_ms: Some(10.0 * f64::from(repeat)),
            first_run_ms: Some(13.0),
            samples_ns: (0..8)
                .map(|i| 12_000_000 + u64::from(repeat) * 100_000 + i * 10_000)
                .collect(),
            placement: Some(Placement {
                fully_accelerated: Some(true),
                non_cpu_fully_accelerated: Some(cell.accelerator != Accelerator::Cpu),
                buffer_types: vec![if cell.accelerator == Accelerator::Cpu { 1 } else { 26 }; 2],
                accelerators: vec![],
            }),
            memory_baseline: memory(3_500),
            memory_loaded: memory(20_000),
            memory_compiled: memory(40_000),
            memory_first_run: memory(50_000),
            memory_done: memory(50_000 + u64::from(repeat) * 1_024),
            thermal_start: reading(0.583_333_3),
            thermal_end: reading(0.780_000_03),
            outputs: vec![output("aa")],
            ..Measured::default()
        },
        accuracy: vec![score("hidden", 61.52)],
        provider: Some(
            match cell.accelerator {
                Accelerator::Cpu => "xnnpack",
                Accelerator::Gpu => "webgpu/swiftshader",
                Accelerator::Npu => "openvino/cpu",
            }
            .to_owned(),
        ),
        host: HostState {
            load: Some(0.25),
            governor: Some("performance".to_owned()),
            quiet: Some(true),
        },
        thermal_gate: None,
    }
}

/// An attempt that ended badly before it measured anything.
pub fn ended(cell: &PlannedCell, attempt: u32, repeat: u32, status: AttemptStatus) -> AttemptRecord {
    let good = passed(cell, attempt, repeat);
    AttemptRecord {
        outcome: Outcome {
            status,
            stage: Some(Stage::Run),
            code: None,
            message: None,
            exit: None,
        },
        measured: Measured {
            load_ms: good.measured.load_ms,
            memory_baseline: good.measured.memory_baseline,
            ..Measured::default()
        },
        accuracy: vec![],
        ..good
    }
}

pub fn output(sha256: &str) -> OutputFile {
    OutputFile {
        index: 0,
        name: "StatefulPartitionedCall:0".to_owned(),
        spec: TensorSpec {
            dtype: DType::Float32,
            shape: vec![1, 64, 48],
        },
        sha256: sha256.repeat(32),
        earlier_sha256: None,
        file: None,
    }
}

pub fn score(output: &str, psnr_db: f64) -> Accuracy {
    Accuracy {
        output: output.to_owned(),
        reference: "framework fp32".to_owned(),
        count: 3_072,
        nonfinite: 0,
        first_nonfinite: None,
        equal_infinities: 0,
        identical: false,
        psnr_db: Some(psnr_db),
        range: Some(7.5),
        psnr_u8_db: None,
        snr_db: Some(psnr_db - 12.0),
        corr: Some(0.999_987_6),
        cosine: None,
        max_abs: Some(0.012_5),
        mean_abs: Some(0.000_75),
        rms: None,
        nrmse: None,
        ssim: None,
        worst: None,
        carriers: None,
        psnr_without_worst_0_5: None,
        outside: None,
        breakdown: None,
        verdict: Verdict::Pass,
        reason: None,
    }
}

pub fn identical(output: &str) -> Accuracy {
    Accuracy {
        identical: true,
        psnr_db: None,
        snr_db: None,
        corr: Some(1.0),
        max_abs: Some(0.0),
        mean_abs: Some(0.0),
        ..score(output, 0.0)
    }
}

pub fn picture(output: &str, psnr_u8_db: f64, ssim: f64) -> Accuracy {
    Accuracy {
        psnr_u8_db: Some(psnr_u8_db),
        ssim: Some(ssim),
        worst: Some(WorstShares {
            worst_0_1: 0.31,
            worst_0_5: 0.762_1,
            worst_1: 0.801,
            worst_5: 0.97,
        }),
        carriers: Some(Carriers {
            of_50: 0.002_4,
            of_90: 0.031,
        }),
        psnr_without_worst_0_5: Some(psnr_u8_db + 6.2),
        breakdown: Some(vec![
            Breakdown {
                by: "channel".to_owned(),
                parts: 3,
                worst: vec![Part { index: 1, share: 1.0 }],
            },
            Breakdown {
                by: "tile".to_owned(),
                parts: 64,
                worst: vec![Part { index: 23, share: 0.81 }, Part { index: 7, share: 0.06 }],
            },
        ]),
        ..score(output, psnr_u8_db + 0.5)
    }
}

pub fn signal(signal: i32) -> Option<Exit> {
    Some(Exit {
        code: None,
        signal: Some(signal),
    })
}

pub fn run_info(complete: bool) -> RunInfo {
    RunInfo {
        id: "nightly-20261103-020000".to_owned(),
        sweep: "nightly".to_owned(),
        sweep_sha256: "c0".repeat(32),
        started: "2026-11-03T02:00:00Z".to_owned(),
        finished: complete.then(|| "2026-11-03T02:14:30Z".to_owned()),
        complete,
        filter: None,
        shard: None,
        harness: "litmus 0.1.0".to_owned(),
        protocol: RunProtocol {
            warmups: 5,
            runs: 8,
            processes: 3,
        },
        rescored: None,
    }
}

pub fn targets() -> Vec<TargetInfo> {
    vec![TargetInfo {
        id: "local".to_owned(),
        kind: "local".to_owned(),
        device: Some("rack 7 | left".to_owned()),
        soc: None,
        os: Some("Debian 13".to_owned()),
        abi: Some("x86_64".to_owned()),
        cores: Some(16),
        memory_kb: Some(134_217_728),
    }]
}

pub const BASELINE: &str = r#"
[[expect]]
cell = "kv_vae/*/gpu/*"
provider = "webgpu/*"
status = ["failed"]
reason = "batch axis of the group norm"

[[expect]]
cell = "kc_prep/*/gpu/*"
status = ["failed", "crashed"]
reason = "used to fail"

[[expect]]
cell = "no_such_graph/*"
provider = "qnn/*"
status = ["timeout"]
reason = "a graph that | was renamed"
"#;

pub fn baseline() -> Baseline {
    Baseline::parse(BASELINE, Path::new("nightly.baseline.toml")).unwrap()
}

/// A run with every status, hostile names, unknown figures, several processes, pictures, and each expectation.
pub struct Everything {
    pub cells: Vec<PlannedCell>,
    pub attempts: Vec<AttemptRecord>,
}

impl Everything {
    pub fn report(&self) -> Report {
        assemble(run_info(true), targets(), &self.cells, &self.attempts, &baseline())
    }

    fn add(&mut self, cell: PlannedCell, attempts: impl IntoIterator<Item = AttemptRecord>) {
        for mut attempt in attempts {
            attempt.attempt = self.attempts.len() as u32 + 1;
            self.attempts.push(attempt);
        }
        self.cells.push(cell);
    }
}

pub fn everything() -> Everything {
    use Accelerator::{Cpu, Gpu, Npu};
    use AttemptStatus as S;
    let mut run = Everything {
        cells: vec![],
        attempts: vec![],
    };

    // Three processes, two outputs of which one is identical.
    let c = cell("kc_prep", "t2i", Cpu);
    let processes = [1, 2, 3].map(|repeat| AttemptRecord {
        accuracy: vec![identical("image"), score("text", 58.74)],
        ..passed(&c, 0, repeat)
    });
    run.add(c, processes);

    // The baseline expects a failure.
    let c = cell("kc_prep", "t2i", Gpu);
    let a = AttemptRecord {
        accuracy: vec![identical("image")],
        ..passed(&c, 0, 1)
    };
    run.add(c, [a]);

    // A picture, on a host that was not quiet.
    let c = cell("kv_vae", "t2i", Cpu);
    let mut a = passed(&c, 0, 1);
    a.accuracy = vec![picture("picture", 44.12, 0.999_98)];
    a.host.quiet = Some(false);
    run.add(c, [a]);

    // An expected failure.
    let c = cell("kv_vae", "t2i", Gpu);
    let mut a = ended(&c, 0, 1, S::Failed);
    a.outcome.stage = Some(Stage::Compile);
    a.outcome.code = Some(504);
    a.outcome.message =
        Some("the runtime cannot compile the graph: unable to parse bc coord for BATCH axis".to_owned());
    run.add(c, [a]);

    // No driver, so no process and nothing known.
    let c = cell("kv_vae", "t2i", Npu);
    let mut a = ended(&c, 0, 1, S::Unavailable);
    a.outcome.stage = Some(Stage::Prepare);
    a.outcome.message = Some("no dispatch library is installed".to_owned());
    a.provider = None;
    a.wall_ms = None;
    a.measured = Measured::default();
    a.host = HostState::default();
    run.add(c, [a]);

    let c = cell_with_threads("ke_enc0", "t2i", Gpu, Some(2));
    let mut a = passed(&c, 0, 1);
    a.outcome.status = S::Nonfinite;
    a.accuracy = vec![Accuracy {
        nonfinite: 12,
        first_nonfinite: Some(7),
        psnr_db: None,
        snr_db: None,
        corr: None,
        max_abs: None,
        mean_abs: None,
        verdict: Verdict::Nonfinite,
        ..score("hidden", 0.0)
    }];
    run.add(c, [a]);

    let c = cell("kc_single0", "t2i", Gpu);
    let mut a = passed(&c, 0, 1);
    a.outcome.status = S::Inaccurate;
    a.accuracy = vec![Accuracy {
        verdict: Verdict::Inaccurate,
        reason: Some("psnr 31.2 dB is below 40".to_owned()),
        ..score("joint", 31.24)
    }];
    run.add(c, [a]);

    let c = cell("kc_single1", "t2i", Gpu);
    let crash = |try_number| {
        let mut a = ended(&c, 0, 1, S::Crashed);
        a.try_number = try_number;
        a.outcome.stage = Some(Stage::Compile);
        a.outcome.exit = signal(11);
        a
    };
    run.add(c.clone(), [crash(1), crash(2)]);

    let c = cell("kc_single2", "t2i", Gpu);
    let mut a = ended(&c, 0, 1, S::Timeout);
    a.outcome.message = Some("no progress for 60 s; the process group was killed".to_owned());
    a.outcome.exit = signal(9);
    run.add(c, [a]);

    let c = cell("kc_single3", "t2i", Gpu);
    let mut a = ended(&c, 0, 1, S::NoResult);
    a.outcome.exit = Some(Exit {
        code: Some(1),
        signal: None,
    });
    run.add(c, [a]);

    // Passed on the second try.
    let c = cell("kc_final", "t2i", Cpu);
    let mut first = ended(&c, 0, 1, S::Crashed);
    first.outcome.exit = signal(7);
    first.outcome.message = Some("the process died while it ran".to_owned());
    let second = AttemptRecord {
        try_number: 2,
        ..passed(&c, 0, 1)
    };
    run.add(c, [first, second]);

    // Two processes disagree.
    let c = cell("kc_final", "t2i", Gpu);
    let one = passed(&c, 0, 1);
    let mut other = passed(&c, 0, 2);
    other.measured.outputs = vec![output("bb")];
    run.add(c, [one, other]);

    // A name that tries to break every format.
    let c = cell("a|b`c`,\"d\"\n\u{202e}<script>\u{1b}[31m", "=1+1;2%", Cpu);
    let mut a = passed(&c, 0, 1);
    a.outcome.status = S::Unscored;
    a.accuracy = vec![];
    run.add(c, [a]);

    // A good measurement whose process did not end well.
    let c = cell("kc_double0", "t2i", Gpu);
    let mut a = passed(&c, 0, 1);
    a.outcome.exit = signal(11);
    run.add(c, [a]);

    run.add(cell("kce_prep", "edit", Cpu), []);
    run
}
