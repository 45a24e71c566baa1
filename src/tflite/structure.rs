//! Does every table, vector and string of a file lie inside it?
//!
//! One walk over the descriptions of [`super::schema`], as deep as the schema and no deeper. It spends from a budget
//! that grows with the length of the file: an honest file needs a few per cent of it, while one that points ten
//! thousand times at the same ten thousand tables would keep every reader busy for ever.

use super::{
    defect::{Defect, Fault, Within},
    descriptor::{Field, Kind, Table},
};

type Checked<T = ()> = Result<T, Box<Defect>>;

/// Steps that remain before a file counts as hostile. A table costs four, as the offset to it takes four bytes; a
/// string, a number that is looked at, and eight bytes of text cost one each. So whatever a summary copies out of a checked file stays within a few times its length.
pub(super) struct Budget(usize);

impl Budget {
    /// A budget for a file of `len` bytes: a step for each, and some for files of a few hundred bytes.
    pub fn for_len(len: usize) -> Self {
        Budget(len.saturating_add(1024))
    }

    /// Takes `steps`, for reading something at `offset`.
    pub fn spend(&mut self, steps: usize, offset: usize) -> Checked {
        self.0 = self.0.checked_sub(steps).ok_or_else(|| Fault::TooShared.at(offset))?;
        Ok(())
    }
}

/// Checks the file from its root table on, and returns the position of that table.
pub(super) fn check(bytes: &[u8], root: &'static Table, budget: &mut Budget) -> Checked<usize> {
    let mut walk = Walk { bytes, budget };
    let root_at = walk.follow(0)?;
    walk.table(root_at, root)?;
    Ok(root_at)
}

struct Walk<'a, 'b> {
    bytes: &'a [u8],
    budget: &'b mut Budget,
}

/// A table whose own bytes and vtable are inside the file.
struct Frame {
    at: usize,
    /// Bytes of the table itself.
    size: usize,
    vtable: usize,
    slots: usize,
}

/// Steps that a table costs.
const TABLE_STEPS: usize = 4;
/// Bytes of text that cost a step.
pub(super) const TEXT_STEP: usize = 8;
/// Bytes of an offset and of a length.
const WORD: usize = 4;

impl Walk<'_, '_> {
    fn inside(&self, at: usize, bytes: u64, what: &'static str) -> Checked {
        let end = (at as u64).checked_add(bytes);
        if end.is_none_or(|end| end > self.bytes.len() as u64) {
            return Err(Fault::PastEnd {
                what,
                bytes,
                len: self.bytes.len(),
            }
            .at(at));
        }
        Ok(())
    }

    fn read<const N: usize>(&self, at: usize, what: &'static str) -> Checked<[u8; N]> {
        if !at.is_multiple_of(N) {
            return Err(Fault::Misaligned { what, align: N }.at(at));
        }
        at.checked_add(N)
            .and_then(|end| self.bytes.get(at..end))
            .and_then(|slice| slice.try_into().ok())
            .ok_or_else(|| {
                Fault::PastEnd {
                    what,
                    bytes: N as u64,
                    len: self.bytes.len(),
                }
                .at(at)
            })
    }

    fn u16(&self, at: usize) -> Checked<usize> {
        self.read(at, "a number").map(|b| usize::from(u16::from_le_bytes(b)))
    }

    fn u32(&self, at: usize, what: &'static str) -> Checked<u32> {
        self.read(at, what).map(u32::from_le_bytes)
    }

    /// Where the offset at `at` points to. Offsets only point forward.
    fn follow(&self, at: usize) -> Checked<usize> {
        let offset = self.u32(at, "an offset")?;
        if offset == 0 {
            return Err(Fault::Malformed("an offset points to itself").at(at));
        }
        let target = at as u64 + u64::from(offset);
        match usize::try_from(target) {
            Ok(target) if target < self.bytes.len() => Ok(target),
            _ => Err(Fault::PastEnd {
                what: "an offset",
                bytes: u64::from(offset),
                len: self.bytes.len(),
            }
            .at(at)),
        }
    }

