//! Which rules does every score keep?
#![cfg(feature = "host")]

use half::{bf16, f16};
use litmus::{
    score::{Accuracy, Comparison, ScoreError, Terms, Values, Verdict, score},
    stats::{Summary, median_interval95},
    sweep::{OutputKind, PictureLayout, PictureMapping, Thresholds},
    tensor::{DType, TensorSpec},
};
use proptest::prelude::*;

const FLOATS: [DType; 4] = [DType::Float32, DType::Float16, DType::Bfloat16, DType::Float64];

fn spec(dtype: DType, shape: &[usize]) -> TensorSpec {
    TensorSpec {
        dtype,
        shape: shape.iter().map(|&d| d as u32).collect(),
    }
}

fn f32s(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn float(dtype: DType, value: f64) -> Vec<u8> {
    match dtype {
        DType::Float32 => (value as f32).to_le_bytes().to_vec(),
        DType::Float16 => f16::from_f64(value).to_le_bytes().to_vec(),
        DType::Bfloat16 => bf16::from_f64(value).to_le_bytes().to_vec(),
        DType::Float64 => value.to_le_bytes().to_vec(),
        other => panic!("{other} is no float"),
    }
}

fn floats(dtype: DType, values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|&v| float(dtype, v)).collect()
}

struct Case<'a> {
    spec: TensorSpec,
    kind: OutputKind,
    reference: &'a [u8],
    actual: &'a [u8],
    thresholds: Thresholds,
}

impl<'a> Case<'a> {
    fn tensor(dtype: DType, reference: &'a [u8], actual: &'a [u8]) -> Case<'a> {
        Case {
            spec: spec(dtype, &[reference.len() / dtype.bytes()]),
            kind: OutputKind::Tensor,
            reference,
            actual,
            thresholds: Thresholds::TENSOR,
        }
    }

    fn score(&self) -> Result<Accuracy, ScoreError> {
        score(&Comparison {
            output: "image",
            reference_kind: "framework fp32",
            shape: &self.spec.shape,
            reference: Values::plain(self.spec.dtype, self.reference),
            actual: Values::plain(self.spec.dtype, self.actual),
            kind: self.kind,
            thresholds: self.thresholds,
            terms: Terms::default(),
        })
    }
}

fn tensor(reference: &[f32], actual: &[f32]) -> Accuracy {
    Case::tensor(DType::Float32, &f32s(reference), &f32s(actual))
        .score()
        .unwrap()
}

fn picture(mapping: PictureMapping, side: usize, reference: &[f32], actual: &[f32]) -> Accuracy {
    Case {
        spec: spec(DType::Float32, &[1, 1, side, side]),
        kind: OutputKind::Picture {
            layout: PictureLayout::Nchw,
            mapping,
        },
        reference: &f32s(reference),
        actual: &f32s(actual),
        thresholds: Thresholds::PICTURE,
    }
    .score()
    .unwrap()
}

fn close(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(1.0),
        (a, b) => a == b,
    }
}

#[test]
fn an_output_of_nans_alone_fails_and_has_no_psnr() {
    let accuracy = tensor(&[1.0, 2.0, 3.0, 4.0], &[f32::NAN; 4]);
    assert_eq!(accuracy.verdict, Verdict::Nonfinite);
    assert_eq!((accuracy.nonfinite, accuracy.first_nonfinite), (4, Some(0)));
    assert_eq!((accuracy.psnr_db, accuracy.ssim, accuracy.corr), (None, None, None));
    assert!(!accuracy.identical);
    assert_eq!(
        accuracy.reason.as_deref(),
        Some("4 of 4 values are NaN or infinite, the first at index 0")
    );
}

#[test]
fn a_nan_fails_even_where_the_reference_holds_the_same_nan() {
    let same = [1.0, f32::NAN, 2.0];
    assert_eq!(tensor(&same, &same).verdict, Verdict::Nonfinite);
    assert!(!tensor(&same, &same).identical);
}

