//! How fast is a score? Prints medians; or, driven by scripts/bench/score-vs-peers, one time for each line it is sent.
//!
//!     cargo bench --bench score
//!     score --serve tensor REFERENCE ACTUAL        raw float32, as one row
//!     score --serve picture REFERENCE ACTUAL SIDE  raw uint8 of three channels, channels last

use std::{
    fs,
    hint::black_box,
    io::{self, BufRead},
    time::Instant,
};

use litmus::{
    score::{Comparison, Terms, Values, score},
    stats::latency,
    sweep::{OutputKind, PictureLayout, PictureMapping, Thresholds},
    tensor::{DType, TensorSpec},
};

const REPEATS: usize = 15;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["--serve", "tensor", reference, actual] => {
            let (reference, actual) = (read(reference), read(actual));
            let shape = vec![reference.len() as u32 / 4];
            let spec = TensorSpec {
                dtype: DType::Float32,
                shape,
            };
            serve(&spec, OutputKind::Tensor, &reference, &actual);
        }
        ["--serve", "picture", reference, actual, side] => {
            let side = side.parse().expect("the side is a number");
            let spec = TensorSpec {
                dtype: DType::Uint8,
                shape: vec![1, side, side, 3],
            };
            let kind = OutputKind::Picture {
                layout: PictureLayout::Nhwc,
                mapping: PictureMapping::Byte,
            };
            serve(&spec, kind, &read(reference), &read(actual));
        }
        _ => print_medians(),
    }
}

fn read(path: &str) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("cannot read {path}: {error}"))
}

/// Scores once for every line of standard input, and says how many milliseconds it took.
fn serve(spec: &TensorSpec, kind: OutputKind, reference: &[u8], actual: &[u8]) {
    for line in io::stdin().lock().lines() {
        line.expect("standard input can be read");
        println!("{}", time_ms(spec, kind, reference, actual));
    }
}

fn print_medians() {
    for dtype in [DType::Float32, DType::Float16, DType::Int8] {
        let spec = TensorSpec {
            dtype,
            shape: vec![8_400_000],
        };
        median(&format!("tensor, {spec}"), &spec, OutputKind::Tensor);
    }
    for layout in [PictureLayout::Nchw, PictureLayout::Nhwc] {
        let shape = match layout {
            PictureLayout::Nchw => vec![1, 3, 1024, 1024],
            PictureLayout::Nhwc => vec![1, 1024, 1024, 3],
        };
        let spec = TensorSpec {
            dtype: DType::Float32,
            shape,
        };
        let kind = OutputKind::Picture {
            layout,
            mapping: PictureMapping::ZeroToOne,
        };
        median(&format!("picture, {spec}"), &spec, kind);
    }
    time_latency();
}

/// A report of many rows summarises each.
fn time_latency() {
    const ROWS: u32 = 10_000;
    let samples: Vec<f64> = (0..50).map(|i| 10.0 + f64::from(i * i % 37) / 64.0).collect();
    let processes = [samples];
    let start = Instant::now();
    for _ in 0..ROWS {
        black_box(latency(black_box(&processes)));
    }
    let micros = start.elapsed().as_secs_f64() * 1e6 / f64::from(ROWS);
    println!("latency of 50 samples: {micros:.1} µs a row, over {ROWS} rows");
}

fn median(what: &str, spec: &TensorSpec, kind: OutputKind) {
    let (reference, actual) = pair(spec);
    let mut times: Vec<f64> = (0..REPEATS).map(|_| time_ms(spec, kind, &reference, &actual)).collect();
    times.sort_by(f64::total_cmp);
    println!(
        "{what}: median {:.1} ms, min {:.1} ms of {REPEATS}",
        times[REPEATS / 2],
        times[0]
    );
}

fn time_ms(spec: &TensorSpec, kind: OutputKind, reference: &[u8], actual: &[u8]) -> f64 {
    let comparison = Comparison {
        output: "out",
        reference_kind: "bench",
        shape: &spec.shape,
        reference: Values::plain(spec.dtype, reference),
        actual: Values::plain(spec.dtype, actual),
        kind,
        thresholds: Thresholds::default(),
        terms: Terms::default(),
    };
    let start = Instant::now();
    black_box(score(black_box(&comparison)).expect("the bench's own sizes fit"));
    start.elapsed().as_secs_f64() * 1e3
}

/// Two tensors of values in [0, 1] (or of small integers) that differ a little.
fn pair(spec: &TensorSpec) -> (Vec<u8>, Vec<u8>) {
    let count = spec.elements().expect("the bench's own sizes fit");
    let mut state = 1u32;
    let mut uniform = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    };
    let (mut reference, mut actual) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let (value, error) = (uniform(), uniform() - uniform());
        for (bytes, value) in [(&mut reference, value), (&mut actual, value + 0.01 * error)] {
            match spec.dtype {
                DType::Float32 => bytes.extend((value as f32).to_le_bytes()),
                DType::Float16 => bytes.extend(half::f16::from_f64(value).to_le_bytes()),
                _ => bytes.push((value * 127.0) as u8),
            }
        }
    }
    (reference, actual)
}
