//! How are files hashed and written so that nothing is ever half there?

mod atomic;
mod cache;
mod hash;
mod hash_cache;
mod text;

pub use atomic::{BuildError, build_dir_atomic, sweep_leftovers, write_atomic};
pub use cache::{NoCacheDir, cache_dir};
pub use hash::{sha256_bytes, sha256_file, sha256_reader};
pub use hash_cache::HashCache;
pub use text::{read_text, read_whole};
