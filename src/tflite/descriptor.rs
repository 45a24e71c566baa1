//! What does a description of a flatbuffer table look like?
//!
//! Everything that walks a file (checking, cutting, rewriting) is driven by these descriptions, so that the format
//! stands in one place: [`super::schema`].

/// A table of the format.
#[derive(Debug)]
pub struct Table {
    pub name: &'static str,
    /// In the order of the vtable's slots. A file may have more slots than are known here.
    pub fields: &'static [Field],
}

/// One slot of a table.
#[derive(Debug)]
pub struct Field {
    /// As in the schema; empty for a retired slot.
    pub name: &'static str,
    pub kind: Kind,
    /// What the number or the numbers in this field are an index into.
    pub refers: Option<Refers>,
}

/// What a slot holds.
#[derive(Debug)]
pub enum Kind {
    /// A number of so many bytes, in the table itself.
    Scalar(u8),
    String,
    /// A vector of numbers of `width` bytes. `align` is what a writer has to give its first element; it is larger than
    /// `width` where the runtime maps the data as something else (weights).
    Scalars {
        width: u8,
        align: u8,
    },
    Strings,
    Table(&'static Table),
    Tables(&'static Table),
    /// The number of a union's member, one byte; the next slot holds the member.
    UnionType,
    Union(&'static UnionTable),
    /// No longer written and never read.
    Retired,
}

/// The tables that may stand in a union slot.
#[derive(Debug)]
pub struct UnionTable {
    pub name: &'static str,
    /// The member with number `n` is at `n - 1`; 0 means that there is none.
    pub members: &'static [Option<&'static Table>],
}

/// The lists that numbers in a file are indices into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refers {
    /// `Model.buffers`
    Buffer,
    /// `Model.operator_codes`
    OperatorCode,
    /// `Model.subgraphs`
    SubGraph,
    /// `SubGraph.tensors` of the subgraph the field belongs to.
    Tensor,
    /// As `Tensor`, or -1 for none.
    OptionalTensor,
}

impl Field {
    pub const fn new(name: &'static str, kind: Kind) -> Self {
        Field {
            name,
            kind,
            refers: None,
        }
    }

    /// The same field, holding indices.
    pub const fn refers(mut self, to: Refers) -> Self {
        self.refers = Some(to);
        self
    }
}

impl UnionTable {
    /// The table of member `number`; None for 0 and for members newer than this description.
    pub fn member(&self, number: u8) -> Option<&'static Table> {
        let index = usize::from(number).checked_sub(1)?;
        self.members.get(index).copied().flatten()
    }
}
