//! Does any file make the .safetensors reader panic, or name bytes that are not in the file?

#![no_main]

use libfuzzer_sys::fuzz_target;
use litmus::tensor::file::parse_safetensors;

fuzz_target!(|bytes: &[u8]| {
    for view in parse_safetensors(bytes).unwrap_or_default() {
        assert_eq!(bytes[view.start..view.start + view.length].len(), view.spec.bytes().unwrap());
    }
});
