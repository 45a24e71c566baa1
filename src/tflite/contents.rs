//! Is the data of a file where it should be, and as long as shapes and types say?

use super::{
    defect::{Defect, Fault, Within},
    element::ElementType,
    operands,
    schema::{
        blockwise_quantization, buffer, metadata, model, operator, quantization_parameters, signature_def, sub_graph,
        tensor, tensor_map,
    },
    structure::{Budget, TEXT_STEP},
    verify::Verified,
    view::View,
};

type Checked<T = ()> = Result<T, Box<Defect>>;

/// Checks buffers, tensors and signatures of a file whose structure and indices have been checked.
pub(super) fn check(file: &Verified<'_>, budget: &mut Budget) -> Checked {
    let model = file.model();
    if model.count(model::SUBGRAPHS).unwrap_or(0) == 0 {
        return Err(Fault::Missing.at(model.offset())).within("subgraphs");
    }
    for (i, entry) in model.children(model::BUFFERS).enumerate() {
        external(file, entry, buffer::OFFSET, buffer::SIZE)
            .item(i)
            .within("buffers")?;
    }
    for (i, graph) in model.children(model::SUBGRAPHS).enumerate() {
        subgraph(file, graph, budget).item(i).within("subgraphs")?;
    }
    for (i, signature) in model.children(model::SIGNATURE_DEFS).enumerate() {
        let index = signature.u32(signature_def::SUBGRAPH_INDEX).unwrap_or(0) as usize;
        let graph = model.nth(model::SUBGRAPHS, index);
        for slot in [signature_def::INPUTS, signature_def::OUTPUTS] {
            for entry in signature.children(slot) {
                let tensor = entry.u32(tensor_map::TENSOR_INDEX).unwrap_or(0) as usize;
                spend_declaration(graph, tensor, budget)
                    .item(i)
                    .within("signature_defs")?;
            }
        }
    }
    for (i, entry) in model.children(model::METADATA).enumerate() {
        if entry.string(metadata::NAME).is_none() {
            return Err(Fault::Missing.at(entry.offset()))
                .within("name")
                .item(i)
                .within("metadata");
        }
    }
    Ok(())
}

/// Data outside the flatbuffer counts from the start of the file; an offset of 0 or 1 means that there is none.
fn external(file: &Verified<'_>, view: View<'_>, offset: usize, size: usize) -> Checked {
    let start = view.u64(offset).unwrap_or(0);
    let bytes = view.u64(size).unwrap_or(0);
    let len = file.bytes().len();
    if start > 1 && start.checked_add(bytes).is_none_or(|end| end > len as u64) {
        return Err(Fault::PastEnd {
            what: "data outside the flatbuffer",
            bytes,
            len,
        }
        .at(view.offset()))
        .within("offset");
    }
    Ok(())
}

fn subgraph(file: &Verified<'_>, graph: View<'_>, budget: &mut Budget) -> Checked {
    for (i, entry) in graph.children(sub_graph::TENSORS).enumerate() {
        budget.spend(entry.count(tensor::SHAPE).unwrap_or(0), entry.offset())?;
        check_tensor(file, entry).item(i).within("tensors")?;
    }
    for (i, op) in graph.children(sub_graph::OPERATORS).enumerate() {
        check_operator(file, graph, op).item(i).within("operators")?;
    }
    for slot in [sub_graph::INPUTS, sub_graph::OUTPUTS] {
        for index in graph.i32s(slot) {
            spend_declaration(Some(graph), index.cast_unsigned() as usize, budget)?;
        }
    }
    Ok(())
}

fn check_operator(file: &Verified<'_>, graph: View<'_>, op: View<'_>) -> Checked {
    external(
        file,
        op,
        operator::LARGE_CUSTOM_OPTIONS_OFFSET,
        operator::LARGE_CUSTOM_OPTIONS_SIZE,
    )?;
    operands::check(file, graph, op)
}

fn check_tensor(file: &Verified<'_>, view: View<'_>) -> Checked {
    let code = view.i8(tensor::TYPE).unwrap_or(0);
    let kind = ElementType::from_code(code)
        .ok_or_else(|| Fault::UnknownType(code).at(view.offset()))
        .within("type")?;

    let shape = view.i32s(tensor::SHAPE);
    let signature = view.i32s(tensor::SHAPE_SIGNATURE).len();
    if signature > 0 && signature != shape.len() {
        let fault = Fault::SignatureRank {
            signature,
            shape: shape.len(),
        };
        return Err(fault.at(view.offset())).within("shape_signature");
    }
    // Some writers put -1 into the shape itself for a dimension that is not known.
    let elements = elements(shape)
        .map_err(|fault| fault.at(view.offset()))
        .within("shape")?;
    if let Some(quantization) = view.child(tensor::QUANTIZATION) {
        check_quantization(quantization).within("quantization")?;
    }
    let (Some(data), Some(elements)) = (file.constant(view), elements) else {
        return Ok(());
    };
    if view.has(tensor::SPARSITY) {
        return Ok(());
    }
    let want = kind
        .packed_bytes(elements)
        .map_err(|_| Fault::ShapeTooLarge.at(view.offset()))
        .within("shape")?;
    match want {
        Some(want) if want != data.len() as u64 => Err(Fault::DataLength {
            have: data.len() as u64,
            want,
        }
        .at(view.offset()))
        .within("buffer"),
        _ => Ok(()),
    }
}

/// Number of elements; None where a dimension is not known.
fn elements(shape: impl Iterator<Item = i32>) -> Result<Option<u64>, Fault> {
    let mut product = Some(1u64);
    for dimension in shape {
        product = match (product, dimension) {
            (_, -1) => None,
            (_, ..-1) => return Err(Fault::NegativeDimension(dimension)),
            (None, _) => None,
            (Some(product), _) => Some(
                product
                    .checked_mul(u64::from(dimension.cast_unsigned()))
                    .ok_or(Fault::ShapeTooLarge)?,
            ),
        };
    }
    Ok(product)
}

fn check_quantization(quantization: View<'_>) -> Checked {
    let Some(details) = quantization.child(quantization_parameters::DETAILS) else {
        return Ok(());
    };
    if std::ptr::eq(details.table(), &super::schema::BLOCKWISE_QUANTIZATION)
        && details.i32(blockwise_quantization::BLOCK_SIZE).unwrap_or(0) < 0
    {
        return Err(Fault::Malformed("the block size is negative").at(details.offset())).within("details");
    }
    Ok(())
}

/// A summary copies name and shape of what a signature names, so both cost steps each time they are named.
fn spend_declaration(graph: Option<View<'_>>, index: usize, budget: &mut Budget) -> Checked {
    let Some(tensor) = graph.and_then(|graph| graph.nth(sub_graph::TENSORS, index)) else {
        return Ok(());
    };
    let name = tensor.string(tensor::NAME).map_or(0, <[u8]>::len);
    let rank = tensor.count(tensor::SHAPE).unwrap_or(0);
    budget.spend(1 + name / TEXT_STEP + rank, tensor.offset())
}
