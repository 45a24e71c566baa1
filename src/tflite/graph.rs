//! What does a graph take, give and consist of?

use std::{collections::BTreeMap, path::Path};

use serde::Serialize;

use super::{
    defect::VerifyError,
    element::ElementType,
    opcode::OpCode,
    schema::{metadata, model, operator, operator_code, signature_def, sub_graph, tensor, tensor_map},
    verify::{Verified, with_file},
    view::View,
};
use crate::tensor::TensorSpec;

/// A summary of one graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GraphInfo {
    /// Version of the schema; 3 for all graphs of today.
    pub version: u32,
    pub description: Option<String>,
    /// In the order of the file; at least one.
    pub signatures: Vec<SignatureInfo>,
    pub subgraphs: usize,
    /// Operators of all subgraphs by name in the schema (`FULLY_CONNECTED`); custom operators as `CUSTOM:name`.
    pub ops: BTreeMap<String, usize>,
    pub op_total: usize,
    /// Names of the metadata entries.
    pub metadata: Vec<String>,
    /// Bytes of constant tensors by element type in the schema (`INT8`). Data that several tensors share counts for
    /// each of them.
    pub weight_bytes: BTreeMap<&'static str, u64>,
}

/// One way to call a graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SignatureInfo {
    /// None for a graph that has no signatures: inputs and outputs are then those of its first subgraph.
    pub key: Option<String>,
    /// Index of the subgraph that runs.
    pub subgraph: usize,
    pub inputs: Vec<TensorDecl>,
    pub outputs: Vec<TensorDecl>,
}

/// A tensor as a signature declares it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TensorDecl {
    /// The name in the signature; the tensor's own in a graph without signatures.
    pub name: String,
    pub dtype: ElementType,
    /// Outermost dimension first; None where it is only known at run time.
    pub shape: Vec<Option<u32>>,
}

impl TensorDecl {
    /// Type and shape, where the type can be handled and all dimensions are known.
    pub fn spec(&self) -> Option<TensorSpec> {
        let shape = self.shape.iter().copied().collect::<Option<Vec<u32>>>()?;
        Some(TensorSpec {
            dtype: self.dtype.dtype()?,
            shape,
        })
    }
}

impl GraphInfo {
    /// Checks the graph at `path` and summarises it.
    pub fn read_file(path: &Path) -> Result<Self, VerifyError> {
        with_file(path, GraphInfo::read)
    }

    /// Summarises a graph.
    pub fn read(file: &Verified<'_>) -> Self {
        let model = file.model();
        let ops = ops(model);
        GraphInfo {
            version: model.u32(model::VERSION).unwrap_or(0),
            description: model.string(model::DESCRIPTION).map(text),
            signatures: signatures(model),
            subgraphs: model.count(model::SUBGRAPHS).unwrap_or(0),
            op_total: ops.values().sum(),
            ops,
            metadata: model
                .children(model::METADATA)
                .map(|entry| name(entry, metadata::NAME))
                .collect(),
            weight_bytes: weight_bytes(file),
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn name(view: View<'_>, slot: usize) -> String {
    view.string(slot).map(text).unwrap_or_default()
}

fn signatures(model: View<'_>) -> Vec<SignatureInfo> {
    let declared: Vec<_> = model
        .children(model::SIGNATURE_DEFS)
        .filter_map(|signature| {
            let subgraph = signature.u32(signature_def::SUBGRAPH_INDEX).unwrap_or(0) as usize;
            let graph = model.nth(model::SUBGRAPHS, subgraph)?;
            let declare = |slot| {
                let entries = signature.children(slot);
                entries.filter_map(|entry| {
                    let index = entry.u32(tensor_map::TENSOR_INDEX).unwrap_or(0) as usize;
                    let tensor = graph.nth(sub_graph::TENSORS, index)?;
                    Some(declaration(tensor, name(entry, tensor_map::NAME)))
                })
            };
            Some(SignatureInfo {
                key: Some(name(signature, signature_def::SIGNATURE_KEY)),
                subgraph,
                inputs: declare(signature_def::INPUTS).collect(),
                outputs: declare(signature_def::OUTPUTS).collect(),
            })
        })
        .collect();
    if declared.is_empty() {
        model.nth(model::SUBGRAPHS, 0).map(bare_signature).into_iter().collect()
    } else {
        declared
    }
}

/// The signature of a graph that declares none.
fn bare_signature(graph: View<'_>) -> SignatureInfo {
    let declare = |slot| {
        let indices = graph.i32s(slot);
        indices.filter_map(|index| {
            let tensor = graph.nth(sub_graph::TENSORS, usize::try_from(index).ok()?)?;
            Some(declaration(tensor, name(tensor, tensor::NAME)))
        })
    };
    SignatureInfo {
        key: None,
        subgraph: 0,
        inputs: declare(sub_graph::INPUTS).collect(),
        outputs: declare(sub_graph::OUTPUTS).collect(),
    }
}

fn declaration(tensor: View<'_>, name: String) -> TensorDecl {
    // Where it is there, the signature of the shape tells known from unknown; the shape then has 1 for unknown.
    let signature = tensor.count(tensor::SHAPE_SIGNATURE).is_some_and(|n| n > 0);
    let shape = tensor.i32s(if signature {
        tensor::SHAPE_SIGNATURE
    } else {
        tensor::SHAPE
    });
    TensorDecl {
        name,
        dtype: element_type(tensor),
        shape: shape.map(|dimension| u32::try_from(dimension).ok()).collect(),
    }
}

/// The element type of a verified tensor, whose number is known to be in the schema.
fn element_type(tensor: View<'_>) -> ElementType {
    ElementType::from_code(tensor.i8(tensor::TYPE).unwrap_or(0)).unwrap_or(ElementType::FLOAT32)
}

fn ops(model: View<'_>) -> BTreeMap<String, usize> {
    let codes = model.count(model::OPERATOR_CODES).unwrap_or(0);
    let mut counts = vec![0usize; codes];
    for graph in model.children(model::SUBGRAPHS) {
        for op in graph.children(sub_graph::OPERATORS) {
            counts[op.u32(operator::OPCODE_INDEX).unwrap_or(0) as usize] += 1;
        }
    }
    let mut ops = BTreeMap::new();
    for (code, count) in model
        .children(model::OPERATOR_CODES)
        .zip(counts)
        .filter(|(_, count)| *count > 0)
    {
        *ops.entry(op_name(code)).or_default() += count;
    }
    ops
}

/// Name of an operator; custom ones bring their own.
fn op_name(code: View<'_>) -> String {
    match OpCode::of(code) {
        OpCode::Builtin("CUSTOM") => format!("CUSTOM:{}", name(code, operator_code::CUSTOM_CODE)),
        OpCode::Builtin(name) => name.to_owned(),
        OpCode::Unknown(number) => format!("BUILTIN:{number}"),
    }
}

fn weight_bytes(file: &Verified<'_>) -> BTreeMap<&'static str, u64> {
    let mut bytes = BTreeMap::new();
    for graph in file.model().children(model::SUBGRAPHS) {
        for tensor in graph.children(sub_graph::TENSORS) {
            if let Some(data) = file.constant(tensor) {
                *bytes.entry(element_type(tensor).schema_name()).or_default() += data.len() as u64;
            }
        }
    }
    bytes
}
