//! From a sweep file and an index to cells: what is run, with which files, and what is expected of it.

use std::{collections::BTreeSet, path::PathBuf};

use globset::GlobSet;

use super::{
    AcceleratorSpec, AccuracySpec, CellKey, KeyParts, OutputKind, PlannedCell, SweepSpec, Thresholds,
    names::check_names, select::globs,
};
use crate::{
    agent::{CompileMode, InputBinding, TensorName},
    graphset::{GraphEntry, GraphSet, IndexCase, Tensor},
    tensor::{Quantisation, TensorSpec},
};

/// One cell with all that is needed to try it.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    pub planned: PlannedCell,
    /// The graph on this machine.
    pub model: PathBuf,
    /// Inputs, with files on this machine.
    pub inputs: Vec<InputBinding>,
    /// SHA-256 of each input, in the same order.
    pub input_sha256: Vec<String>,
    /// Outputs that are compared.
    pub expected: Vec<Expected>,
}

/// What one output is compared with, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    pub tensor: TensorName,
    /// Role, for people.
    pub label: String,
    pub spec: TensorSpec,
    /// The reference on this machine.
    pub file: PathBuf,
    pub sha256: String,
    pub kind: OutputKind,
    pub thresholds: Thresholds,
    /// What the reference is.
    pub reference: String,
    /// Infinities are right where the reference has the same.
    pub equal_infinities: bool,
    /// What the integers of a quantised output stand for.
    pub quantisation: Option<Quantisation>,
}

/// Why no plan could be made. All of them are exit code 2.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error("the sweep \"{sweep}\" has no cells: {why}")]
    Empty { sweep: String, why: String },
    #[error("two cells have the key {key}; make the accelerator entries differ, or remove one")]
    SameKey { key: CellKey },
    #[error("graphs.cases names \"{case}\", but no graph of {index} has that case; cases there: {known}")]
    UnknownCase {
        case: String,
        index: PathBuf,
        known: String,
    },
    #[error("{key}: \"{pattern}\" matches nothing in the index; there are: {known}")]
    MatchesNothing {
        key: &'static str,
        pattern: String,
        known: String,
    },
    #[error("{key}: \"{pattern}\" is not a glob: {problem}")]
    Glob {
        key: &'static str,
        pattern: String,
        problem: String,
    },
    #[error("compile = \"aot\" needs artifacts made ahead of time, which this version does not make; use \"jit\"")]
    Aot,
}

/// The cells of a sweep on one target, in the order they are run: by graph, then case, runtime and accelerator.
pub fn plan(spec: &SweepSpec, set: &GraphSet, target: &str, runtimes: &[String]) -> Result<Vec<Cell>, PlanError> {
    if spec.accelerators.iter().any(|a| a.compile == CompileMode::Aot) {
        return Err(PlanError::Aot);
    }
    check_names(spec, set)?;
    let include = globs("graphs.include", &spec.graphs.include)?;
    let exclude = globs("graphs.exclude", &spec.graphs.exclude)?;
    let rules = Rules::new(&spec.accuracy)?;
    let wanted = |graph: &str| (spec.graphs.include.is_empty() || include.is_match(graph)) && !exclude.is_match(graph);

    let mut cells = Vec::new();
    for (graph, entry) in set.index.graphs.iter().filter(|(graph, _)| wanted(graph)) {
        for (case_name, case) in &entry.cases {
            if !spec.graphs.cases.is_empty() && !spec.graphs.cases.contains(case_name) {
                continue;
            }
            for runtime in runtimes {
                for accelerator in &spec.accelerators {
                    let named = NamedCase {
                        graph,
                        entry,
                        case_name,
                        case,
                    };
                    cells.push(cell(&named, set, target, runtime, accelerator, &rules));
                }
            }
        }
    }
    if cells.is_empty() {
        let why = if set.index.graphs.is_empty() {
            "its index holds no graphs"
        } else {
            "no graph of its index is left by graphs.include, graphs.exclude and graphs.cases"
        };
        return Err(PlanError::Empty {
            sweep: spec.name.clone(),
            why: why.to_owned(),
        });
    }
    let mut keys = BTreeSet::new();
    match cells.iter().find(|cell| !keys.insert(&cell.planned.key)) {
        Some(twice) => Err(PlanError::SameKey {
            key: twice.planned.key.clone(),
        }),
        None => Ok(cells),
    }
}

