//! How do options reach the runtime?
//!
//! No published runtime exports typed option setters; options go in as TOML text under an identifier.

use std::{
    ffi::{CString, c_char, c_void},
    ptr,
};

use litert_sys as sys;

use super::{Error, Library, effective::EffectiveOptions, handle::Handle};

/// Compile options, filled.
pub(super) struct CompileOptions {
    handle: Handle<'static, sys::LiteRtOptionsT>,
    /// Names the runtime may keep pointing to; freed after the options.
    _identifiers: Vec<CString>,
}

impl CompileOptions {
    pub(super) fn create(library: &'static Library, options: &EffectiveOptions) -> Result<CompileOptions, Error> {
        let destroy = library.destroy_options()?;
        let mut raw = ptr::null_mut();
        // SAFETY: `raw` can be written.
        unsafe { library.create_options(&mut raw)? };
        // SAFETY: just made and ours alone; it refers to the identifiers, which are kept beside it.
        let handle = unsafe { Handle::own("LiteRtCreateOptions", raw, destroy)? };
        // SAFETY: the options are valid.
        unsafe { library.set_accelerators(handle.raw(), options.accelerators().bits())? };

        let mut identifiers = Vec::new();
        for (identifier, text) in options.texts() {
            let opaque = opaque(library, &identifier, text)?;
            // SAFETY: both are valid; on success the options own the opaque part, which is given up just below.
            unsafe { library.add_opaque(handle.raw(), opaque.raw())? };
            opaque.release();
            identifiers.push(identifier);
        }
        Ok(CompileOptions {
            handle,
            _identifiers: identifiers,
        })
    }

    pub(super) fn raw(&self) -> sys::LiteRtOptions {
        self.handle.raw()
    }
}

fn opaque<'i>(
    library: &Library,
    identifier: &'i CString,
    text: CString,
) -> Result<Handle<'i, sys::LiteRtOpaqueOptionsT>, Error> {
    let destroy = library.destroy_opaque()?;
    let payload = text.into_raw();
    let mut raw = ptr::null_mut();
    // SAFETY: the identifier is a C string that outlives the handle; the payload is one that `free_text` can take back.
    let created =
        unsafe { library.create_opaque(identifier.as_ptr(), payload.cast::<c_void>(), Some(free_text), &mut raw) };
    if let Err(error) = created {
        // SAFETY: the runtime refused the payload, so it is still ours, and it came from `into_raw` above.
        unsafe { free_text(payload.cast::<c_void>()) };
        return Err(error);
    }
    // SAFETY: just made and ours alone.
    unsafe { Handle::own("LiteRtCreateOpaqueOptions", raw, destroy) }
}

/// # Safety
/// `text` came from [`CString::into_raw`] and is not used afterwards.
unsafe extern "C" fn free_text(text: *mut c_void) {
    // SAFETY: the caller's promise.
    drop(unsafe { CString::from_raw(text.cast::<c_char>()) });
}
