//! Are the sentences those one can derive by hand from a published table?
//!
//! The figures are the Galaxy S26 rows of the FLUX.2 [klein] graphs in the public device-run records of
//! john-rocky/edge-compat: median and warm load in ms on GPU and NPU, and the first compile on the NPU where recorded.
//! Derived by hand: 18 graphs ran on both, the GPU was faster on all 18, the NPU loaded faster on all 18; headroom 0.58
//! to 0.83; first compiles 664 ms to 107 s; thermal status NONE throughout.

use litmus::{
    agent::Accelerator,
    report::{LatencyMs, LoadMs, Report, Status, assemble, markdown},
    sweep::{Baseline, PlannedCell},
};

use crate::fixture::{cell, run_info, targets};

type Graph = (&'static str, f64, f64, f64, f64, Option<f64>);

const GRAPHS: [Graph; 18] = [
    ("kc_prep", 12.641, 2530.4, 20.671, 375.4, Some(699.2)),
    ("kc_double0", 155.414, 8425.6, 492.517, 1511.2, None),
    ("kc_double1", 106.88, 3340.6, 300.373, 1282.7, Some(29028.0)),
    ("kc_single0", 255.292, 4210.6, 791.878, 1147.1, None),
    ("kc_single1", 249.982, 4835.4, 795.909, 1390.4, None),
    ("kc_single2", 311.205, 4981.3, 793.614, 1163.0, None),
    ("kc_single3", 250.885, 6704.7, 903.234, 1328.1, None),
    ("kc_final", 1.485, 603.2, 4.921, 135.7, Some(664.4)),
    ("kce_prep", 16.265, 2510.8, 22.406, 380.3, Some(687.1)),
    ("kce_double0", 222.753, 4850.7, 675.689, 1507.3, None),
    ("kce_double1", 151.04, 3363.8, 450.499, 1464.6, None),
    ("kce_single0", 419.78, 4493.9, 1627.579, 1379.4, None),
    ("kce_single1", 420.959, 4408.8, 1614.384, 1420.7, None),
    ("kce_single2", 413.754, 4290.6, 1606.311, 1348.4, None),
    ("kce_single3", 433.864, 4393.3, 1638.307, 1301.5, None),
    ("kce_final", 2.939, 597.1, 9.965, 137.4, Some(1208.3)),
    ("kv_vae", 230.434, 2519.8, 2263.666, 492.2, Some(106_581.1)),
    ("kv_vae_enc", 117.433, 1823.5, 959.372, 308.6, Some(70008.0)),
];

/// A row as a run on the device would have given it.
type Figures = (PlannedCell, f64, LoadMs);

fn report(figures: &[Figures]) -> Report {
    let cells: Vec<PlannedCell> = figures.iter().map(|(cell, _, _)| cell.clone()).collect();
    let mut report = assemble(run_info(true), targets(), &cells, &[], &Baseline::default());
    for (row, (_, median, load)) in report.rows.iter_mut().zip(figures) {
        row.status = Status::Pass;
        row.load_ms = *load;
        row.latency_ms = Some(LatencyMs {
            n: 50,
            median: *median,
            min: *median,
            max: *median,
            mean: *median,
            p90: *median,
            mad: 0.0,
            ci95: None,
            drift: None,
            outliers: 0,
        });
        row.thermal.status_start = Some("NONE".to_owned());
        row.thermal.status_end = Some("NONE".to_owned());
    }
    report
}

fn cached(cached: f64, first_compile: Option<f64>) -> LoadMs {
    LoadMs {
        first_compile,
        cached: Some(cached),
        aot: None,
    }
}

fn galaxy() -> Report {
    let figures: Vec<Figures> = GRAPHS
        .iter()
        .flat_map(|&(graph, gpu, gpu_load, npu, npu_load, npu_first)| {
            [
                (cell(graph, "t2i", Accelerator::Gpu), gpu, cached(gpu_load, None)),
                (cell(graph, "t2i", Accelerator::Npu), npu, cached(npu_load, npu_first)),
            ]
        })
        .collect();
    let mut report = report(&figures);
    report.rows[6].thermal.headroom_start = Some(0.583_333_3);
    report.rows[2].thermal.headroom_end = Some(0.833_333_3);
    report.rows[4].thermal.headroom_end = Some(0.780_000_03);
    report
}

#[test]
fn the_comparison_is_the_one_derived_by_hand() {
    let page = markdown(&galaxy());
    assert!(
        page.contains(
            "18 graph cases ran on both gpu and npu: gpu was faster on all 18; npu loaded faster on all 18.\n"
        ),
        "{page}"
    );
}

#[test]
fn the_conditions_are_those_derived_by_hand() {
    let page = markdown(&galaxy());
    assert!(
        page.contains("Thermal status NONE throughout, headroom 0.58–0.83."),
        "{page}"
    );
    assert!(page.contains("First compiles took 664 ms to 107 s."), "{page}");
    assert!(page.contains("one accelerator per process."), "{page}");
}

#[test]
fn rows_show_three_digits_and_mark_what_is_cached() {
    let page = markdown(&galaxy());
    assert!(
        page.contains("| kc_single2 | t2i | gpu | — | fp32 | pass | 311 | 311 | 50 | 4981 cached | — | — |"),
        "{page}"
    );
    assert!(
        page.contains("| kv_vae | t2i | npu | — | fp32 | pass | 2264 | 2264 | 50 | 106581, 492 cached | — | — |"),
        "{page}"
    );
}

/// From the Pixel 8a table of the same card: two graphs are faster on the CPU.
#[test]
fn graphs_that_are_faster_on_the_other_side_are_named_with_both_figures() {
    let figures: Vec<Figures> = [
        ("kc_final", 7.0, 58.0),
        ("kc_prep", 44.0, 72.0),
        ("kc_double0", 900.0, 300.0),
    ]
    .iter()
    .flat_map(|&(graph, cpu, gpu)| {
        [
            (cell(graph, "t2i", Accelerator::Cpu), cpu, LoadMs::default()),
            (cell(graph, "t2i", Accelerator::Gpu), gpu, LoadMs::default()),
        ]
    })
    .collect();
    let page = markdown(&report(&figures));
    assert!(
        page.contains("cpu was faster on 2 of 3 and gpu on 1 (kc_double0 300 ms against 900)."),
        "{page}"
    );
}

#[test]
fn a_row_that_did_not_run_well_is_no_side_of_a_comparison() {
    let mut report = galaxy();
    report.rows[0].status = Status::Nonfinite;
    assert!(markdown(&report).contains("17 graph cases ran on both gpu and npu"));
}
