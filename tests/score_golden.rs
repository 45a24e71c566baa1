//! Do scores and summaries equal what public tools compute? The values are made by scripts/golden.
#![cfg(feature = "host")]

use half::{bf16, f16};
use litmus::{
    score::{Accuracy, Comparison, Terms, Values, Verdict, score},
    stats::{Summary, latency, median_interval95},
    sweep::{OutputKind, PictureLayout, PictureMapping, Thresholds},
    tensor::{DType, TensorSpec},
};
use serde::Deserialize;

/// The top eight bits of a linear congruential sequence, as scripts/golden/golden.py makes them.
fn levels(seed: u32) -> impl Iterator<Item = i64> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        i64::from(state >> 24)
    })
}

fn bytes(dtype: DType, values: impl IntoIterator<Item = f64>) -> Vec<u8> {
    let encode = |v: f64| match dtype {
        DType::Float32 => (v as f32).to_le_bytes().to_vec(),
        DType::Float16 => f16::from_f64(v).to_le_bytes().to_vec(),
        DType::Bfloat16 => bf16::from_f64(v).to_le_bytes().to_vec(),
        DType::Float64 => v.to_le_bytes().to_vec(),
        DType::Int8 => (v as i8).to_le_bytes().to_vec(),
        DType::Uint8 => (v as u8).to_le_bytes().to_vec(),
        DType::Uint16 => (v as u16).to_le_bytes().to_vec(),
        DType::Int32 => (v as i32).to_le_bytes().to_vec(),
        other => panic!("no golden value is {other}"),
    };
    values.into_iter().flat_map(encode).collect()
}

fn scored(spec: &TensorSpec, kind: OutputKind, reference: &[u8], actual: &[u8]) -> Accuracy {
    score(&Comparison {
        output: "out",
        reference_kind: "golden",
        shape: &spec.shape,
        reference: Values::plain(spec.dtype, reference),
        actual: Values::plain(spec.dtype, actual),
        kind,
        thresholds: Thresholds::default(),
        terms: Terms::default(),
    })
    .unwrap()
}

fn assert_close(what: &str, actual: Option<f64>, expected: f64, relative: f64) {
    let actual = actual.unwrap_or_else(|| panic!("{what} is none, not {expected}"));
    assert!(
        (actual - expected).abs() <= relative * expected.abs().max(1.0),
        "{what}: {actual} is not {expected}"
    );
}

#[derive(Debug, Deserialize)]
struct Picture {
    height: usize,
    width: usize,
    channels: usize,
    noise: u32,
    error: i64,
    span: i64,
    psnr_u8_db: f64,
    ssim: f64,
}

impl Picture {
    /// As `pair` of scripts/golden/pictures.py, channels last.
    fn pair(&self) -> (Vec<u8>, Vec<u8>) {
        let count = self.height * self.width * self.channels;
        let pixels = levels(1).zip(levels(2)).take(count).enumerate();
        pixels
            .map(|(i, (rough, change))| {
                let y = i / (self.width * self.channels);
                let x = i / self.channels % self.width;
                let c = i % self.channels;
                let level = ((2 * x + 3 * y + 40 * c) as i64 + (rough >> (8 - self.noise))) % 256 * self.span / 256;
                let moved = level + change * (2 * self.error + 1) / 256 - self.error;
                (level as u8, moved.clamp(0, 255) as u8)
            })
            .unzip()
    }

    fn spec(&self, dtype: DType) -> TensorSpec {
        TensorSpec {
            dtype,
            shape: [1, self.height, self.width, self.channels].map(|d| d as u32).to_vec(),
        }
    }
}

#[test]
fn ssim_and_psnr_of_pictures_equal_scikit_image() {
    let pictures: Vec<Picture> = serde_json::from_str(include_str!("golden/pictures.json")).unwrap();
    assert!(pictures.len() >= 12);
    for picture in pictures {
        let (reference, actual) = picture.pair();
        let kind = OutputKind::Picture {
            layout: PictureLayout::Nhwc,
            mapping: PictureMapping::Byte,
        };
        let accuracy = scored(&picture.spec(DType::Uint8), kind, &reference, &actual);
        let what = format!("{picture:?}");
        assert_close(&what, accuracy.ssim, picture.ssim, 1e-12);
        assert_close(&what, accuracy.psnr_u8_db, picture.psnr_u8_db, 1e-12);
        let with_full_range = accuracy
            .psnr_db
            .zip(accuracy.range)
            .map(|(db, range)| db + 20.0 * (255.0 / range).log10());
        assert_close(&what, with_full_range, picture.psnr_u8_db, 1e-12);
    }
}

#[test]
fn every_mapping_shows_the_levels_it_was_made_from() {
    let pictures: Vec<Picture> = serde_json::from_str(include_str!("golden/pictures.json")).unwrap();
    let picture = &pictures[4];
    let (reference, actual) = picture.pair();
    for (mapping, scale, offset) in [
        (PictureMapping::MinusOneToOne, 2.0 / 255.0, -1.0),
        (PictureMapping::ZeroToOne, 1.0 / 255.0, 0.0),
        (PictureMapping::Byte, 1.0, 0.0),
    ] {
        let tensor = |levels: &[u8]| {
            bytes(
                DType::Float32,
                levels.iter().map(|&level| f64::from(level) * scale + offset),
            )
        };
        let kind = OutputKind::Picture {
            layout: PictureLayout::Nhwc,
            mapping,
        };
        let accuracy = scored(
            &picture.spec(DType::Float32),
            kind,
            &tensor(&reference),
            &tensor(&actual),
        );
        assert_close("ssim", accuracy.ssim, picture.ssim, 1e-12);
        assert_close("psnr_u8_db", accuracy.psnr_u8_db, picture.psnr_u8_db, 1e-12);
        // The tensor's own PSNR, taken with the span of the mapping, is that of the levels: both scale alike.
        let with_span = accuracy
            .psnr_db
            .zip(accuracy.range)
            .map(|(db, range)| db + 20.0 * (255.0 * scale / range).log10());
        assert_close("psnr_db", with_span, picture.psnr_u8_db, 1e-5);
    }
}

