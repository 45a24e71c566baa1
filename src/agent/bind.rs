//! Which file fills which input, and which output goes where?

use std::{fs::File, io::Read};

use super::{InputBinding, TensorName, error::AgentError};
use crate::{
    litert::{Buffer, Signature, Tensor},
    tensor::TensorSpec,
};

/// The one binding of every input, in the signature's order; element types and shapes fit what the graph declares.
pub(super) fn inputs<'b>(
    signature: &Signature,
    bindings: &'b [InputBinding],
) -> Result<Vec<&'b InputBinding>, AgentError> {
    let mut bound: Vec<Option<&InputBinding>> = vec![None; signature.inputs.len()];
    for binding in bindings {
        let index = position(signature, "input", &signature.inputs, &binding.tensor)?;
        let tensor = &signature.inputs[index];
        if !fits(tensor, &binding.spec) {
            return Err(AgentError::Mismatch {
                tensor: tensor.name.clone(),
                declared: declared(tensor),
                given: binding.spec.clone(),
            });
        }
        if bound[index].replace(binding).is_some() {
            return Err(AgentError::BoundTwice {
                side: "input",
                tensor: tensor.name.clone(),
            });
        }
    }
    let unbound: Vec<String> = bound
        .iter()
        .zip(&signature.inputs)
        .filter(|(binding, _)| binding.is_none())
        .map(|(_, tensor)| format!("\"{}\" {}", tensor.name, declared(tensor)))
        .collect();
    match unbound.is_empty() {
        true => Ok(bound.into_iter().flatten().collect()),
        false => Err(AgentError::Unbound(unbound)),
    }
}

/// Reads the bound file straight into the buffer. The file must be exactly as long as its tensor.
pub(super) fn fill(buffer: &mut Buffer<'_>, binding: &InputBinding) -> Result<(), AgentError> {
    let unreadable = |source| AgentError::ReadInput {
        file: binding.file.clone(),
        source,
    };
    let mut file = File::open(&binding.file).map_err(unreadable)?;
    let actual = file.metadata().map_err(unreadable)?.len();
    let wanted = binding.spec.bytes()?;
    if actual != wanted as u64 {
        return Err(AgentError::FileLength {
            file: binding.file.clone(),
            spec: binding.spec.clone(),
            wanted,
            actual,
        });
    }
    let mut bytes = buffer.write()?;
    file.read_exact(&mut bytes).map_err(unreadable)?;
    bytes.finish()?;
    Ok(())
}

fn position(
    signature: &Signature,
    side: &'static str,
    tensors: &[Tensor],
    wanted: &TensorName,
) -> Result<usize, AgentError> {
    let found = match wanted {
        TensorName::Name(name) => tensors.iter().position(|tensor| tensor.name == *name),
        TensorName::Index(index) => (*index < tensors.len()).then_some(*index),
    };
    found.ok_or_else(|| AgentError::UnknownTensor {
        signature: signature.key.clone(),
        side,
        tensor: wanted.clone(),
        known: tensors.iter().map(|tensor| tensor.name.clone()).collect(),
    })
}

fn fits(tensor: &Tensor, spec: &TensorSpec) -> bool {
    tensor.dtype == spec.dtype
        && tensor.dims.len() == spec.shape.len()
        && tensor
            .dims
            .iter()
            .zip(&spec.shape)
            .all(|(declared, given)| declared.is_none_or(|declared| declared == *given))
}

/// `float32[1,?,48]`
fn declared(tensor: &Tensor) -> String {
    let dims: Vec<String> = tensor
        .dims
        .iter()
        .map(|dim| dim.map_or_else(|| "?".to_owned(), |dim| dim.to_string()))
        .collect();
    format!("{}[{}]", tensor.dtype, dims.join(","))
}
