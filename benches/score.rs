//! How fast are a score and a summary? Prints medians; scripts/golden/time_baseline.py times numpy and scikit-image on the same sizes.

use std::{hint::black_box, time::Instant};

use litmus::{
    score::{Comparison, Terms, Values, score},
    stats::latency,
    sweep::{OutputKind, PictureLayout, PictureMapping, Thresholds},
    tensor::{DType, TensorSpec},
};

const REPEATS: usize = 15;

fn main() {
    for (dtype, count) in [
        (DType::Float32, 8_400_000),
        (DType::Float16, 8_400_000),
        (DType::Int8, 8_400_000),
    ] {
        let spec = TensorSpec {
            dtype,
            shape: vec![count],
        };
        time(&format!("streaming pass, {spec}"), &spec, OutputKind::Tensor);
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
        time(&format!("picture with SSIM, {spec}"), &spec, kind);
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

fn time(what: &str, spec: &TensorSpec, kind: OutputKind) {
    let (reference, actual) = pair(spec);
    let comparison = Comparison {
        output: "out",
        reference_kind: "bench",
        shape: &spec.shape,
        reference: Values::plain(spec.dtype, &reference),
        actual: Values::plain(spec.dtype, &actual),
        kind,
        thresholds: Thresholds::default(),
        terms: Terms::default(),
    };
    let mut times_ms: Vec<f64> = (0..REPEATS)
        .map(|_| {
            let start = Instant::now();
            black_box(score(black_box(&comparison)).expect("the bench's own sizes fit"));
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times_ms.sort_by(f64::total_cmp);
    println!(
        "{what}: median {:.1} ms, min {:.1} ms of {REPEATS}",
        times_ms[REPEATS / 2],
        times_ms[0]
    );
}

/// Two tensors of values in [0, 1] (or of small integers) that differ a little.
fn pair(spec: &TensorSpec) -> (Vec<u8>, Vec<u8>) {
    let count = spec.elements().expect("the bench's own sizes fit");
    let mut state = 1u32;
    let mut values = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((state >> 16) & 255, (state >> 28) & 7)
    };
    let (mut reference, mut actual) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let (value, error) = values();
        for (bytes, level) in [(&mut reference, value), (&mut actual, value ^ error)] {
            match spec.dtype {
                DType::Float32 => bytes.extend((level as f32 / 255.0).to_le_bytes()),
                DType::Float16 => bytes.extend(half::f16::from_f32(level as f32 / 255.0).to_le_bytes()),
                _ => bytes.push(level as u8),
            }
        }
    }
    (reference, actual)
}
