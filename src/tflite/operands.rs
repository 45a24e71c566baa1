//! Would a kernel end the process on what this operator is given?
//!
//! Kernels check most of what they get and answer with an error. These are the cases seen where they do not.

use super::{
    defect::{Defect, Fault, Within},
    element::ElementType,
    opcode::OpCode,
    schema::{model, operator, quantization_parameters, sub_graph, tensor},
    verify::Verified,
    view::View,
};

type Checked<T = ()> = Result<T, Box<Defect>>;

/// Checks one operator of `graph`, all of whose indices exist.
pub(super) fn check(file: &Verified<'_>, graph: View<'_>, op: View<'_>) -> Checked {
    let index = op.u32(operator::OPCODE_INDEX).unwrap_or(0) as usize;
    let Some(code) = file.model().nth(model::OPERATOR_CODES, index).map(OpCode::of) else {
        return Ok(());
    };
    let (inputs, outputs) = code.least();
    at_least("inputs", op, operator::INPUTS, inputs)?;
    at_least("outputs", op, operator::OUTPUTS, outputs)?;
    for (position, tensor) in op.i32s(operator::INPUTS).enumerate() {
        if tensor == -1 && !code.may_lack(position) {
            return Err(Fault::MissingInput.at(op.offset())).item(position).within("inputs");
        }
    }
    // Constant data is mapped read-only.
    for index in op.i32s(operator::OUTPUTS) {
        let index = index.cast_unsigned() as usize;
        let constant = graph
            .nth(sub_graph::TENSORS, index)
            .and_then(|output| file.constant(output));
        if constant.is_some() {
            return Err(Fault::WritesConstant(index).at(op.offset())).within("outputs");
        }
    }
    match code {
        OpCode::Builtin("ADD" | "MUL" | "SUB") => quantised_arithmetic(graph, op),
        _ => Ok(()),
    }
}

fn at_least(what: &'static str, op: View<'_>, slot: usize, want: usize) -> Checked {
    let have = op.count(slot).unwrap_or(0);
    if have < want {
        return Err(Fault::TooFew { what, have, want }.at(op.offset())).within(what);
    }
    Ok(())
}

/// These kernels divide scales by each other and abort when the quotient is no sound number.
fn quantised_arithmetic(graph: View<'_>, op: View<'_>) -> Checked {
    let operands = || {
        let indices = op
            .i32s(operator::INPUTS)
            .take(2)
            .chain(op.i32s(operator::OUTPUTS).take(1));
        indices.filter_map(move |index| graph.nth(sub_graph::TENSORS, index.cast_unsigned() as usize))
    };
    let scale = |operand: View<'_>| -> Option<f32> {
        let quantization = operand.child(tensor::QUANTIZATION)?;
        quantization
            .i32s(quantization_parameters::SCALE)
            .next()
            .map(|bits| f32::from_bits(bits.cast_unsigned()))
    };
    let kind = operands()
        .next()
        .and_then(|first| ElementType::from_code(first.i8(tensor::TYPE).unwrap_or(0)));
    let quantised = match kind.map(ElementType::schema_name) {
        Some("INT8" | "UINT8") => true,
        // 16-bit integers may also be plain numbers.
        Some("INT16") => operands().any(|operand| scale(operand).is_some()),
        _ => false,
    };
    match operands().find(|&operand| !scale(operand).is_some_and(|scale| scale.is_normal() && scale > 0.0)) {
        Some(operand) if quantised => Err(Fault::NoScale.at(operand.offset())),
        _ => Ok(()),
    }
}
