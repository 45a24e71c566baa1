//! Do rows and reports say what happened, and nothing else?

mod baseline;
mod fixture;
mod folding;
mod galaxy;
mod properties;
mod rendering;
