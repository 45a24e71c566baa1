//! Does any file make the .tflite reader panic, loop or allocate without bound?
//!
//! RUSTC_BOOTSTRAP=1 cargo fuzz run tflite_verify fuzz/corpus/tflite_verify references/tiny-klein/graphs -- -max_len=65536 -timeout=5 -rss_limit_mb=1024

#![no_main]

use libfuzzer_sys::fuzz_target;
use litmus::tflite::{GraphInfo, verify};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(verified) = verify(bytes) {
        let info = GraphInfo::read(&verified);
        assert!(!info.signatures.is_empty());
    }
});
