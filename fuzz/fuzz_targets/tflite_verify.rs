//! Does any file make the .tflite reader panic, loop or allocate without bound?

#![no_main]

use libfuzzer_sys::fuzz_target;
use litmus::tflite::{GraphInfo, verify};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(verified) = verify(bytes) {
        let info = GraphInfo::read(&verified);
        assert!(!info.signatures.is_empty());
    }
});
