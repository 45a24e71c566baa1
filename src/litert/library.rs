//! Which functions does this runtime library have, and how are they called?
//!
//! One binary serves every runtime version, so nothing is linked: each symbol is looked up and may be absent.

use std::{
    ffi::{c_char, c_int, c_void},
    io,
    path::{Path, PathBuf},
};

use libloading::Library as Dl;
use litert_sys as sys;

use super::{Error, Status, handle::Destroy};
use crate::elf::{self, ElfError};

/// File name of the runtime inside its folder.
pub const LIBRARY_FILE: &str = "libLiteRt.so";

type StatusCode = sys::LiteRtStatus;

macro_rules! runtime_functions {
    (
        call { $($call:ident = $call_symbol:literal ( $($arg:ident : $ty:ty),* $(,)? ); )* }
        destroy { $($destroy:ident = $destroy_symbol:literal ( $object:ty ); )* }
    ) => {
        /// The functions by symbol; none where this version does not have one.
        struct Functions {
            $($call: Option<unsafe extern "C" fn($($ty),*) -> StatusCode>,)*
            $($destroy: Option<Destroy<$object>>,)*
            create_model: Option<CreateModel>,
        }

        impl Functions {
            /// # Safety
            /// `dl` is a LiteRT runtime whose functions have the types declared here.
            unsafe fn look_up(dl: &Dl) -> Functions {
                // SAFETY: passed on to the caller.
                unsafe {
                    Functions {
                        $($call: symbol(dl, $call_symbol),)*
                        $($destroy: symbol(dl, $destroy_symbol),)*
                        create_model: CreateModel::look_up(dl),
                    }
                }
            }
        }

        impl Library {
            $(
                #[doc = concat!("Calls `", $call_symbol, "`. A status other than 0 and a missing symbol are errors.")]
                ///
                /// # Safety
                /// The arguments are what the function of that name in the runtime's header asks for.
                pub(super) unsafe fn $call(&self, $($arg: $ty),*) -> Result<(), Error> {
                    let function = self.functions.$call.ok_or_else(|| self.missing($call_symbol))?;
                    // SAFETY: the symbol has this type by the runtime's header; the arguments are the caller's promise.
                    check($call_symbol, unsafe { function($($arg),*) })
                }
            )*
            $(
                #[doc = concat!("The function `", $destroy_symbol, "`.")]
                pub(super) fn $destroy(&self) -> Result<Destroy<$object>, Error> {
                    self.functions.$destroy.ok_or_else(|| self.missing($destroy_symbol))
                }
            )*
        }
    };
}