#[test]
fn a_reference_that_can_judge_nothing_is_refused_with_its_reason() {
    let refused = |reference: &[f32], actual: &[f32]| {
        let accuracy = tensor(reference, actual);
        assert_eq!(accuracy.verdict, Verdict::Refused);
        assert_eq!(accuracy.psnr_db, None);
        accuracy.reason.unwrap()
    };
    assert_eq!(
        refused(&[1.0, f32::INFINITY, f32::NAN], &[1.0; 3]),
        "2 of 3 values of the reference are NaN or infinite, the first at index 1"
    );
    assert_eq!(
        refused(&[0.0, -0.0], &[0.0, 1.0]),
        "the reference is constant: all 2 finite values are 0"
    );
    assert_eq!(
        refused(&[2.5; 3], &[2.5; 3]),
        "the reference is constant: all 3 finite values are 2.5"
    );
    assert_eq!(refused(&[], &[]), "the reference has no elements");
}

#[test]
fn the_peak_comes_from_the_reference_and_one_wild_value_cannot_raise_it() {
    let reference: Vec<f32> = (0..196_608).map(|i| (i % 3) as f32 - 1.0).collect();
    let mut actual = reference.clone();
    actual[777] = 1e6;
    let accuracy = tensor(&reference, &actual);
    assert_eq!(accuracy.range, Some(2.0));
    assert!((accuracy.psnr_db.unwrap() + 61.0).abs() < 0.1);
    assert_eq!(accuracy.verdict, Verdict::Inaccurate);
    assert_eq!(accuracy.reason.as_deref(), Some("psnr -61 dB is below 40 dB"));
}

#[test]
fn an_error_of_0_02_is_40_db_on_a_span_of_two_and_33_98_on_a_span_of_one() {
    for (span, psnr_db) in [(2.0, 40.0), (1.0, 33.98)] {
        let reference: Vec<f32> = (0..144).map(|i| (i % 9) as f32 / 8.0 * span).collect();
        let actual: Vec<f32> = reference.iter().map(|x| x + 0.02).collect();
        assert!((tensor(&reference, &actual).psnr_db.unwrap() - psnr_db).abs() < 1e-2);
    }
}

#[test]
fn the_bound_of_a_picture_is_on_its_8_bit_form() {
    let reference: Vec<f32> = (0..144).map(|i| (i * 7 % 16) as f32 / 15.0 * 2.0 - 1.0).collect();
    // Overshoot beyond white and black is clamped away in the picture, and not in the tensor.
    let actual: Vec<f32> = reference
        .iter()
        .map(|&x| if x.abs() == 1.0 { x * 1.5 } else { x })
        .collect();
    let accuracy = picture(PictureMapping::MinusOneToOne, 12, &reference, &actual);
    assert!(accuracy.psnr_db.unwrap() < 37.0);
    assert_eq!((accuracy.psnr_u8_db, accuracy.ssim), (None, Some(1.0)));
    assert!(!accuracy.identical);
    assert_eq!(accuracy.verdict, Verdict::Pass);
    assert_eq!(accuracy.reason.as_deref(), Some("the 8-bit pictures are equal"));
}

#[test]
fn a_picture_below_the_window_has_no_ssim_and_cannot_keep_a_bound_on_it() {
    let reference: Vec<f32> = (0..64).map(|i| i as f32 / 63.0).collect();
    let mut actual = reference.clone();
    actual[0] = 1.0;
    let small = picture(PictureMapping::ZeroToOne, 8, &reference, &actual);
    assert_eq!((small.ssim, small.verdict), (None, Verdict::Inaccurate));
    let reason = small.reason.unwrap();
    assert!(
        reason.ends_with(
            "ssim is undefined and cannot keep its bound of 0.995: the smallest side of the picture is 8, below 11"
        ),
        "{reason}"
    );
    let identical = picture(PictureMapping::ZeroToOne, 8, &reference, &reference);
    assert_eq!((identical.identical, identical.verdict), (true, Verdict::Pass));
    assert_eq!(
        identical.reason.as_deref(),
        Some("no ssim: the smallest side of the picture is 8, below 11")
    );
}

