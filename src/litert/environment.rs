//! With which folders and which accelerator does the runtime start?

use std::{
    ffi::{CStr, CString, c_char, c_int},
    os::unix::ffi::OsStrExt,
    path::Path,
    ptr,
};

use litert_sys as sys;

use super::{Accelerators, Error, Library, handle::Handle};
use crate::agent::EnvironmentPaths;

/// The runtime's process-wide state. One per process; everything else is made from it.
pub struct Environment {
    handle: Handle<'static, sys::LiteRtEnvironmentT>,
    library: &'static Library,
    /// What the options point to; freed after the environment.
    _paths: Vec<CString>,
}

impl Environment {
    /// Starts the runtime with these accelerators and no other: a missing one is an error and never a silent fallback, unless
    /// the CPU was asked for beside it.
    ///
    /// `runtime` is the folder in which accelerator libraries are looked up.
    pub fn create(
        library: &'static Library,
        runtime: &Path,
        accelerators: Accelerators,
        folders: &EnvironmentPaths,
    ) -> Result<Environment, Error> {
        let folders = [
            (sys::kLiteRtEnvOptionTagRuntimeLibraryDir, Some(runtime)),
            (
                sys::kLiteRtEnvOptionTagCompilerPluginLibraryDir,
                folders.compiler_plugins.as_deref(),
            ),
            (sys::kLiteRtEnvOptionTagDispatchLibraryDir, folders.dispatch.as_deref()),
            (
                sys::kLiteRtEnvOptionTagCompilerCacheDir,
                folders.compiler_cache.as_deref(),
            ),
        ];
        let mut paths = Vec::new();
        let mut options = Vec::new();
        for (tag, folder) in folders {
            let Some(folder) = folder else { continue };
            let text = c_path(folder)?;
            options.push(sys::LiteRtEnvOption {
                tag,
                value: sys::LiteRtAny {
                    type_: sys::kLiteRtAnyTypeString,
                    __bindgen_anon_1: sys::LiteRtAny__bindgen_ty_1 {
                        str_value: text.as_ptr(),
                    },
                },
            });
            paths.push(text);
        }
        options.push(sys::LiteRtEnvOption {
            tag: sys::kLiteRtEnvOptionTagAutoRegisterAccelerators,
            value: sys::LiteRtAny {
                type_: sys::kLiteRtAnyTypeInt,
                __bindgen_anon_1: sys::LiteRtAny__bindgen_ty_1 {
                    int_value: i64::from(accelerators.bits()),
                },
            },
        });

        let destroy = library.destroy_environment()?;
        let mut environment = ptr::null_mut();
        // Five options at most: the count fits.
        let count = options.len() as c_int;
        // SAFETY: `options` holds `count` options whose strings live in `paths`, which the environment keeps.
        unsafe { library.create_environment(count, options.as_ptr(), &mut environment)? };
        // SAFETY: just made, ours alone; it refers to nothing but the library, which is never closed, and `paths`.
        let handle = unsafe { Handle::own("LiteRtCreateEnvironment", environment, destroy)? };
        Ok(Environment {
            handle,
            library,
            _paths: paths,
        })
    }

    /// Names of the accelerators that registered, as far as this version tells them.
    pub fn accelerators(&self) -> Vec<String> {
        let mut count = 0;
        // SAFETY: the environment is valid and `count` can be written.
        if unsafe { self.library.accelerator_count(self.raw(), &mut count) }.is_err() {
            return Vec::new();
        }
        (0..count)
            .filter_map(|index| {
                let mut accelerator = ptr::null_mut();
                let mut name = ptr::null();
                // SAFETY: the environment is valid, `index` is below its count, the outputs can be written, and the
                // accelerator belongs to the environment.
                unsafe {
                    self.library.accelerator(self.raw(), index, &mut accelerator).ok()?;
                    self.library.accelerator_name(accelerator, &mut name).ok()?;
                    text(name)
                }
            })
            .collect()
    }

    pub(super) fn raw(&self) -> sys::LiteRtEnvironment {
        self.handle.raw()
    }

    pub(super) fn library(&self) -> &'static Library {
        self.library
    }
}

pub(super) fn c_path(path: &Path) -> Result<CString, Error> {
    CString::new(path.as_os_str().as_bytes()).map_err(|_| Error::NulInPath(path.to_owned()))
}

/// Copies a C string of the runtime; none for null.
///
/// # Safety
/// `string` is null or a NUL-terminated string.
pub(super) unsafe fn text(string: *const c_char) -> Option<String> {
    if string.is_null() {
        return None;
    }
    // SAFETY: not null, and NUL-terminated by the caller's promise.
    Some(unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned())
}
