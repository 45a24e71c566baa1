//! How does text that others wrote stand in a report without breaking it?

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The text on one line: control characters and those that reorder or hide text are written as escapes.
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    escape(text, &[])
}

/// The text on its own lines and with its tabs, other control characters as escapes.
pub(super) fn many_lines(text: &str) -> Cow<'_, str> {
    escape(text, &['\n', '\t'])
}

fn escape<'a>(text: &'a str, kept: &[char]) -> Cow<'a, str> {
    let escaped = |c: char| !kept.contains(&c) && (c.is_control() || is_invisible(c));
    if !text.contains(escaped) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if escaped(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Separators, direction marks and characters of no width.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{00AD}' | '\u{061C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

/// The text as plain text inside a line, paragraph or table cell of GitHub's Markdown.
pub(super) fn markdown(text: &str) -> String {
    let line = one_line(text);
    let mut out = String::with_capacity(line.len());
    let mut before = ' ';
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let special = match c {
            '\\' | '`' | '|' | '*' | '<' | '>' | '[' | ']' | '&' | '~' | '$' => true,
            // Inside a word it is only a character.
            '_' => !before.is_alphanumeric() || !characters.peek().is_some_and(|next| next.is_alphanumeric()),
            _ => false,
        };
        if special {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
    out
}

/// Columns the text takes in a terminal.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// The text cut to `columns`, the cut shown.
pub(super) fn elide(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += c.width().unwrap_or(0);
        if used > columns {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}

/// The text as one word of a POSIX shell.
pub(super) fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/%:=+@,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", one_line(text).replace('\'', r"'\''"))
    }
}

/// `1 cell`, `2 cells`, `3 processes`.
pub(super) fn counted(n: usize, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        _ if noun.ends_with('s') => format!("{n} {noun}es"),
        _ => format!("{n} {noun}s"),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The text as a sentence of prose: its first letter upper case, a full stop at its end.
pub(super) fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    let mut out: String = first.chain(characters).collect();
    if !out.ends_with('.') {
        out.push('.');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn markdown_specials_are_escaped_and_words_stay_readable() {
        assert_eq!(markdown("kc_single0"), "kc_single0");
        assert_eq!(markdown("_x_ a|b `c`\n<d>"), r"\_x\_ a\|b \`c\`\\n\<d\>");
    }

    #[test]
    fn wide_characters_count_twice_when_text_is_cut() {
        assert_eq!(elide("abcdef", 4), "abc…");
        assert_eq!(elide("漢字漢字", 4), "漢…");
        assert_eq!(elide("abcd", 4), "abcd");
    }

    #[test]
    fn words_for_a_shell_are_quoted_only_where_needed() {
        assert_eq!(shell_word("a/b%20c"), "a/b%20c");
        assert_eq!(shell_word("it's $x"), r"'it'\''s $x'");
        assert_eq!(shell_word(""), "''");
    }

    proptest! {
        #[test]
        fn any_text_stays_in_its_table_cell(text in "\\PC*|.*|[|\\\\`\n\r\u{2028}]*") {
            let escaped = markdown(&text);
            let broken = escaped.chars().any(|c| c.is_control() || c == '\u{2028}');
            prop_assert!(!broken);
            // Every pipe is escaped: an odd number of backslashes stands before it.
            for (at, _) in escaped.match_indices('|') {
                let slashes = escaped[..at].bytes().rev().take_while(|&b| b == b'\\').count();
                prop_assert_eq!(slashes % 2, 1);
            }
        }

        #[test]
        fn cut_text_fits(text in ".*", columns in 1usize..30) {
            prop_assert!(width(&elide(&one_line(&text), columns)) <= columns);
        }
    }
}
