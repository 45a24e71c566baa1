//! Which graph can be measured without fetching one? Writes a generated graph to a file.
//!
//!     cargo run --example make-graph -- fc-chain --size 1024 --layers 8 --rows 64 OUT.tflite
//!     cargo run --example make-graph -- add-int8 OUT.tflite

#[path = "../tests/support/tflite_builder.rs"]
#[allow(dead_code)]
mod tflite_builder;
#[path = "../tests/support/tflite_graphs.rs"]
mod tflite_graphs;

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Parser;

/// Writes a generated graph.
#[derive(Parser)]
struct Args {
    /// fc-chain, or a graph of one or a few operators.
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(
        std::iter::once("fc-chain").chain(tflite_graphs::NAMES)))]
    graph: String,
    out: PathBuf,
    /// Width of a layer of fc-chain.
    #[arg(long, default_value_t = 1024)]
    size: usize,
    /// Layers of fc-chain.
    #[arg(long, default_value_t = 8)]
    layers: usize,
    /// Rows that fc-chain works on at once.
    #[arg(long, default_value_t = 128)]
    rows: usize,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    if args.size == 0 || args.layers == 0 || args.rows == 0 {
        bail!("--size, --layers and --rows must be at least 1");
    }
    let weights = args
        .size
        .checked_pow(2)
        .and_then(|n| n.checked_mul(args.layers))
        .and_then(|n| n.checked_mul(4));
    if weights.is_none_or(|bytes| bytes > 2_000_000_000) {
        bail!("a graph file holds less than 2 GB; lower --size or --layers");
    }
    let model = match tflite_graphs::by_name(&args.graph) {
        Some(model) => model,
        None => tflite_graphs::fc_chain(args.size, args.layers, args.rows),
    };
    std::fs::write(&args.out, model.build()).with_context(|| format!("cannot write {}", args.out.display()))
}