runtime_functions! {
    call {
        create_environment = "LiteRtCreateEnvironment"(count: c_int, options: *const sys::LiteRtEnvOption, out: *mut sys::LiteRtEnvironment);
        accelerator_count = "LiteRtGetNumAccelerators"(environment: sys::LiteRtEnvironment, out: *mut usize);
        accelerator = "LiteRtGetAccelerator"(environment: sys::LiteRtEnvironment, index: usize, out: *mut sys::LiteRtAccelerator);
        accelerator_name = "LiteRtGetAcceleratorName"(accelerator: sys::LiteRtAccelerator, out: *mut *const c_char);

        signature_count = "LiteRtGetNumModelSignatures"(model: sys::LiteRtModel, out: *mut usize);
        signature = "LiteRtGetModelSignature"(model: sys::LiteRtModel, index: usize, out: *mut sys::LiteRtSignature);
        signature_key = "LiteRtGetSignatureKey"(signature: sys::LiteRtSignature, out: *mut *const c_char);
        input_count = "LiteRtGetNumSignatureInputs"(signature: sys::LiteRtSignature, out: *mut usize);
        input_name = "LiteRtGetSignatureInputName"(signature: sys::LiteRtSignature, index: usize, out: *mut *const c_char);
        input_tensor = "LiteRtGetSignatureInputTensorByIndex"(signature: sys::LiteRtSignature, index: usize, out: *mut sys::LiteRtTensor);
        output_count = "LiteRtGetNumSignatureOutputs"(signature: sys::LiteRtSignature, out: *mut usize);
        output_name = "LiteRtGetSignatureOutputName"(signature: sys::LiteRtSignature, index: usize, out: *mut *const c_char);
        output_tensor = "LiteRtGetSignatureOutputTensorByIndex"(signature: sys::LiteRtSignature, index: usize, out: *mut sys::LiteRtTensor);
        tensor_type_id = "LiteRtGetTensorTypeId"(tensor: sys::LiteRtTensor, out: *mut sys::LiteRtTensorTypeId);
        ranked_type = "LiteRtGetRankedTensorType"(tensor: sys::LiteRtTensor, out: *mut sys::LiteRtRankedTensorType);

        create_options = "LiteRtCreateOptions"(out: *mut sys::LiteRtOptions);
        set_accelerators = "LiteRtSetOptionsHardwareAccelerators"(options: sys::LiteRtOptions, accelerators: sys::LiteRtHwAcceleratorSet);
        create_opaque = "LiteRtCreateOpaqueOptions"(
            identifier: *const c_char,
            payload: *mut c_void,
            free_payload: Option<unsafe extern "C" fn(*mut c_void)>,
            out: *mut sys::LiteRtOpaqueOptions,
        );
        add_opaque = "LiteRtAddOpaqueOptions"(options: sys::LiteRtOptions, opaque: sys::LiteRtOpaqueOptions);

        create_compiled = "LiteRtCreateCompiledModel"(
            environment: sys::LiteRtEnvironment,
            model: sys::LiteRtModel,
            options: sys::LiteRtOptions,
            out: *mut sys::LiteRtCompiledModel,
        );
        is_fully_accelerated = "LiteRtCompiledModelIsFullyAccelerated"(compiled: sys::LiteRtCompiledModel, out: *mut bool);
        is_non_cpu_fully_accelerated = "LiteRtCompiledModelIsNonCpuFullyAccelerated"(compiled: sys::LiteRtCompiledModel, out: *mut bool);
        resize_input = "LiteRtCompiledModelResizeInputTensor"(
            compiled: sys::LiteRtCompiledModel,
            signature: usize,
            input: usize,
            dims: *const c_int,
            rank: usize,
        );
        input_layout = "LiteRtGetCompiledModelInputTensorLayout"(
            compiled: sys::LiteRtCompiledModel,
            signature: usize,
            input: usize,
            out: *mut sys::LiteRtLayout,
        );
        output_layouts = "LiteRtGetCompiledModelOutputTensorLayouts"(
            compiled: sys::LiteRtCompiledModel,
            signature: usize,
            count: usize,
            out: *mut sys::LiteRtLayout,
            update: bool,
        );
        input_requirements = "LiteRtGetCompiledModelInputBufferRequirements"(
            compiled: sys::LiteRtCompiledModel,
            signature: usize,
            input: usize,
            out: *mut sys::LiteRtTensorBufferRequirements,
        );
        output_requirements = "LiteRtGetCompiledModelOutputBufferRequirements"(
            compiled: sys::LiteRtCompiledModel,
            signature: usize,
            output: usize,
            out: *mut sys::LiteRtTensorBufferRequirements,
        );
        run = "LiteRtRunCompiledModel"(
            compiled: sys::LiteRtCompiledModel,
            signature: usize,
            input_count: usize,
            inputs: *mut sys::LiteRtTensorBuffer,
            output_count: usize,
            outputs: *mut sys::LiteRtTensorBuffer,
        );
        error_messages = "LiteRtCompiledModelGetErrorMessages"(compiled: sys::LiteRtCompiledModel, out: *mut *mut c_char);

        buffer_type_count = "LiteRtGetNumTensorBufferRequirementsSupportedBufferTypes"(
            requirements: sys::LiteRtTensorBufferRequirements,
            out: *mut c_int,
        );
        buffer_type = "LiteRtGetTensorBufferRequirementsSupportedTensorBufferType"(
            requirements: sys::LiteRtTensorBufferRequirements,
            index: c_int,
            out: *mut sys::LiteRtTensorBufferType,
        );
        create_buffer = "LiteRtCreateManagedTensorBufferFromRequirements"(
            environment: sys::LiteRtEnvironment,
            tensor_type: *const sys::LiteRtRankedTensorType,
            requirements: sys::LiteRtTensorBufferRequirements,
            out: *mut sys::LiteRtTensorBuffer,
        );
        buffer_size = "LiteRtGetTensorBufferSize"(buffer: sys::LiteRtTensorBuffer, out: *mut usize);
        buffer_packed_size = "LiteRtGetTensorBufferPackedSize"(buffer: sys::LiteRtTensorBuffer, out: *mut usize);
        lock_buffer = "LiteRtLockTensorBuffer"(
            buffer: sys::LiteRtTensorBuffer,
            out: *mut *mut c_void,
            mode: sys::LiteRtTensorBufferLockMode,
        );
        unlock_buffer = "LiteRtUnlockTensorBuffer"(buffer: sys::LiteRtTensorBuffer);
    }
    destroy {
        destroy_environment = "LiteRtDestroyEnvironment"(sys::LiteRtEnvironmentT);
        destroy_model = "LiteRtDestroyModel"(sys::LiteRtModelT);
        destroy_options = "LiteRtDestroyOptions"(sys::LiteRtOptionsT);
        destroy_opaque = "LiteRtDestroyOpaqueOptions"(sys::LiteRtOpaqueOptionsT);
        destroy_compiled = "LiteRtDestroyCompiledModel"(sys::LiteRtCompiledModelT);
        destroy_buffer = "LiteRtDestroyTensorBuffer"(sys::LiteRtTensorBufferT);
    }
}

