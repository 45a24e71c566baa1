//! Does any text make a reader of sweep files, baselines, indexes, events or journals panic?

#![no_main]

use std::path::{Path, PathBuf};

use libfuzzer_sys::fuzz_target;
use litmus::{
    agent::EventLine,
    attempt::fold_journal,
    graphset::Index,
    sweep::{Baseline, Filter, Shard, SweepFile},
};

fuzz_target!(|bytes: &[u8]| {
    let path = Path::new("fuzzed");
    // Each either reads the text or says why not; only that it answers is asked.
    let _ = fold_journal(path, bytes);
    let _ = serde_json::from_slice::<Index>(bytes);
    let _ = serde_json::from_slice::<EventLine>(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = SweepFile::parse(path, text.to_owned(), PathBuf::new());
        let _ = Baseline::parse(text, path);
        let _ = Filter::new(text);
        let _ = text.parse::<Shard>();
    }
});
