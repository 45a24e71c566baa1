//! Does every name in a sweep file mean something in its index?
//!
//! A misspelt case, graph or output must not silently measure nothing, or score something by the wrong rule.

use std::collections::BTreeSet;

use super::{PlanError, SweepSpec, select::globs};
use crate::graphset::GraphSet;

/// Refuses cases, globs and rules that match nothing.
pub(super) fn check_names(spec: &SweepSpec, set: &GraphSet) -> Result<(), PlanError> {
    check_cases(spec, set)?;
    check_graphs(spec, set)?;
    check_outputs(spec, set)
}

fn check_cases(spec: &SweepSpec, set: &GraphSet) -> Result<(), PlanError> {
    let known: BTreeSet<&String> = set.index.graphs.values().flat_map(|entry| entry.cases.keys()).collect();
    match spec.graphs.cases.iter().find(|case| !known.contains(case)) {
        None => Ok(()),
        Some(case) => Err(PlanError::UnknownCase {
            case: case.clone(),
            index: spec.graphs.index.clone(),
            known: known.into_iter().cloned().collect::<Vec<_>>().join(", "),
        }),
    }
}

fn check_graphs(spec: &SweepSpec, set: &GraphSet) -> Result<(), PlanError> {
    let graphs = || set.index.graphs.keys();
    let unmatched = |key, patterns: &[String]| -> Result<(), PlanError> {
        for pattern in patterns {
            let glob = globs(key, std::slice::from_ref(pattern))?;
            if !graphs().any(|graph| glob.is_match(graph)) {
                return Err(PlanError::MatchesNothing {
                    key,
                    pattern: pattern.clone(),
                    known: graphs().cloned().collect::<Vec<_>>().join(", "),
                });
            }
        }
        Ok(())
    };
    unmatched("graphs.include", &spec.graphs.include)?;
    unmatched("graphs.exclude", &spec.graphs.exclude)
}

fn check_outputs(spec: &SweepSpec, set: &GraphSet) -> Result<(), PlanError> {
    let outputs: BTreeSet<(&String, String)> = set
        .index
        .graphs
        .iter()
        .flat_map(|(graph, entry)| entry.cases.values().map(move |case| (graph, case)))
        .flat_map(|(graph, case)| case.outputs.iter().map(move |output| (graph, output.label())))
        .collect();
    for rule in &spec.accuracy.output {
        let graph = globs("accuracy.output.graph", std::slice::from_ref(&rule.graph))?;
        let output = globs("accuracy.output.output", std::slice::from_ref(&rule.output))?;
        if !outputs.iter().any(|(g, o)| graph.is_match(g) && output.is_match(o)) {
            let known: BTreeSet<String> = outputs
                .iter()
                .filter(|(g, _)| graph.is_match(g))
                .map(|(_, o)| o.clone())
                .collect();
            return Err(PlanError::MatchesNothing {
                key: "accuracy.output",
                pattern: format!("{} {}", rule.graph, rule.output),
                known: known.into_iter().collect::<Vec<_>>().join(", "),
            });
        }
    }
    Ok(())
}
