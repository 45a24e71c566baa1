//! Does any file make the .npy reader panic, or give values that are not as long as its shape says?

#![no_main]

use libfuzzer_sys::fuzz_target;
use litmus::tensor::file::parse_npy;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(npy) = parse_npy(bytes) {
        let expected = npy.spec.bytes().unwrap();
        assert_eq!(bytes.len() - npy.start, expected);
        if let Some(values) = npy.rearranged(bytes) {
            assert_eq!(values.len(), expected);
        }
    }
});
