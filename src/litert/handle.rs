//! Who frees what the runtime hands out?

use std::{marker::PhantomData, ptr::NonNull};

use super::Error;

/// The runtime's function that frees a `T`.
pub(super) type Destroy<T> = unsafe extern "C" fn(*mut T);

/// An object of the runtime, freed exactly once when dropped, and before its `'parent`.
pub(super) struct Handle<'parent, T> {
    object: NonNull<T>,
    destroy: Destroy<T>,
    parent: PhantomData<&'parent ()>,
}

impl<T> Handle<'_, T> {
    /// Takes over `object`, which `call` has just handed out.
    ///
    /// # Safety
    /// `object` is null or a valid object that nobody else frees, and `destroy` is the function that frees it.
    /// The caller picks `'parent` no longer than what the object refers to lives.
    pub(super) unsafe fn own(call: &'static str, object: *mut T, destroy: Destroy<T>) -> Result<Self, Error> {
        match NonNull::new(object) {
            Some(object) => Ok(Handle {
                object,
                destroy,
                parent: PhantomData,
            }),
            None => Err(Error::NullHandle { call }),
        }
    }

    pub(super) fn raw(&self) -> *mut T {
        self.object.as_ptr()
    }

    /// Gives the object away without freeing it.
    pub(super) fn release(self) -> *mut T {
        let object = self.object.as_ptr();
        std::mem::forget(self);
        object
    }
}

impl<T> Drop for Handle<'_, T> {
    fn drop(&mut self) {
        // SAFETY: by the contract of `own` the object is valid, ours alone, and freed by this function; drop runs once.
        unsafe { (self.destroy)(self.object.as_ptr()) }
    }
}
