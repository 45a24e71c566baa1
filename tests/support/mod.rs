//! What tests share.

pub mod agent;
