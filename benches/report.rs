//! How long does a run of 100,000 rows take to fold and render? Wanted: 3 s or less. `cargo bench --bench report` prints it.

#[path = "../tests/report/fixture.rs"]
#[expect(dead_code, reason = "the tests use all of it")]
mod fixture;

use std::{hint::black_box, time::Instant};

use litmus::{
    agent::Accelerator,
    report::{Closing, Plain, assemble, csv, json, markdown, terminal},
};

use fixture::{baseline, cell, passed, run_info, targets};

fn main() {
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
    let lap = |what: &str, since: Instant| println!("{what:8} {:6.2} s", since.elapsed().as_secs_f64());
    let report = assemble(run_info(true), targets(), &cells, &attempts, &baseline());
    lap("fold", start);
    let closing = Closing {
        wall: start.elapsed(),
        folder: "reports/x",
        columns: None,
    };
    let time = |what: &str, render: &dyn Fn() -> String| {
        let since = Instant::now();
        let bytes = black_box(render()).len();
        lap(what, since);
        println!("         {:6.1} MB", bytes as f64 / 1e6);
    };
    time("json", &|| json(&report).unwrap());
    time("csv", &|| csv(&report).unwrap());
    time("markdown", &|| markdown(&report));
    time("terminal", &|| terminal(&report, &Plain, &closing));
    lap("all", start);
}
