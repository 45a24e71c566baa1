//! How is a report written for machines?

use std::io;

use serde::{Serialize, ser::Error as _};
use serde_json::{Serializer, ser::Formatter};

use super::{RenderError, Report, finite};

/// The report as `report.json`: keys in the order of the types, every number in its shortest exact form, objects on
/// lines of their own and lists of numbers on one.
///
/// # Errors
/// A number that is NaN or infinite, or a path that is not UTF-8.
pub fn json(report: &Report) -> Result<String, RenderError> {
    finite::check(report)?;
    let mut bytes = Vec::new();
    report.serialize(&mut Serializer::with_formatter(&mut bytes, Layout::default()))?;
    bytes.push(b'\n');
    Ok(String::from_utf8(bytes).map_err(serde_json::Error::custom)?)
}

/// Indents objects; a list is broken only between objects.
#[derive(Default)]
struct Layout {
    depth: usize,
    /// The value that comes next is an item of a list.
    item_next: bool,
    /// The last thing written was an object in a list.
    after_listed_object: bool,
    /// The object being written holds something.
    filled: bool,
    /// For every open object: is it an item of a list?
    listed: Vec<bool>,
}

impl Layout {
    fn new_line(&self, writer: &mut (impl ?Sized + io::Write)) -> io::Result<()> {
        const INDENT: &[u8] = b"                                ";
        writer.write_all(b"\n")?;
        let mut left = 2 * self.depth;
        while left > 0 {
            let part = left.min(INDENT.len());
            writer.write_all(&INDENT[..part])?;
            left -= part;
        }
        Ok(())
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth += 1;
        self.item_next = false;
        self.after_listed_object = false;
        writer.write_all(b"[")
    }

    fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.item_next = true;
        self.after_listed_object = false;
        writer.write_all(if first { b"" } else { b"," })
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        self.item_next = false;
        if std::mem::take(&mut self.after_listed_object) {
            self.new_line(writer)?;
        }
        writer.write_all(b"]")
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let listed = std::mem::take(&mut self.item_next);
        if listed {
            self.new_line(writer)?;
        }
        self.listed.push(listed);
        self.depth += 1;
        self.filled = false;
        writer.write_all(b"{")
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b"," })?;
        self.new_line(writer)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.item_next = false;
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.depth -= 1;
        if std::mem::replace(&mut self.filled, true) {
            self.new_line(writer)?;
        }
        self.after_listed_object = self.listed.pop().unwrap_or(false);
        writer.write_all(b"}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(value: &impl Serialize) -> String {
        let mut bytes = Vec::new();
        value
            .serialize(&mut Serializer::with_formatter(&mut bytes, Layout::default()))
            .unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn numbers_share_a_line_and_objects_do_not() {
        let value = serde_json::json!({"a": [1.5, 2], "b": [{"c": {}, "d": [[1], []]}, {"e": null}], "f": []});
        assert_eq!(
            written(&value),
            r#"{
  "a": [1.5,2],
  "b": [
    {
      "c": {},
      "d": [[1],[]]
    },
    {
      "e": null
    }
  ],
  "f": []
}"#
        );
    }

    fn any_json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            (-1e6f64..1e6).prop_map(Into::into),
            ".*".prop_map(serde_json::Value::from)
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
                prop::collection::btree_map(".*", inner, 0..4)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_read_back(value in any_json()) {
            let text = written(&value);
            prop_assert_eq!(&serde_json::from_str::<serde_json::Value>(&text).unwrap(), &value);
            prop_assert!(!text.lines().any(|line| line.ends_with(' ')));
        }
    }
}
