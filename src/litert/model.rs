//! What does a graph say about its signatures?

use std::{ffi::c_char, path::Path, ptr};

use litert_sys as sys;

use super::{
    Environment, Error, Library,
    element::dtype,
    environment::{c_path, text},
    handle::Handle,
    library::CREATE_MODEL,
};
use crate::tensor::{DType, TensorSpec};

/// A graph the runtime has opened.
pub struct Model<'e> {
    handle: Handle<'e, sys::LiteRtModelT>,
    library: &'static Library,
}

/// One way to call a graph.
#[derive(Clone)]
pub struct Signature {
    pub key: String,
    /// In the signature's own order.
    pub inputs: Vec<Tensor>,
    /// In the signature's own order.
    pub outputs: Vec<Tensor>,
    pub(super) index: usize,
}

/// An input or output as the graph declares it.
#[derive(Clone)]
pub struct Tensor {
    pub name: String,
    pub dtype: DType,
    /// Outermost first; none where the graph leaves a dimension to its caller.
    pub dims: Vec<Option<u32>>,
    pub(super) declared: sys::LiteRtRankedTensorType,
}

impl Tensor {
    /// Element type and shape, when the graph fixes every dimension.
    pub fn spec(&self) -> Option<TensorSpec> {
        let shape = self.dims.iter().copied().collect::<Option<Vec<u32>>>()?;
        Some(TensorSpec {
            dtype: self.dtype,
            shape,
        })
    }
}

impl<'e> Model<'e> {
    /// Opens `file`. The flatbuffer must have been verified: the runtime trusts its offsets.
    pub fn open(environment: &'e Environment, file: &Path) -> Result<Model<'e>, Error> {
        let library = environment.library();
        let destroy = library.destroy_model()?;
        let path = c_path(file)?;
        let mut model = ptr::null_mut();
        // SAFETY: the environment is valid, the path is a C string, `model` can be written.
        unsafe { library.create_model(environment.raw(), path.as_ptr(), &mut model)? };
        // SAFETY: just made, ours alone; it may refer to the environment, which outlives `'e`.
        let handle = unsafe { Handle::own(CREATE_MODEL, model, destroy)? };
        Ok(Model { handle, library })
    }

    /// The signature of that key, or the first one.
    pub fn signature(&self, wanted: Option<&str>) -> Result<Signature, Error> {
        let keys = self.signature_keys()?;
        let index = match wanted {
            None if keys.is_empty() => return Err(Error::NoSignature),
            None => 0,
            Some(wanted) => keys
                .iter()
                .position(|key| key == wanted)
                .ok_or_else(|| Error::UnknownSignature {
                    wanted: wanted.to_owned(),
                    known: keys.clone(),
                })?,
        };
        let signature = self.raw_signature(index)?;
        Ok(Signature {
            key: keys[index].clone(),
            inputs: self.tensors(signature, Side::Input)?,
            outputs: self.tensors(signature, Side::Output)?,
            index,
        })
    }

    fn signature_keys(&self) -> Result<Vec<String>, Error> {
        let mut count = 0;
        // SAFETY: the model is valid and `count` can be written.
        unsafe { self.library.signature_count(self.raw(), &mut count)? };
        (0..count)
            .map(|index| {
                let signature = self.raw_signature(index)?;
                let mut key = ptr::null();
                // SAFETY: the signature belongs to the model; the key is a string the model owns.
                unsafe {
                    self.library.signature_key(signature, &mut key)?;
                    Ok(text(key).unwrap_or_default())
                }
            })
            .collect()
    }

    fn raw_signature(&self, index: usize) -> Result<sys::LiteRtSignature, Error> {
        let mut signature = ptr::null_mut();
        // SAFETY: the model is valid and `signature` can be written; the runtime refuses an index out of range.
        unsafe { self.library.signature(self.raw(), index, &mut signature)? };
        Ok(signature)
    }

    fn tensors(&self, signature: sys::LiteRtSignature, side: Side) -> Result<Vec<Tensor>, Error> {
        let mut count = 0;
        // SAFETY: the signature belongs to this model and `count` can be written.
        unsafe {
            match side {
                Side::Input => self.library.input_count(signature, &mut count)?,
                Side::Output => self.library.output_count(signature, &mut count)?,
            }
        };
        (0..count)
            .map(|index| {
                let mut name: *const c_char = ptr::null();
                let mut tensor = ptr::null_mut();
                // SAFETY: as above; `index` is below the count, and the name is a string the model owns.
                let name = unsafe {
                    match side {
                        Side::Input => {
                            self.library.input_name(signature, index, &mut name)?;
                            self.library.input_tensor(signature, index, &mut tensor)?;
                        }
                        Side::Output => {
                            self.library.output_name(signature, index, &mut name)?;
                            self.library.output_tensor(signature, index, &mut tensor)?;
                        }
                    }
                    text(name).unwrap_or_default()
                };
                self.tensor(name, tensor)
            })
            .collect()
    }

    fn tensor(&self, name: String, tensor: sys::LiteRtTensor) -> Result<Tensor, Error> {
        let mut kind = sys::kLiteRtRankedTensorType;
        let mut declared = sys::LiteRtRankedTensorType::default();
        // SAFETY: the tensor belongs to this model; both outputs can be written.
        unsafe { self.library.tensor_type_id(tensor, &mut kind)? };
        if kind != sys::kLiteRtRankedTensorType {
            return Err(Error::Unranked { tensor: name });
        }
        // SAFETY: as above, and the tensor was just seen to be ranked.
        unsafe { self.library.ranked_type(tensor, &mut declared)? };
        let dims = match dims(&declared.layout) {
            Some(dims) => dims.iter().map(|&dim| u32::try_from(dim).ok()).collect(),
            None => return Err(Error::Unranked { tensor: name }),
        };
        match dtype(declared.element_type) {
            Ok(dtype) => Ok(Tensor {
                name,
                dtype,
                dims,
                declared,
            }),
            Err(element) => Err(Error::UnsupportedElement { tensor: name, element }),
        }
    }

    pub(super) fn raw(&self) -> sys::LiteRtModel {
        self.handle.raw()
    }
}

#[derive(Clone, Copy)]
enum Side {
    Input,
    Output,
}

/// The dimensions of a layout, negative where unknown; none for a rank the runtime's own struct cannot hold.
pub(super) fn dims(layout: &sys::LiteRtLayout) -> Option<&[i32]> {
    layout.dimensions.get(..layout.rank() as usize)
}
