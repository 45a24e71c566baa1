//! How long does a large run take to fold and render? Printed, never judged: run in release mode, by hand.

use std::{hint::black_box, time::Instant};

use litmus::{
    agent::Accelerator,
    report::{Closing, Plain, assemble, csv, json, markdown, terminal},
};

use crate::fixture::{baseline, cell, passed, run_info, targets};

#[test]
#[ignore = "a measurement"]
fn a_hundred_thousand_rows() {
    let cells: Vec<_> = (0..100_000)
        .map(|i| cell(&format!("graph_{i}"), "t2i", Accelerator::Gpu))
        .collect();
    let attempts: Vec<_> = (1..)
        .zip(&cells)
        .map(|(number, cell)| {
            let mut attempt = passed(cell, number, 1);
            attempt.measured.samples_ns = (0..50).map(|i| 12_345_678 + i * i * 1_237).collect();
            attempt
        })
        .collect();
    let start = Instant::now();
    let lap = |what: &str, since: Instant| eprintln!("{what:8} {:6.2} s", since.elapsed().as_secs_f64());
    let report = assemble(run_info(true), targets(), &cells, &attempts, &baseline());
    lap("fold", start);
    let closing = Closing {
        wall: start.elapsed(),
        folder: "reports/x",
    };
    let time = |what: &str, render: &dyn Fn() -> String| {
        let since = Instant::now();
        let bytes = black_box(render()).len();
        lap(what, since);
        eprintln!("         {:6.1} MB", bytes as f64 / 1e6);
    };
    time("json", &|| json(&report).unwrap());
    time("csv", &|| csv(&report).unwrap());
    time("markdown", &|| markdown(&report));
    time("terminal", &|| terminal(&report, &Plain, &closing));
    lap("all", start);
}
