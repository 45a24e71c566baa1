//! What has the runtime made of a graph?

use std::{
    ffi::{c_char, c_void},
    ptr,
};

use litert_sys as sys;

use super::{
    Environment, Error, Library, Model, effective::EffectiveOptions, environment::text, handle::Handle,
    opaque::CompileOptions,
};

/// A graph compiled for one accelerator.
pub struct CompiledModel<'m> {
    handle: Handle<'m, sys::LiteRtCompiledModelT>,
    library: &'static Library,
    environment: &'m Environment,
    /// The compiled model may look back into them; freed after it.
    _options: CompileOptions,
}

impl<'m> CompiledModel<'m> {
    /// Compiles `model`. This is where an accelerator refuses what it cannot take.
    pub fn create(
        environment: &'m Environment,
        model: &'m Model<'m>,
        options: &EffectiveOptions,
    ) -> Result<CompiledModel<'m>, Error> {
        let library = environment.library();
        let destroy = library.destroy_compiled()?;
        let options = CompileOptions::create(library, options)?;
        let mut compiled = ptr::null_mut();
        // SAFETY: environment, model and options are valid and outlive the compiled model; `compiled` can be written.
        unsafe { library.create_compiled(environment.raw(), model.raw(), options.raw(), &mut compiled)? };
        // SAFETY: just made and ours alone; model and environment outlive `'m`.
        let handle = unsafe { Handle::own("LiteRtCreateCompiledModel", compiled, destroy)? };
        Ok(CompiledModel {
            handle,
            library,
            environment,
            _options: options,
        })
    }

    /// The runtime's claim that the accelerator took every op.
    pub fn is_fully_accelerated(&self) -> Option<bool> {
        let mut answer = false;
        // SAFETY: the compiled model is valid and `answer` can be written.
        unsafe { self.library.is_fully_accelerated(self.raw(), &mut answer) }.ok()?;
        Some(answer)
    }

    /// The same without the CPU counting as an accelerator; none before 2.3.0.
    pub fn is_non_cpu_fully_accelerated(&self) -> Option<bool> {
        let mut answer = false;
        // SAFETY: the compiled model is valid and `answer` can be written.
        unsafe { self.library.is_non_cpu_fully_accelerated(self.raw(), &mut answer) }.ok()?;
        Some(answer)
    }

    /// Adds what the error reporter has collected to a status the runtime returned.
    pub(super) fn explain(&self, error: Error) -> Error {
        match (error, self.reported()) {
            (Error::Status { call, status }, Some(text)) => Error::StatusWithText { call, status, text },
            (error, _) => error,
        }
    }

    fn reported(&self) -> Option<String> {
        let mut messages: *mut c_char = ptr::null_mut();
        // SAFETY: the compiled model is valid and `messages` can be written; what it then points to is a C string
        // that the caller frees with `free`.
        let collected = unsafe {
            self.library.error_messages(self.raw(), &mut messages).ok()?;
            let collected = text(messages)?;
            libc::free(messages.cast::<c_void>());
            collected
        };
        let lines: Vec<&str> = collected
            .lines()
            .map(|line| line.trim().trim_end_matches('.'))
            .filter(|line| !line.is_empty())
            .collect();
        (!lines.is_empty()).then(|| lines.join("; "))
    }

    pub(super) fn raw(&self) -> sys::LiteRtCompiledModel {
        self.handle.raw()
    }

    pub(super) fn library(&self) -> &'static Library {
        self.library
    }

    pub(super) fn environment(&self) -> &'m Environment {
        self.environment
    }
}
