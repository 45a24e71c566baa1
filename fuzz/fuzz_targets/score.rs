//! Do any two tensors of any type and shape give a metric that is not finite, or a panic?

#![no_main]

use libfuzzer_sys::fuzz_target;
use litmus::{
    score::{Comparison, Terms, Values, score, triptych},
    sweep::{OutputKind, PictureLayout, PictureMapping, Thresholds},
    tensor::DType,
};

fuzz_target!(|input: (u8, u8, bool, &[u8])| {
    let (dtype, columns, equal_infinities, bytes) = input;
    let dtype = DType::ALL[dtype as usize % DType::ALL.len()];
    let columns = columns.max(1) as usize;
    let rows = bytes.len() / 2 / dtype.bytes() / columns;
    let length = rows * columns * dtype.bytes();
    let shape = [1, rows as u32, columns as u32];
    for kind in [
        OutputKind::Tensor,
        OutputKind::Picture {
            layout: PictureLayout::Nchw,
            mapping: PictureMapping::MinusOneToOne,
        },
    ] {
        let comparison = Comparison {
            output: "out",
            reference_kind: "fuzz",
            shape: &shape,
            reference: Values::plain(dtype, &bytes[..length]),
            actual: Values::plain(dtype, &bytes[length..2 * length]),
            kind,
            thresholds: Thresholds::TENSOR,
            terms: Terms {
                equal_infinities,
                ..Terms::default()
            },
        };
        let accuracy = score(&comparison).unwrap();
        // JSON has no NaN and no infinity: what is none and what is null must be the same.
        let json = serde_json::to_string(&accuracy).unwrap();
        assert_eq!(serde_json::from_str::<litmus::score::Accuracy>(&json).unwrap(), accuracy);
        let _ = triptych(&comparison);
    }
});
