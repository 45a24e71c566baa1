//! What do the samples say?
