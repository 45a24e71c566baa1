//! Are real graphs read as an independent reader reads them, and refused when a part of them is missing?
//!
//! `litert_cpu_scores.json` was made by a Python reader of the flatbuffers (names, shapes, types, operators, bytes).

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use litmus::tflite::{GraphInfo, verify, verify_file};
use serde_json::Value;

fn references() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("references")
}

fn graphs_in(folder: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(references().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "tflite"))
        .collect();
    found.sort();
    found
}

/// The 42 graphs of the two klein sets.
fn klein() -> Vec<PathBuf> {
    let found = [graphs_in("tiny-klein/graphs"), graphs_in("tiny-klein-fp32/graphs")].concat();
    assert_eq!(found.len(), 42);
    found
}

#[test]
fn sound_graphs_are_accepted() {
    let probes = graphs_in("probes");
    assert!(probes.len() >= 10);
    for path in klein().iter().chain(&probes) {
        verify_file(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}

#[test]
fn a_graph_cut_anywhere_is_refused() {
    for path in klein() {
        let bytes = std::fs::read(&path).unwrap();
        let tenths = (0..10).map(|tenth| bytes.len() * tenth / 10);
        let small = bytes.len() < 60_000;
        let steps = (0..bytes.len()).step_by(64).filter(|_| small);
        for cut in tenths.chain(steps).chain([bytes.len() - 1]) {
            assert!(
                verify(&bytes[..cut]).is_err(),
                "{} cut to {cut} of {}",
                path.display(),
                bytes.len()
            );
        }
    }
}

#[test]
fn the_message_for_a_cut_graph_says_what_where_and_what_to_do() {
    let bytes = std::fs::read(references().join("tiny-klein/graphs/ke_enc0.tflite")).unwrap();
    let message = verify(&bytes[..bytes.len() / 2]).unwrap_err().to_string();
    for part in [
        "Model.",
        "end of the file",
        "at byte",
        "truncated or damaged; fetch it again",
    ] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn summaries_agree_with_an_independent_reader() {
    let scores = std::fs::read_to_string(references().join("tiny-klein/litert_cpu_scores.json")).unwrap();
    let scores: Value = serde_json::from_str(&scores).unwrap();
    let mut compared = 0;
    for (set, folder) in [("int8", "tiny-klein"), ("fp32", "tiny-klein-fp32")] {
        for (name, want) in scores[set]["graphs"].as_object().unwrap() {
            let path = references().join(folder).join("graphs").join(format!("{name}.tflite"));
            let info = GraphInfo::read_file(&path).unwrap();
            let context = format!("{set}/{name}");

            let ops: BTreeMap<String, usize> = serde_json::from_value(want["ops"].clone()).unwrap();
            assert_eq!(info.ops, ops, "{context}");
            assert_eq!(info.op_total as u64, want["n_ops"], "{context}");
            assert_eq!(info.subgraphs as u64, want["subgraphs"], "{context}");
            let weights: BTreeMap<String, u64> = serde_json::from_value(want["const_bytes"].clone()).unwrap();
            let found: BTreeMap<String, u64> = info.weight_bytes.iter().map(|(k, v)| ((*k).to_owned(), *v)).collect();
            assert_eq!(found, weights, "{context}");

            let [signature] = info.signatures.as_slice() else {
                panic!("{context}: one signature wanted")
            };
            assert_eq!(signature.key.as_deref(), want["sig"]["key"].as_str(), "{context}");
            for (side, found) in [("inputs", &signature.inputs), ("outputs", &signature.outputs)] {
                let names: Vec<_> = found.iter().map(|t| t.name.as_str()).collect();
                assert_eq!(serde_json::json!(names), want["sig_order"][side], "{context} {side}");
                for (tensor, want) in found.iter().zip(want[side].as_array().unwrap()) {
                    assert_eq!(tensor.dtype.schema_name(), want["dtype"], "{context} {side}");
                    assert_eq!(serde_json::json!(tensor.shape), want["shape"], "{context} {side}");
                    assert!(tensor.spec().is_some());
                }
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 42);
}
