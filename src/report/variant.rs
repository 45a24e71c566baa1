//! What tells rows apart that share graph, case, accelerator, provider and precision?
//!
//! Such a property gets a column only in reports where it differs; else it stands in the conditions.

use super::{Report, Row};
use crate::agent::{OptionValue, ProviderOptions};

/// A property that may differ between rows.
#[derive(Clone, Copy)]
pub(super) struct Property {
    pub name: &'static str,
    /// Chosen in the sweep; the others say where and what.
    pub is_setting: bool,
    pub of: fn(&Row) -> String,
}

/// All of them, in the order of their columns.
pub(super) const PROPERTIES: [Property; 6] = [
    Property {
        name: "target",
        is_setting: false,
        of: |row| row.target.clone(),
    },
    Property {
        name: "runtime",
        is_setting: false,
        of: |row| row.runtime.clone(),
    },
    Property {
        name: "signature",
        is_setting: false,
        of: |row| row.signature.clone().unwrap_or_else(|| "default".to_owned()),
    },
    Property {
        name: "compile",
        is_setting: true,
        of: |row| row.compile.to_string(),
    },
    Property {
        name: "threads",
        is_setting: true,
        of: |row| row.threads.map_or_else(|| "default".to_owned(), |n| n.to_string()),
    },
    Property {
        name: "options",
        is_setting: true,
        of: |row| match options(&row.options) {
            none if none.is_empty() => "plain".to_owned(),
            some => some.join(" "),
        },
    },
];

/// The properties that differ between rows of the report. A signature differs only between rows of one graph.
pub(super) fn varying(report: &Report) -> Vec<Property> {
    PROPERTIES
        .into_iter()
        .filter(|property| match property.name {
            "signature" => signatures_vary(report),
            _ => {
                let first = report.rows.first().map(property.of);
                report.rows.iter().any(|row| Some((property.of)(row)) != first)
            }
        })
        .collect()
}

fn signatures_vary(report: &Report) -> bool {
    let mut first = std::collections::HashMap::new();
    report.rows.iter().any(|row| {
        // A row that never ran does not know which signature it would have taken.
        row.signature.is_some() && *first.entry(&row.graph).or_insert(&row.signature) != &row.signature
    })
}

/// Options as `xnnpack.kernel_mode=builtin`, in order.
pub(super) fn options(options: &ProviderOptions) -> Vec<String> {
    options
        .iter()
        .flat_map(|(provider, keys)| keys.iter().map(move |(key, value)| (provider, key, value)))
        .map(|(provider, key, value)| match value {
            OptionValue::Bool(value) => format!("{provider}.{key}={value}"),
            OptionValue::Integer(value) => format!("{provider}.{key}={value}"),
            OptionValue::Float(value) => format!("{provider}.{key}={value}"),
            OptionValue::Text(value) => format!("{provider}.{key}={value}"),
        })
        .collect()
}
