//! Which accelerator was faster, and where not?

use std::collections::BTreeMap;

use super::{
    Report, Row,
    numbers::three_digits,
    text::{counted, listed},
};
use crate::agent::Accelerator;

/// Examples named in one sentence.
const EXAMPLES: usize = 5;

/// One sentence per pair of accelerators that ran the same graphs, as plain text.
pub(super) fn contrasts(report: &Report) -> Vec<String> {
    let groups = comparable(report);
    [
        (Accelerator::Cpu, Accelerator::Gpu),
        (Accelerator::Cpu, Accelerator::Npu),
        (Accelerator::Gpu, Accelerator::Npu),
    ]
    .into_iter()
    .filter_map(|sides| contrast(&groups, sides))
    .collect()
}

type ByAccelerator<'a> = BTreeMap<Accelerator, Vec<&'a Row>>;

/// Rows that ran well, grouped by what they computed and where.
fn comparable(report: &Report) -> Vec<ByAccelerator<'_>> {
    let mut groups: BTreeMap<_, ByAccelerator<'_>> = BTreeMap::new();
    for row in report
        .rows
        .iter()
        .filter(|row| row.status.ran_well() && row.latency_ms.is_some())
    {
        let what = (&row.graph, &row.signature, &row.case, &row.target, &row.runtime);
        groups
            .entry(what)
            .or_default()
            .entry(row.accelerator)
            .or_default()
            .push(row);
    }
    groups.into_values().collect()
}

/// The figures of one graph on both sides.
struct Pair<'a> {
    graph: &'a str,
    ms: [f64; 2],
}

fn contrast(groups: &[ByAccelerator<'_>], sides: (Accelerator, Accelerator)) -> Option<String> {
    let rows: Vec<[&Row; 2]> = groups
        .iter()
        .filter_map(
            |group| match (group.get(&sides.0)?.as_slice(), group.get(&sides.1)?.as_slice()) {
                // Several settings of one accelerator would need a choice that nobody made.
                ([left], [right]) => Some([*left, *right]),
                _ => None,
            },
        )
        .collect();
    let pairs = |figure: fn(&Row) -> Option<f64>| -> Vec<Pair<'_>> {
        rows.iter()
            .filter_map(|[left, right]| {
                Some(Pair {
                    graph: &left.graph,
                    ms: [figure(left)?, figure(right)?],
                })
            })
            .collect()
    };
    let names = [sides.0.to_string(), sides.1.to_string()];
    let speed = clause(&pairs(|row| row.latency_ms.map(|l| l.median)), &names, "was faster")?;
    let warm = clause(
        &pairs(|row| row.load_ms.cached.or(row.load_ms.aot)),
        &names,
        "loaded faster",
    );
    let first = clause(&pairs(|row| row.load_ms.first_compile), &names, "compiled faster");
    let clauses: Vec<String> = [Some(speed), warm, first].into_iter().flatten().collect();
    Some(format!(
        "{} ran on both {} and {}: {}",
        counted(rows.len(), "graph case"),
        names[0],
        names[1],
        clauses.join("; ")
    ))
}

/// `gpu was faster on 4 and cpu on 2 (...)`; none without pairs.
fn clause(pairs: &[Pair<'_>], names: &[String; 2], verb: &str) -> Option<String> {
    let wins = |side: usize| -> Vec<&Pair<'_>> { pairs.iter().filter(|p| p.ms[side] < p.ms[1 - side]).collect() };
    let won = [wins(0), wins(1)];
    let leader = usize::from(won[1].len() > won[0].len());
    let (most, least) = (&won[leader], &won[1 - leader]);
    let (winner, loser) = (&names[leader], &names[1 - leader]);
    if pairs.is_empty() {
        None
    } else if most.is_empty() {
        Some(format!("neither {verb}"))
    } else if pairs.len() == 1 {
        Some(format!("{winner} {verb}"))
    } else if most.len() == pairs.len() {
        Some(format!("{winner} {verb} on all {}", pairs.len()))
    } else if least.is_empty() {
        Some(format!("{winner} {verb} on {} of {}", most.len(), pairs.len()))
    } else {
        let mut examples: Vec<String> = least
            .iter()
            .take(EXAMPLES)
            .map(|pair| {
                let [of_loser, of_winner] = [pair.ms[1 - leader], pair.ms[leader]].map(three_digits);
                format!("{} {of_loser} ms against {of_winner}", pair.graph)
            })
            .collect();
        if least.len() > EXAMPLES {
            examples.push(format!("{} more", least.len() - EXAMPLES));
        }
        Some(format!(
            "{winner} {verb} on {} of {} and {loser} on {} ({})",
            most.len(),
            pairs.len(),
            least.len(),
            listed(&examples)
        ))
    }
}