    fn frame(&mut self, at: usize) -> Checked<Frame> {
        self.budget.spend(TABLE_STEPS, at)?;
        let back = i64::from(self.u32(at, "a table")?.cast_signed());
        let vtable = usize::try_from(at as i64 - back).map_err(|_| Fault::BadVtable.at(at))?;
        let vtable_size = self.u16(vtable)?;
        let size = self.u16(vtable + 2)?;
        if vtable_size < WORD || !vtable_size.is_multiple_of(2) || size < WORD {
            return Err(Fault::BadVtable.at(vtable));
        }
        self.inside(vtable, vtable_size as u64, "a list of fields")?;
        self.inside(at, size as u64, "a table")?;
        Ok(Frame {
            at,
            size,
            vtable,
            slots: (vtable_size - WORD) / 2,
        })
    }

    /// Position of the field in `slot`, `width` bytes wide; None where the table does not have it.
    fn field(&self, frame: &Frame, slot: usize, width: usize) -> Checked<Option<usize>> {
        if slot >= frame.slots {
            return Ok(None);
        }
        let offset = self.u16(frame.vtable + WORD + 2 * slot)?;
        if offset == 0 {
            return Ok(None);
        }
        let at = frame.at + offset;
        if offset < WORD || offset + width > frame.size {
            return Err(Fault::OutsideTable.at(at));
        }
        if !at.is_multiple_of(width) {
            return Err(Fault::Misaligned {
                what: "a field",
                align: width,
            }
            .at(at));
        }
        Ok(Some(at))
    }

    fn table(&mut self, at: usize, table: &'static Table) -> Checked {
        let frame = self.frame(at)?;
        for (slot, field) in table.fields.iter().enumerate() {
            self.value(&frame, slot, field).within(field.name)?;
        }
        Ok(())
    }

    fn value(&mut self, frame: &Frame, slot: usize, field: &Field) -> Checked {
        let width = match field.kind {
            Kind::Retired => return Ok(()),
            Kind::Scalar(width) => usize::from(width),
            Kind::UnionType => 1,
            _ => WORD,
        };
        let Some(at) = self.field(frame, slot, width)? else {
            return Ok(());
        };
        match field.kind {
            Kind::Scalar(_) | Kind::UnionType | Kind::Retired => Ok(()),
            Kind::String => {
                let target = self.follow(at)?;
                self.string(target)
            }
            Kind::Scalars { width, .. } => self.vector(self.follow(at)?, usize::from(width)).map(|_| ()),
            Kind::Strings => self.each(at, |walk, target| walk.string(target)),
            Kind::Table(inner) => {
                let target = self.follow(at)?;
                self.table(target, inner)
            }
            Kind::Tables(inner) => self.each(at, |walk, target| walk.table(target, inner)),
            Kind::Union(union) => {
                let type_at = slot
                    .checked_sub(1)
                    .map(|slot| self.field(frame, slot, 1))
                    .transpose()?
                    .flatten();
                match type_at.map_or(0, |at| self.bytes[at]) {
                    0 => Ok(()),
                    number => {
                        let target = self.follow(at)?;
                        match union.member(number) {
                            Some(inner) => self.table(target, inner),
                            None => self.frame(target).map(|_| ()),
                        }
                    }
                }
            }
        }
    }

    /// Calls `check` with every target of the vector of offsets that the field at `at` points to.
    fn each(&mut self, at: usize, check: impl Fn(&mut Self, usize) -> Checked) -> Checked {
        let (first, count) = self.vector(self.follow(at)?, WORD)?;
        for i in 0..count {
            self.follow(first + i * WORD)
                .and_then(|target| check(self, target))
                .item(i)?;
        }
        Ok(())
    }

    /// Position of the first element and number of elements.
    fn vector(&self, at: usize, width: usize) -> Checked<(usize, usize)> {
        let count = self.u32(at, "the length of a vector")? as usize;
        let first = at + WORD;
        self.inside(first, count as u64 * width as u64, "a vector")?;
        if count > 0 && !first.is_multiple_of(width) {
            return Err(Fault::Misaligned {
                what: "a vector",
                align: width,
            }
            .at(first));
        }
        Ok((first, count))
    }

    fn string(&mut self, at: usize) -> Checked {
        let (first, len) = self.vector(at, 1)?;
        self.budget.spend(1 + len / TEXT_STEP, at)?;
        match self.bytes.get(first + len) {
            Some(0) => Ok(()),
            Some(_) => Err(Fault::Unterminated.at(first + len)),
            None => Err(Fault::PastEnd {
                what: "a string",
                bytes: len as u64 + 1,
                len: self.bytes.len(),
            }
            .at(first)),
        }
    }
}
