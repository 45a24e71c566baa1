//! How do bytes get into and out of a tensor buffer without ever passing its end?

use std::{
    ffi::c_void,
    ops::{Deref, DerefMut},
    ptr::{self, NonNull},
    slice,
};

use litert_sys as sys;

use super::{Environment, Error, Library, handle::Handle};
use crate::tensor::TensorSpec;

/// Memory of one input or output, wherever the accelerator wants it.
pub struct Buffer<'e> {
    handle: Handle<'e, sys::LiteRtTensorBufferT>,
    library: &'static Library,
    name: String,
    spec: TensorSpec,
    /// Size of the packed tensor: `spec.bytes()`, checked against the runtime's own figures.
    bytes: usize,
}

impl<'e> Buffer<'e> {
    /// Makes a buffer as `requirements` ask for and checks that it holds exactly a packed `spec`.
    ///
    /// # Safety
    /// `requirements` are valid and belong to a compiled model of `environment`; `tensor_type` describes `spec`.
    pub(super) unsafe fn create(
        environment: &'e Environment,
        name: &str,
        spec: TensorSpec,
        tensor_type: &sys::LiteRtRankedTensorType,
        requirements: sys::LiteRtTensorBufferRequirements,
    ) -> Result<Buffer<'e>, Error> {
        let library = environment.library();
        let destroy = library.destroy_buffer()?;
        let mut raw = ptr::null_mut();
        // SAFETY: the environment is valid, the type and requirements are the caller's promise, `raw` can be written.
        unsafe { library.create_buffer(environment.raw(), tensor_type, requirements, &mut raw)? };
        // SAFETY: just made and ours alone; it refers to the environment, which outlives `'e`.
        let handle = unsafe { Handle::own("LiteRtCreateManagedTensorBufferFromRequirements", raw, destroy)? };

        let (mut packed, mut whole) = (0, 0);
        // SAFETY: the buffer is valid and both sizes can be written.
        unsafe {
            library.buffer_packed_size(handle.raw(), &mut packed)?;
            library.buffer_size(handle.raw(), &mut whole)?;
        }
        let bytes = spec.bytes()?;
        for actual in [packed, whole.min(bytes)] {
            if actual != bytes {
                return Err(Error::BufferSize {
                    tensor: name.to_owned(),
                    spec,
                    wanted: bytes,
                    actual,
                });
            }
        }
        Ok(Buffer {
            handle,
            library,
            name: name.to_owned(),
            spec,
            bytes,
        })
    }

    /// Name in the signature.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn spec(&self) -> &TensorSpec {
        &self.spec
    }

    /// Waits until the tensor is there and lets it be read.
    pub fn read(&self) -> Result<ReadLock<'_>, Error> {
        Ok(ReadLock(self.lock(sys::kLiteRtTensorBufferLockModeRead)?))
    }

    /// Lets the tensor be overwritten; [`WriteLock::finish`] hands it to the accelerator.
    pub fn write(&mut self) -> Result<WriteLock<'_>, Error> {
        Ok(WriteLock(self.lock(sys::kLiteRtTensorBufferLockModeWrite)?))
    }

    fn lock(&self, mode: sys::LiteRtTensorBufferLockMode) -> Result<Lock<'_>, Error> {
        let mut memory: *mut c_void = ptr::null_mut();
        // SAFETY: the buffer is valid and `memory` can be written.
        unsafe { self.library.lock_buffer(self.handle.raw(), &mut memory, mode)? };
        match NonNull::new(memory.cast::<u8>()) {
            Some(memory) => Ok(Lock { buffer: self, memory }),
            None => Err(Error::NullHandle {
                call: "LiteRtLockTensorBuffer",
            }),
        }
    }

    pub(super) fn raw(&self) -> sys::LiteRtTensorBuffer {
        self.handle.raw()
    }
}

/// A buffer mapped into host memory; unmapped when dropped.
struct Lock<'b> {
    buffer: &'b Buffer<'b>,
    memory: NonNull<u8>,
}

impl Lock<'_> {
    fn unlock(&self) -> Result<(), Error> {
        // SAFETY: the buffer is valid and was locked by `Buffer::lock`; every path unlocks once.
        unsafe { self.buffer.library.unlock_buffer(self.buffer.handle.raw()) }
    }

    fn finish(self) -> Result<(), Error> {
        let result = self.unlock();
        std::mem::forget(self);
        result
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        // Only reached when something else has failed already, or after a mere read: nothing is left to report to.
        let _ = self.unlock();
    }
}

/// The tensor's bytes, readable until dropped.
pub struct ReadLock<'b>(Lock<'b>);

impl ReadLock<'_> {
    /// Ends the reading and reports what the runtime says to that.
    pub fn finish(self) -> Result<(), Error> {
        self.0.finish()
    }
}

impl Deref for ReadLock<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: while locked the memory holds at least the packed size, which `create` checked to be `bytes`.
        unsafe { slice::from_raw_parts(self.0.memory.as_ptr(), self.0.buffer.bytes) }
    }
}

/// The tensor's bytes, writable until finished.
pub struct WriteLock<'b>(Lock<'b>);

impl WriteLock<'_> {
    /// Hands the bytes to the accelerator.
    pub fn finish(self) -> Result<(), Error> {
        self.0.finish()
    }
}

impl Deref for WriteLock<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: as for `ReadLock`.
        unsafe { slice::from_raw_parts(self.0.memory.as_ptr(), self.0.buffer.bytes) }
    }
}

impl DerefMut for WriteLock<'_> {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as for `ReadLock`; the buffer is borrowed mutably for as long as this lock lives.
        unsafe { slice::from_raw_parts_mut(self.0.memory.as_ptr(), self.0.buffer.bytes) }
    }
}
