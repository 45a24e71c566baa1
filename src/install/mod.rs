//! Where is the runtime, and how does it get there?

/// The runtime a sweep uses when it names none.
pub const DEFAULT_RUNTIME: &str = "litert-2.3.0";
