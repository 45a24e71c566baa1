//! Which operator is it, and which of its inputs may be absent?

use super::{
    schema::{BUILTIN_OPERATORS, operator_code},
    view::View,
};

/// What an operator does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpCode {
    /// By its name in the schema; `CUSTOM` for all custom operators.
    Builtin(&'static str),
    /// Newer than the schema known here.
    Unknown(i32),
}

impl OpCode {
    /// Reads an `OperatorCode` table. The number stands in one of two fields, of which the larger counts: the older
    /// one is a byte.
    pub fn of(code: View<'_>) -> Self {
        let number = code
            .i32(operator_code::BUILTIN_CODE)
            .unwrap_or(0)
            .max(code.i8(operator_code::DEPRECATED_BUILTIN_CODE).unwrap_or(0).into());
        match usize::try_from(number)
            .ok()
            .and_then(|number| BUILTIN_OPERATORS.get(number))
        {
            Some(&name) if !name.is_empty() => OpCode::Builtin(name),
            _ => OpCode::Unknown(number),
        }
    }

    /// True where the kernel looks whether the input at `position` is there: biases, and the many parts of recurrent
    /// cells. Kernels of other operators follow the missing input and end the process.
    pub(super) fn may_lack(self, position: usize) -> bool {
        match self {
            OpCode::Builtin(name) => match name {
                "CONV_2D" | "CONV_3D" | "DEPTHWISE_CONV_2D" | "FULLY_CONNECTED" => position >= 2,
                "CONV_3D_TRANSPOSE" | "SVDF" | "TRANSPOSE_CONV" => position >= 3,
                "BIDIRECTIONAL_SEQUENCE_LSTM"
                | "BIDIRECTIONAL_SEQUENCE_RNN"
                | "LSTM"
                | "UNIDIRECTIONAL_SEQUENCE_LSTM" => position >= 1,
                "LSH_PROJECTION" => position >= 2,
                "CUSTOM" | "DELEGATE" => true,
                _ => false,
            },
            OpCode::Unknown(_) => true,
        }
    }
}