#[test]
fn a_constant_output_has_no_correlation_and_keeps_no_bound_on_it() {
    let case = |corr| Thresholds {
        corr,
        ..Thresholds::default()
    };
    let (reference, actual) = (f32s(&[1.0, 2.0]), f32s(&[1.5, 1.5]));
    let mut judged = Case::tensor(DType::Float32, &reference, &actual);
    judged.thresholds = case(Some(-1.0));
    let accuracy = judged.score().unwrap();
    assert_eq!((accuracy.corr, accuracy.verdict), (None, Verdict::Inaccurate));
    judged.thresholds = case(None);
    assert_eq!(judged.score().unwrap().verdict, Verdict::Pass);
}

#[test]
fn a_bound_on_ssim_of_a_plain_tensor_never_passes_unseen() {
    let (reference, actual) = (f32s(&[1.0, 2.0]), f32s(&[1.0, 2.1]));
    let mut case = Case::tensor(DType::Float32, &reference, &actual);
    case.thresholds = Thresholds {
        ssim: Some(0.5),
        ..Thresholds::default()
    };
    let accuracy = case.score().unwrap();
    assert_eq!(accuracy.verdict, Verdict::Inaccurate);
    assert!(
        accuracy
            .reason
            .unwrap()
            .contains("the output is a tensor, not a picture")
    );
}

#[test]
fn lengths_and_shapes_that_do_not_fit_are_errors_that_name_them() {
    let (long, short) = (f32s(&[1.0, 2.0]), f32s(&[1.0]));
    let error = Case::tensor(DType::Float32, &long, &short).score().unwrap_err();
    assert_eq!(
        error.to_string(),
        "the output of \"image\" has 4 bytes, but float32[2] takes 8"
    );
    let mut case = Case::tensor(DType::Float32, &long, &long);
    case.kind = OutputKind::Picture {
        layout: PictureLayout::Nchw,
        mapping: PictureMapping::Byte,
    };
    let error = case.score().unwrap_err().to_string();
    assert!(error.contains("float32[2]") && error.contains("[1,C,H,W]"), "{error}");
    case.spec.shape = vec![u32::MAX; 3];
    assert!(matches!(case.score(), Err(ScoreError::Size { .. })));
}

#[test]
fn values_at_the_end_of_the_floats_give_no_infinite_metric() {
    let (reference, actual) = ([f64::MAX, -f64::MAX, 0.0], [-f64::MAX, f64::MAX, 0.0]);
    let (reference, actual) = (floats(DType::Float64, &reference), floats(DType::Float64, &actual));
    let accuracy = Case::tensor(DType::Float64, &reference, &actual).score().unwrap();
    assert_eq!(accuracy.verdict, Verdict::Inaccurate);
    for metric in [
        accuracy.psnr_db,
        accuracy.range,
        accuracy.snr_db,
        accuracy.max_abs,
        accuracy.mean_abs,
    ] {
        assert!(metric.is_none_or(f64::is_finite));
    }
}

#[test]
fn neighbouring_integers_beyond_2_to_the_53_are_not_identical() {
    let bytes = |values: [i64; 2]| values.map(i64::to_le_bytes).concat();
    let (reference, actual) = (bytes([i64::MAX, 0]), bytes([i64::MAX - 1, 0]));
    let accuracy = Case::tensor(DType::Int64, &reference, &actual).score().unwrap();
    assert_eq!((accuracy.identical, accuracy.max_abs), (false, Some(1.0)));
}

