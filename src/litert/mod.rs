//! The runtime
