//! Where do agents run?