#[test]
fn sums_of_a_million_values_keep_their_digits() {
    // Far from zero against its spread, where sums of plain squares lose everything.
    let count = 1_000_000i128;
    let level = |i: i128, step: i128| 2_000_000_000 + (i * step) % 101;
    let (mut squared, mut absolute, mut r_sum, mut a_sum) = (0, 0, 0, 0);
    let (mut rr, mut aa, mut ra) = (0, 0, 0);
    let (mut reference, mut actual) = (Vec::new(), Vec::new());
    for i in 0..count {
        let (r, a) = (level(i, 7), level(i, 7) + (i * 13) % 5 - 2);
        squared += (a - r) * (a - r);
        absolute += (a - r).abs();
        (r_sum, a_sum) = (r_sum + r, a_sum + a);
        (rr, aa, ra) = (rr + r * r, aa + a * a, ra + r * a);
        reference.extend((r as i32).to_le_bytes());
        actual.extend((a as i32).to_le_bytes());
    }
    let central = |square: i128, x: i128, y: i128| (count * square - x * y) as f64;
    let corr = central(ra, r_sum, a_sum) / (central(rr, r_sum, r_sum) * central(aa, a_sum, a_sum)).sqrt();
    let snr_db = 10.0 * (rr as f64 / squared as f64).log10();
    let accuracy = Case::tensor(DType::Int32, &reference, &actual).score().unwrap();
    assert_eq!(accuracy.mean_abs, Some(absolute as f64 / count as f64));
    assert!((accuracy.corr.unwrap() - corr).abs() < 1e-13);
    assert!((accuracy.snr_db.unwrap() - snr_db).abs() < 1e-12);
}

