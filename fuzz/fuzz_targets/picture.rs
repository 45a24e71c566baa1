//! Does any file make the PNG and JPEG reader panic, allocate without bound, or give levels that are not as many as its shape says?

#![no_main]

use libfuzzer_sys::fuzz_target;
use litmus::tensor::file::decode_picture;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(picture) = decode_picture(bytes) {
        assert_eq!(picture.levels.len(), picture.spec.bytes().unwrap());
    }
});
