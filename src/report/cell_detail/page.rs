//! How do facts, tables and foreign text stand on a page of plain text?

use crate::report::{
    numbers::or_unknown,
    text::{many_lines, one_line, width},
};

const LABEL_COLUMNS: usize = 12;

/// Lines of text. Whatever is put on one stays on it.
#[derive(Default)]
pub(super) struct Page {
    text: String,
}

impl Page {
    pub fn line(&mut self, text: &str) {
        self.text.push_str(one_line(text).trim_end());
        self.text.push('\n');
    }

    /// A line with a label before it; an empty label goes on with the fact above.
    pub fn fact(&mut self, label: &str, value: impl AsRef<str>) {
        self.line(&format!("{label:LABEL_COLUMNS$}  {}", value.as_ref()));
    }

    /// Lines of equal length as aligned columns.
    pub fn table(&mut self, lines: &[Vec<String>]) {
        let columns = lines.first().map_or(0, Vec::len);
        let widths: Vec<usize> = (0..columns)
            .map(|c| lines.iter().map(|line| width(&line[c])).max().unwrap_or(0))
            .collect();
        for line in lines {
            let fields: Vec<String> = line
                .iter()
                .zip(&widths)
                .map(|(field, columns)| format!("{field}{}", " ".repeat(columns - width(field))))
                .collect();
            self.line(&format!("  {}", fields.join("  ")));
        }
    }

    /// Text with lines of its own, each behind a bar.
    pub fn quote(&mut self, text: &str) {
        for line in many_lines(text).lines() {
            self.text.push_str(format!("  │ {line}").trim_end());
            self.text.push('\n');
        }
    }

    pub fn text(self) -> String {
        self.text
    }
}

/// The value's text, or what stands for an unknown one.
pub(super) fn known<T: ToString>(value: Option<T>) -> String {
    or_unknown(value.map(|v| v.to_string()))
}