/// A reference that is not constant and an output for it.
fn pair() -> impl Strategy<Value = Vec<(f32, f32)>> {
    prop::collection::vec((-1e3f32..1e3, -1e3f32..1e3), 2..3000)
        .prop_filter("a constant reference", |pairs| pairs.iter().any(|p| p.0 != pairs[0].0))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_order_of_elements_does_not_matter(pairs in pair(), by in 1usize..3000) {
        let (reference, actual): (Vec<f32>, Vec<f32>) = pairs.iter().copied().unzip();
        let mut moved = pairs.clone();
        moved.rotate_left(by % pairs.len());
        moved.reverse();
        let (moved_reference, moved_actual): (Vec<f32>, Vec<f32>) = moved.into_iter().unzip();
        let (a, b) = (tensor(&reference, &actual), tensor(&moved_reference, &moved_actual));
        prop_assert!(close(a.psnr_db, b.psnr_db) && close(a.snr_db, b.snr_db) && close(a.corr, b.corr));
        prop_assert!(close(a.mean_abs, b.mean_abs));
        prop_assert_eq!((a.max_abs, a.range, a.identical), (b.max_abs, b.range, b.identical));
    }

    #[test]
    fn scaling_both_sides_leaves_snr_psnr_and_correlation_alone(pairs in pair(), power in -20i32..20) {
        let (reference, actual): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
        let scaled = |side: &[f32]| side.iter().map(|x| x * 2f32.powi(power)).collect::<Vec<_>>();
        let (a, b) = (tensor(&reference, &actual), tensor(&scaled(&reference), &scaled(&actual)));
        prop_assert!(close(a.snr_db, b.snr_db) && close(a.psnr_db, b.psnr_db) && close(a.corr, b.corr));
    }

    #[test]
    fn one_nan_or_infinity_anywhere_always_fails(
        pairs in pair(), at: prop::sample::Index, dtype in prop::sample::select(FLOATS.to_vec()),
        bad in prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY]),
    ) {
        let (reference, mut actual): (Vec<f64>, Vec<f64>) =
            pairs.iter().map(|&(r, a)| (f64::from(r), f64::from(a))).unzip();
        let at = at.index(actual.len());
        actual[at] = bad;
        let (reference, actual) = (floats(dtype, &reference), floats(dtype, &actual));
        let accuracy = Case::tensor(dtype, &reference, &actual).score().unwrap();
        prop_assert_eq!(accuracy.verdict, Verdict::Nonfinite);
        prop_assert_eq!((accuracy.nonfinite, accuracy.first_nonfinite), (1, Some(at as u64)));
        let refused = Case::tensor(dtype, &actual, &reference).score().unwrap();
        prop_assert_eq!(refused.verdict, Verdict::Refused);
        let index = format!("at index {at}");
        prop_assert!(refused.reason.unwrap().ends_with(&index));
    }

    #[test]
    fn equal_bytes_are_identical_for_every_integer_type(
        bytes in prop::collection::vec(any::<u8>(), 16..4096), dtype in prop::sample::select(DType::ALL.to_vec()),
    ) {
        prop_assume!(!FLOATS.contains(&dtype));
        let whole = bytes.len() / 8 * 8;
        let accuracy = Case::tensor(dtype, &bytes[..whole], &bytes[..whole]).score().unwrap();
        prop_assert!(accuracy.identical);
        prop_assert_eq!((accuracy.psnr_db, accuracy.snr_db), (None, None));
        prop_assert!(matches!(accuracy.verdict, Verdict::Pass | Verdict::Refused));
    }

    #[test]
    fn equal_values_are_identical_for_every_float_type_and_zeros_have_no_sign(
        values in prop::collection::vec(-1e3f64..1e3, 1..3000), dtype in prop::sample::select(FLOATS.to_vec()),
    ) {
        let side = |zero: f64| floats(dtype, &[&[zero, 1e4][..], &values].concat());
        let accuracy = Case::tensor(dtype, &side(0.0), &side(-0.0)).score().unwrap();
        prop_assert!(accuracy.identical);
        prop_assert_eq!((accuracy.psnr_db, accuracy.snr_db), (None, None));
        prop_assert_eq!((accuracy.max_abs, accuracy.corr), (Some(0.0), Some(1.0)));
        prop_assert_eq!((accuracy.verdict, accuracy.reason), (Verdict::Pass, None));
    }

    #[test]
    fn a_change_of_any_bit_of_an_integer_is_seen(
        mut bytes in prop::collection::vec(any::<u8>(), 16..4096), bit: prop::sample::Index,
        dtype in prop::sample::select(DType::ALL.to_vec()),
    ) {
        prop_assume!(!FLOATS.contains(&dtype) && dtype != DType::Bool);
        bytes.truncate(bytes.len() / 8 * 8);
        let reference = bytes.clone();
        let bit = bit.index(bytes.len() * 8);
        bytes[bit / 8] ^= 1 << (bit % 8);
        let accuracy = Case::tensor(dtype, &reference, &bytes).score().unwrap();
        prop_assert!(!accuracy.identical);
    }

    #[test]
    fn no_bytes_at_all_make_a_metric_infinite_or_a_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..2048), dtype in prop::sample::select(DType::ALL.to_vec()),
    ) {
        let half = bytes.len() / 16 * 8;
        let accuracy = Case::tensor(dtype, &bytes[..half], &bytes[half..2 * half]).score().unwrap();
        let metrics = [
            accuracy.psnr_db, accuracy.range, accuracy.snr_db, accuracy.corr, accuracy.max_abs, accuracy.mean_abs,
        ];
        prop_assert!(metrics.into_iter().flatten().all(f64::is_finite));
        prop_assert_eq!(accuracy.verdict == Verdict::Nonfinite, accuracy.nonfinite > 0);
    }

    #[test]
    fn a_summary_lies_within_its_samples(samples in prop::collection::vec(1e-3f64..1e6, 1..200)) {
        let s = Summary::of(&samples).unwrap();
        let slack = 1e-12 * s.max;
        prop_assert!(s.min <= s.median && s.median <= s.p90 + slack && s.p90 <= s.max);
        prop_assert!(s.min <= s.mean + slack && s.mean <= s.max + slack);
        prop_assert!(s.mad <= s.max - s.min && s.outliers * 2 <= s.n);
    }

    #[test]
    fn an_interval_holds_the_median_and_ignores_the_order(samples in prop::collection::vec(1e-3f64..1e6, 3..60)) {
        let median = Summary::of(&samples).unwrap().median;
        let interval = median_interval95(&samples).unwrap();
        prop_assert!(interval[0] <= median && median <= interval[1]);
        let reversed: Vec<f64> = samples.into_iter().rev().collect();
        prop_assert_eq!(median_interval95(&reversed), Some(interval));
    }
}
