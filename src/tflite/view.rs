//! How is a table of a verified file read?
//!
//! A [`View`] only exists for tables that [`super::structure`] has walked, so reading cannot leave the file.

use super::descriptor::{Kind, Table};

/// One table of a verified file.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    bytes: &'a [u8],
    at: usize,
    table: &'static Table,
}

/// A vector of a verified file: `count` elements of `width` bytes from `first` on.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: usize,
    count: usize,
}

const WORD: usize = 4;

impl<'a> View<'a> {
    /// The table at `at`, which must have been checked as `table`.
    pub(super) fn new(bytes: &'a [u8], at: usize, table: &'static Table) -> Self {
        View { bytes, at, table }
    }

    /// Where the table stands in the file.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// What the table is.
    pub fn table(&self) -> &'static Table {
        self.table
    }

    /// True where the file gives this slot a value.
    pub fn has(&self, slot: usize) -> bool {
        self.field(slot).is_some()
    }

    /// A scalar of `N` bytes; None stands for the schema's default.
    fn scalar<const N: usize>(&self, slot: usize) -> Option<[u8; N]> {
        self.field(slot).map(|at| self.read(at))
    }

    pub fn u8(&self, slot: usize) -> Option<u8> {
        self.scalar(slot).map(u8::from_le_bytes)
    }

    pub fn i8(&self, slot: usize) -> Option<i8> {
        self.scalar(slot).map(i8::from_le_bytes)
    }

    pub fn u32(&self, slot: usize) -> Option<u32> {
        self.scalar(slot).map(u32::from_le_bytes)
    }

    pub fn i32(&self, slot: usize) -> Option<i32> {
        self.scalar(slot).map(i32::from_le_bytes)
    }

    pub fn u64(&self, slot: usize) -> Option<u64> {
        self.scalar(slot).map(u64::from_le_bytes)
    }

    /// The bytes of a string, which need not be UTF-8. None where there is none.
    pub fn string(&self, slot: usize) -> Option<&'a [u8]> {
        self.bytes_of(slot)
    }

    /// The bytes of a vector of bytes.
    pub fn bytes_of(&self, slot: usize) -> Option<&'a [u8]> {
        let Span { first, count } = self.span(slot)?;
        Some(&self.bytes[first..first + count])
    }

    /// A vector of 32-bit numbers; empty where there is none.
    pub fn i32s(&self, slot: usize) -> impl ExactSizeIterator<Item = i32> + Clone + use<'a> {
        let Span { first, count } = self.span(slot).unwrap_or(Span { first: 0, count: 0 });
        let (words, _) = self.bytes[first..first + WORD * count].as_chunks::<WORD>();
        words.iter().map(|word| i32::from_le_bytes(*word))
    }

    /// Number of elements of a vector of any kind; None where there is none.
    pub fn count(&self, slot: usize) -> Option<usize> {
        self.span(slot).map(|span| span.count)
    }

    /// The table in this slot, for a slot that holds one.
    pub fn child(&self, slot: usize) -> Option<View<'a>> {
        let target = self.follow(self.field(slot)?);
        match self.table.fields[slot].kind {
            Kind::Table(table) => Some(View {
                at: target,
                table,
                ..*self
            }),
            Kind::Union(union) => {
                let number = self.u8(slot.checked_sub(1)?)?;
                Some(View {
                    at: target,
                    table: union.member(number)?,
                    ..*self
                })
            }
            _ => None,
        }
    }

    /// The tables of a vector; empty where there is none.
    pub fn children(&self, slot: usize) -> impl ExactSizeIterator<Item = View<'a>> + use<'a> {
        let view = *self;
        let (Span { first, count }, table) = self.tables(slot).unwrap_or((Span { first: 0, count: 0 }, self.table));
        (0..count).map(move |i| View {
            at: view.follow(first + i * WORD),
            table,
            ..view
        })
    }

    /// The table at `index` of a vector, without a walk through those before it.
    pub fn nth(&self, slot: usize, index: usize) -> Option<View<'a>> {
        let (span, table) = self.tables(slot)?;
        (index < span.count).then(|| View {
            at: self.follow(span.first + index * WORD),
            table,
            ..*self
        })
    }

    fn tables(&self, slot: usize) -> Option<(Span, &'static Table)> {
        match self.table.fields[slot].kind {
            Kind::Tables(table) => Some((self.span(slot)?, table)),
            _ => None,
        }
    }

    fn read<const N: usize>(&self, at: usize) -> [u8; N] {
        let mut out = [0; N];
        out.copy_from_slice(&self.bytes[at..at + N]);
        out
    }

    fn follow(&self, at: usize) -> usize {
        at + u32::from_le_bytes(self.read(at)) as usize
    }

    fn span(&self, slot: usize) -> Option<Span> {
        let at = self.follow(self.field(slot)?);
        Some(Span {
            first: at + WORD,
            count: u32::from_le_bytes(self.read(at)) as usize,
        })
    }

    /// Position of the field in `slot`.
    fn field(&self, slot: usize) -> Option<usize> {
        let back = i32::from_le_bytes(self.read(self.at)) as isize;
        let vtable = self.at.wrapping_add_signed(-back);
        let slots = (u16::from_le_bytes(self.read(vtable)) as usize - WORD) / 2;
        if slot >= slots {
            return None;
        }
        match u16::from_le_bytes(self.read(vtable + WORD + 2 * slot)) {
            0 => None,
            offset => Some(self.at + usize::from(offset)),
        }
    }
}