#[derive(Debug, Deserialize)]
struct Elementwise {
    dtype: DType,
    count: usize,
    offset: f64,
    scale: f64,
    range: f64,
    psnr_db: f64,
    snr_db: f64,
    corr: f64,
    max_abs: f64,
    mean_abs: f64,
    rms: f64,
    cosine: f64,
    worst: [f64; 4],
    carriers: [f64; 2],
    psnr_without_worst_0_5: Option<f64>,
}

#[test]
fn metrics_of_tensors_equal_numpy() {
    let tensors: Vec<Elementwise> = serde_json::from_str(include_str!("golden/elementwise.json")).unwrap();
    for golden in tensors {
        let errors = levels(4).map(|e| (e >> 6) - 2);
        let (reference, actual): (Vec<f64>, Vec<f64>) = levels(3)
            .zip(errors)
            .take(golden.count)
            .map(|(value, error)| {
                let error = if (2..=253).contains(&value) { error } else { 0 };
                let scaled = |level: i64| level as f64 * golden.scale + golden.offset;
                (scaled(value), scaled(value + error))
            })
            .unzip();
        let spec = TensorSpec {
            dtype: golden.dtype,
            shape: vec![golden.count as u32],
        };
        let accuracy = scored(
            &spec,
            OutputKind::Tensor,
            &bytes(golden.dtype, reference),
            &bytes(golden.dtype, actual),
        );
        let what = format!("{golden:?}");
        assert_close(&what, accuracy.range, golden.range, 1e-12);
        assert_close(&what, accuracy.psnr_db, golden.psnr_db, 1e-12);
        assert_close(&what, accuracy.snr_db, golden.snr_db, 1e-12);
        assert_close(&what, accuracy.corr, golden.corr, 1e-12);
        assert_close(&what, accuracy.max_abs, golden.max_abs, 1e-12);
        assert_close(&what, accuracy.mean_abs, golden.mean_abs, 1e-12);
        assert_close(&what, accuracy.rms, golden.rms, 1e-12);
        assert_close(&what, accuracy.cosine, golden.cosine, 1e-12);
        let worst = accuracy.worst.unwrap();
        let worst = [worst.worst_0_1, worst.worst_0_5, worst.worst_1, worst.worst_5];
        for (share, golden) in worst.into_iter().zip(golden.worst) {
            assert_close(&what, Some(share), golden, 1e-12);
        }
        let carriers = accuracy.carriers.unwrap();
        assert_eq!([carriers.of_50, carriers.of_90], golden.carriers, "{what}");
        match golden.psnr_without_worst_0_5 {
            Some(db) => assert_close(&what, accuracy.psnr_without_worst_0_5, db, 1e-12),
            None => assert_eq!(accuracy.psnr_without_worst_0_5, None, "{what}"),
        }
        assert_eq!(accuracy.verdict, Verdict::Pass);
    }
}

#[derive(Debug, Deserialize)]
struct Series {
    samples: Vec<f64>,
    median: f64,
    mean: f64,
    p90: f64,
    mad: f64,
    drift: Option<f64>,
    outliers: usize,
    ci95: Option<[f64; 2]>,
    exact_ranks: Option<[usize; 2]>,
}

fn series() -> Vec<Series> {
    serde_json::from_str(include_str!("golden/samples.json")).unwrap()
}

#[test]
fn summaries_of_samples_equal_numpy_and_scipy() {
    for golden in series() {
        let summary = Summary::of(&golden.samples).unwrap();
        assert_eq!(summary.n, golden.samples.len());
        assert_eq!((summary.median, summary.mad), (golden.median, golden.mad));
        assert_eq!(summary.outliers, golden.outliers);
        assert_close("mean", Some(summary.mean), golden.mean, 1e-12);
        assert_close("p90", Some(summary.p90), golden.p90, 1e-12);
        match golden.drift {
            Some(drift) => assert_close("drift", summary.drift, drift, 1e-12),
            None => assert_eq!(summary.drift, None),
        }
        let latency = latency(std::slice::from_ref(&golden.samples)).unwrap();
        assert_eq!(latency.median, golden.median);
        assert_eq!(latency.ci95, golden.ci95);
    }
}

#[test]
fn the_interval_is_that_of_numpys_medians_over_the_same_draws() {
    for golden in series() {
        assert_eq!(median_interval95(&golden.samples), golden.ci95, "{golden:?}");
    }
}

#[test]
fn the_interval_lies_within_one_sample_of_the_exact_bootstrap_distribution() {
    let mut checked = 0;
    for golden in series() {
        let Some(exact) = golden.exact_ranks else { continue };
        let ranks: Vec<f64> = (0..golden.samples.len()).map(|i| i as f64).collect();
        let drawn = median_interval95(&ranks).unwrap();
        for (drawn, exact) in drawn.into_iter().zip(exact) {
            assert!(
                (drawn - exact as f64).abs() <= 1.0,
                "{drawn} v. {exact} of {}",
                ranks.len()
            );
        }
        checked += 1;
    }
    assert!(checked >= 4);
}
