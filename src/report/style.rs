//! How does text for a terminal look?

/// What a piece of text is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Good,
    Bad,
    /// Bad but expected, or good but unexpected.
    Notable,
    /// Not what the eye should find first.
    Quiet,
    Title,
}

/// Dresses text. Whether colours are wanted is for the caller to know: NO_COLOR, no terminal.
pub trait Style {
    fn dress(&self, tone: Tone, text: &str) -> String;
}

/// No colours.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

/// ANSI colours.
#[derive(Clone, Copy, Debug)]
pub struct Ansi;

impl Style for Plain {
    fn dress(&self, _: Tone, text: &str) -> String {
        text.to_owned()
    }
}

impl Style for Ansi {
    fn dress(&self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Good => "32",
            Tone::Bad => "1;31",
            Tone::Notable => "33",
            Tone::Quiet => "2",
            Tone::Title => "1",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}
