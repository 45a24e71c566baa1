//! What is the SHA-256 of a file, without reading it twice?