/// Symbol that opens a graph, in both of its forms.
pub(super) const CREATE_MODEL: &str = "LiteRtCreateModelFromFile";
/// Symbol that came with the new form of [`CREATE_MODEL`], in 2.1.6.
const NEW_FORM_MARKER: &str = "LiteRtCreateModelFromFd";

/// The one function whose arguments changed between the runtimes that litmus serves.
#[derive(Clone, Copy)]
enum CreateModel {
    /// Up to 2.1.5.
    FileOnly(unsafe extern "C" fn(*const c_char, *mut sys::LiteRtModel) -> StatusCode),
    /// From 2.1.6.
    WithEnvironment(unsafe extern "C" fn(sys::LiteRtEnvironment, *const c_char, *mut sys::LiteRtModel) -> StatusCode),
}

impl CreateModel {
    /// # Safety
    /// `dl` is a LiteRT runtime.
    unsafe fn look_up(dl: &Dl) -> Option<CreateModel> {
        // SAFETY: the marker is only tested for presence; the form it stands for is the type the symbol then has.
        unsafe {
            if symbol::<unsafe extern "C" fn()>(dl, NEW_FORM_MARKER).is_some() {
                symbol(dl, CREATE_MODEL).map(CreateModel::WithEnvironment)
            } else {
                symbol(dl, CREATE_MODEL).map(CreateModel::FileOnly)
            }
        }
    }
}

/// An opened runtime. It stays loaded until the process ends: closing it crashes at exit up to version 2.2.0.
pub struct Library {
    path: PathBuf,
    functions: Functions,
}

impl Library {
    /// Opens `libLiteRt.so` in `folder` for the rest of the process.
    pub fn open(folder: &Path) -> Result<&'static Library, Error> {
        // A bare file name would send `dlopen` to the system's folders instead.
        let path = std::path::absolute(folder)
            .map_err(|source| Error::LibraryUnreadable {
                path: folder.to_owned(),
                source,
            })?
            .join(LIBRARY_FILE);
        // dlopen answers a library for another machine with a message that names neither machine.
        elf::check_machine(&path).map_err(|reason| match reason {
            ElfError::Read(source) if source.kind() == io::ErrorKind::NotFound => Error::LibraryMissing(path.clone()),
            ElfError::Read(source) => Error::LibraryUnreadable {
                path: path.clone(),
                source,
            },
            reason => Error::NotLoadable {
                path: path.clone(),
                reason,
            },
        })?;
        // SAFETY: loading runs the library's initialisers. That is what the operator asked for by naming this runtime;
        // the header was checked to be one for this machine.
        let dl = unsafe { Dl::new(&path) }.map_err(|source| Error::Dlopen {
            path: path.clone(),
            source,
        })?;
        // SAFETY: a file of this name is taken for a LiteRT runtime, and the types are those of its public header.
        let functions = unsafe { Functions::look_up(&dl) };
        std::mem::forget(dl);
        Ok(Box::leak(Box::new(Library { path, functions })))
    }

    /// Opens a graph, in whichever form this version has.
    ///
    /// # Safety
    /// `environment` is valid, `file` is a C string, and `out` can be written.
    pub(super) unsafe fn create_model(
        &self,
        environment: sys::LiteRtEnvironment,
        file: *const c_char,
        out: *mut sys::LiteRtModel,
    ) -> Result<(), Error> {
        let create = self.functions.create_model.ok_or_else(|| self.missing(CREATE_MODEL))?;
        // SAFETY: the form was chosen by what the library exports; the arguments are the caller's promise.
        let status = unsafe {
            match create {
                CreateModel::FileOnly(function) => function(file, out),
                CreateModel::WithEnvironment(function) => function(environment, file, out),
            }
        };
        check(CREATE_MODEL, status)
    }

    fn missing(&self, symbol: &'static str) -> Error {
        Error::MissingSymbol {
            path: self.path.clone(),
            symbol,
        }
    }
}

/// # Safety
/// The symbol, where there is one, has type `T`, a function pointer.
unsafe fn symbol<T: Copy>(dl: &Dl, name: &str) -> Option<T> {
    // SAFETY: passed on to the caller. The copy outlives the symbol's borrow because the library is never closed.
    unsafe { dl.get::<T>(name) }.ok().map(|symbol| *symbol)
}

fn check(call: &'static str, status: StatusCode) -> Result<(), Error> {
    match status {
        sys::kLiteRtStatusOk => Ok(()),
        other => Err(Error::Status {
            call,
            status: Status(other),
        }),
    }
}