struct NamedCase<'a> {
    graph: &'a str,
    entry: &'a GraphEntry,
    case_name: &'a str,
    case: &'a IndexCase,
}

fn cell(
    named: &NamedCase<'_>,
    set: &GraphSet,
    target: &str,
    runtime: &str,
    accelerator: &AcceleratorSpec,
    rules: &Rules<'_>,
) -> Cell {
    let NamedCase {
        graph,
        entry,
        case_name,
        case,
    } = *named;
    let key = CellKey::new(&KeyParts {
        graph,
        signature: case.signature.as_deref(),
        case: case_name,
        target,
        accelerator: accelerator.kind,
        precision: accelerator.precision,
        compile: accelerator.compile,
        runtime,
        threads: accelerator.threads,
        options: &accelerator.options,
    });
    let input = |tensor: &Tensor| InputBinding {
        tensor: tensor.binding(),
        spec: tensor.spec.clone(),
        file: set.path(&tensor.file),
    };
    let expected = |tensor: &Tensor| {
        let label = tensor.label();
        let (kind, thresholds) = rules.of(graph, &label);
        Expected {
            tensor: tensor.binding(),
            spec: tensor.spec.clone(),
            file: set.path(&tensor.file),
            sha256: tensor.sha256.clone(),
            reference: set.index.reference.clone().unwrap_or_else(|| "unnamed".to_owned()),
            equal_infinities: tensor.equal_infinities,
            quantisation: tensor.quantisation,
            label,
            kind,
            thresholds,
        }
    };
    Cell {
        planned: PlannedCell {
            key,
            graph: graph.to_owned(),
            file: entry.file.clone(),
            sha256: Some(entry.sha256.clone()),
            bytes: Some(entry.bytes),
            signature: case.signature.clone(),
            case: case_name.to_owned(),
            target: target.to_owned(),
            accelerator: accelerator.kind,
            precision: accelerator.precision,
            compile: accelerator.compile,
            runtime: runtime.to_owned(),
            threads: accelerator.threads,
            options: accelerator.options.clone(),
        },
        model: set.path(&entry.file),
        inputs: case.inputs.iter().map(input).collect(),
        input_sha256: case.inputs.iter().map(|tensor| tensor.sha256.clone()).collect(),
        expected: case.outputs.iter().map(expected).collect(),
    }
}

/// The accuracy rules of a sweep, ready to be asked.
struct Rules<'a> {
    accuracy: &'a AccuracySpec,
    globs: Vec<(GlobSet, GlobSet)>,
}

impl<'a> Rules<'a> {
    fn new(accuracy: &'a AccuracySpec) -> Result<Self, PlanError> {
        let globs = accuracy
            .output
            .iter()
            .map(|rule| {
                Ok((
                    globs("accuracy.output.graph", std::slice::from_ref(&rule.graph))?,
                    globs("accuracy.output.output", std::slice::from_ref(&rule.output))?,
                ))
            })
            .collect::<Result<_, PlanError>>()?;
        Ok(Rules { accuracy, globs })
    }

    /// Kind and thresholds of an output. Of the rules that match, the last that sets a value decides it.
    fn of(&self, graph: &str, output: &str) -> (OutputKind, Thresholds) {
        let matching = || {
            self.accuracy
                .output
                .iter()
                .zip(&self.globs)
                .rev()
                .filter(|(_, (graphs, outputs))| graphs.is_match(graph) && outputs.is_match(output))
                .map(|(rule, _)| rule)
        };
        let kind = matching().find_map(|rule| rule.kind).unwrap_or_default();
        let of_kind = match kind {
            OutputKind::Tensor => self.accuracy.tensor.unwrap_or(Thresholds::TENSOR),
            OutputKind::Picture { .. } => self.accuracy.picture.unwrap_or(Thresholds::PICTURE),
        };
        (kind, matching().find_map(|rule| rule.thresholds).unwrap_or(of_kind))
    }
}
