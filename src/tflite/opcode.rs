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

    /// The least numbers of inputs and outputs without which a kernel reads past the end of its lists.
    pub(super) fn least(self) -> (usize, usize) {
        let OpCode::Builtin(name) = self else {
            return (0, 0);
        };
        match name {
            "CALL" | "CALL_ONCE" | "CUSTOM" | "DELEGATE" | "IF" | "WHILE" => (0, 0),
            "HASHTABLE" | "VAR_HANDLE" => (0, 1),
            "ASSIGN_VARIABLE" => (2, 0),
            "HASHTABLE_IMPORT" => (3, 0),
            "ADD"
            | "ARG_MAX"
            | "ARG_MIN"
            | "ATAN2"
            | "BATCH_MATMUL"
            | "BITWISE_XOR"
            | "BROADCAST_ARGS"
            | "BROADCAST_TO"
            | "CONV_2D"
            | "CONV_3D"
            | "CUMSUM"
            | "DEPTHWISE_CONV_2D"
            | "DIV"
            | "EMBEDDING_LOOKUP"
            | "EQUAL"
            | "EXPAND_DIMS"
            | "FILL"
            | "FLOOR_DIV"
            | "FLOOR_MOD"
            | "FULLY_CONNECTED"
            | "GATHER"
            | "GATHER_ND"
            | "GREATER"
            | "GREATER_EQUAL"
            | "LESS"
            | "LESS_EQUAL"
            | "LOGICAL_AND"
            | "LOGICAL_OR"
            | "MATRIX_SET_DIAG"
            | "MAXIMUM"
            | "MEAN"
            | "MINIMUM"
            | "MIRROR_PAD"
            | "MUL"
            | "MULTINOMIAL"
            | "NOT_EQUAL"
            | "PAD"
            | "POW"
            | "PRELU"
            | "REDUCE_ALL"
            | "REDUCE_ANY"
            | "REDUCE_MAX"
            | "REDUCE_MIN"
            | "REDUCE_PROD"
            | "RESIZE_BILINEAR"
            | "RESIZE_NEAREST_NEIGHBOR"
            | "REVERSE_SEQUENCE"
            | "REVERSE_V2"
            | "RFFT2D"
            | "RIGHT_SHIFT"
            | "SEGMENT_SUM"
            | "SPLIT"
            | "SQUARED_DIFFERENCE"
            | "SUB"
            | "SUM"
            | "TILE"
            | "TOPK_V2"
            | "TRANSPOSE" => (2, 1),
            "BATCH_TO_SPACE_ND"
            | "CONV_3D_TRANSPOSE"
            | "DYNAMIC_UPDATE_SLICE"
            | "PADV2"
            | "RANGE"
            | "SCATTER_ND"
            | "SELECT"
            | "SELECT_V2"
            | "SLICE"
            | "SPACE_TO_BATCH_ND"
            | "SPLIT_V"
            | "TRANSPOSE_CONV"
            | "UNSORTED_SEGMENT_MAX"
            | "UNSORTED_SEGMENT_MIN"
            | "UNSORTED_SEGMENT_PROD"
            | "UNSORTED_SEGMENT_SUM" => (3, 1),
            "ONE_HOT" | "SPARSE_TO_DENSE" | "STRIDED_SLICE" => (4, 1),
            name if name.starts_with("STABLEHLO_") => (0, 0),
            _ => (1, 1),
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
                name if name.starts_with("STABLEHLO_") => true,
                _ => false,
            },
            OpCode::Unknown(_) => true,
        }
    }
}
