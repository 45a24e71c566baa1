//! How does a compiled graph get its buffers, and run?

use std::{ffi::c_int, ptr};

use litert_sys as sys;

use super::{Buffer, CompiledModel, Error, Signature, Tensor, model::dims};
use crate::{agent::Placement, tensor::TensorSpec};

/// A compiled graph with a buffer for every input and output of one signature.
pub struct Session<'m> {
    // Buffers are freed before the compiled model that asked for them.
    inputs: Vec<Buffer<'m>>,
    outputs: Vec<Buffer<'m>>,
    raw_inputs: Vec<sys::LiteRtTensorBuffer>,
    raw_outputs: Vec<sys::LiteRtTensorBuffer>,
    buffer_types: Vec<i32>,
    signature: usize,
    compiled: CompiledModel<'m>,
}

impl<'m> Session<'m> {
    /// Makes all buffers. `shapes` are the inputs' specs in the signature's order; where the graph leaves a dimension
    /// open, the graph is resized to them first.
    pub fn create(
        compiled: CompiledModel<'m>,
        signature: &Signature,
        shapes: &[TensorSpec],
    ) -> Result<Session<'m>, Error> {
        match Buffers::create(&compiled, signature, shapes) {
            Ok(buffers) => Ok(Session {
                raw_inputs: buffers.inputs.iter().map(Buffer::raw).collect(),
                raw_outputs: buffers.outputs.iter().map(Buffer::raw).collect(),
                inputs: buffers.inputs,
                outputs: buffers.outputs,
                buffer_types: buffers.types,
                signature: signature.index,
                compiled,
            }),
            Err(error) => Err(compiled.explain(error)),
        }
    }

    /// Runs the graph once. On an accelerator the outputs may still be on their way: reading them waits.
    pub fn run(&mut self) -> Result<(), Error> {
        // SAFETY: the compiled model is valid, and the arrays hold one valid buffer for every input and output of the
        // signature, made from that model's requirements.
        let ran = unsafe {
            self.compiled.library().run(
                self.compiled.raw(),
                self.signature,
                self.raw_inputs.len(),
                self.raw_inputs.as_mut_ptr(),
                self.raw_outputs.len(),
                self.raw_outputs.as_mut_ptr(),
            )
        };
        ran.map_err(|error| self.compiled.explain(error))
    }

    /// Runs the graph once and waits until every output can be read by the host.
    pub fn run_synchronised(&mut self) -> Result<(), Error> {
        self.run()?;
        self.outputs.iter().try_for_each(|output| output.read()?.finish())
    }

    /// Inputs in the signature's order, to be filled.
    pub fn inputs_mut(&mut self) -> &mut [Buffer<'m>] {
        &mut self.inputs
    }

    /// Outputs in the signature's order.
    pub fn outputs(&self) -> &[Buffer<'m>] {
        &self.outputs
    }

    /// What the runtime says about where the graph was placed.
    pub fn placement(&self) -> Placement {
        Placement {
            fully_accelerated: self.compiled.is_fully_accelerated(),
            non_cpu_fully_accelerated: self.compiled.is_non_cpu_fully_accelerated(),
            buffer_types: self.buffer_types.clone(),
            accelerators: self.compiled.environment().accelerators(),
        }
    }
}

struct Buffers<'m> {
    inputs: Vec<Buffer<'m>>,
    outputs: Vec<Buffer<'m>>,
    /// First supported type of every input, then of every output.
    types: Vec<i32>,
}

impl<'m> Buffers<'m> {
    fn create(
        compiled: &CompiledModel<'m>,
        signature: &Signature,
        shapes: &[TensorSpec],
    ) -> Result<Buffers<'m>, Error> {
        let binder = Binder {
            compiled,
            signature: signature.index,
        };
        for (index, (tensor, shape)) in signature.inputs.iter().zip(shapes).enumerate() {
            if tensor.spec().is_none() {
                binder.resize(index, tensor, shape)?;
            }
        }
        let mut types = Vec::new();
        let mut inputs = Vec::with_capacity(signature.inputs.len());
        for (index, (tensor, shape)) in signature.inputs.iter().zip(shapes).enumerate() {
            let mut tensor_type = tensor.declared;
            if tensor.spec().is_none() {
                tensor_type.layout = binder.input_layout(index)?;
            }
            let requirements = binder.input_requirements(index)?;
            types.extend(binder.first_type(requirements)?);
            inputs.push(binder.buffer(tensor, shape.clone(), &tensor_type, requirements)?);
        }
        let layouts = binder.output_layouts(signature)?;
        let mut outputs = Vec::with_capacity(signature.outputs.len());
        for (index, (tensor, layout)) in signature.outputs.iter().zip(layouts).enumerate() {
            let tensor_type = sys::LiteRtRankedTensorType {
                layout,
                ..tensor.declared
            };
            let shape = known_shape(tensor, &layout)?;
            let requirements = binder.output_requirements(index)?;
            types.extend(binder.first_type(requirements)?);
            outputs.push(binder.buffer(tensor, shape, &tensor_type, requirements)?);
        }
        Ok(Buffers { inputs, outputs, types })
    }
}

/// The calls that buffers are made with.
struct Binder<'c, 'm> {
    compiled: &'c CompiledModel<'m>,
    signature: usize,
}

impl<'m> Binder<'_, 'm> {
    fn resize(&self, input: usize, tensor: &Tensor, spec: &TensorSpec) -> Result<(), Error> {
        let unshapeable = || Error::Unshapeable {
            tensor: tensor.name.clone(),
            spec: spec.clone(),
        };
        let dims: Vec<c_int> = spec
            .shape
            .iter()
            .map(|&dim| c_int::try_from(dim).map_err(|_| unshapeable()))
            .collect::<Result<_, _>>()?;
        // SAFETY: the compiled model is valid; `dims` holds as many dimensions as are said.
        unsafe {
            self.compiled
                .library()
                .resize_input(self.compiled.raw(), self.signature, input, dims.as_ptr(), dims.len())
        }
    }

    fn input_layout(&self, input: usize) -> Result<sys::LiteRtLayout, Error> {
        let mut layout = sys::LiteRtLayout::default();
        // SAFETY: the compiled model is valid and `layout` can be written.
        unsafe {
            self.compiled
                .library()
                .input_layout(self.compiled.raw(), self.signature, input, &mut layout)?
        };
        Ok(layout)
    }

    /// The outputs' layouts: the declared ones, or, where the graph leaves dimensions open, what its inputs' shapes
    /// make of them. The latter has to be asked for before the requirements of any output.
    fn output_layouts(&self, signature: &Signature) -> Result<Vec<sys::LiteRtLayout>, Error> {
        let mut layouts: Vec<_> = signature.outputs.iter().map(|tensor| tensor.declared.layout).collect();
        let fixed = |tensors: &[Tensor]| tensors.iter().all(|tensor| tensor.spec().is_some());
        if !fixed(&signature.inputs) || !fixed(&signature.outputs) {
            // SAFETY: the compiled model is valid; `layouts` has room for as many layouts as are said.
            unsafe {
                self.compiled.library().output_layouts(
                    self.compiled.raw(),
                    self.signature,
                    layouts.len(),
                    layouts.as_mut_ptr(),
                    true,
                )?
            };
        }
        Ok(layouts)
    }

    fn input_requirements(&self, input: usize) -> Result<sys::LiteRtTensorBufferRequirements, Error> {
        let mut requirements = ptr::null_mut();
        // SAFETY: the compiled model is valid and `requirements` can be written; the model owns what it points to.
        unsafe {
            self.compiled
                .library()
                .input_requirements(self.compiled.raw(), self.signature, input, &mut requirements)?
        };
        Ok(requirements)
    }

    fn output_requirements(&self, output: usize) -> Result<sys::LiteRtTensorBufferRequirements, Error> {
        let mut requirements = ptr::null_mut();
        // SAFETY: as for `input_requirements`.
        unsafe {
            self.compiled.library().output_requirements(
                self.compiled.raw(),
                self.signature,
                output,
                &mut requirements,
            )?
        };
        Ok(requirements)
    }

    fn first_type(&self, requirements: sys::LiteRtTensorBufferRequirements) -> Result<Option<i32>, Error> {
        let library = self.compiled.library();
        let mut count = 0;
        let mut first = 0;
        // SAFETY: the requirements belong to the compiled model, and index 0 is asked for only where there is one.
        unsafe {
            library.buffer_type_count(requirements, &mut count)?;
            if count < 1 {
                return Ok(None);
            }
            library.buffer_type(requirements, 0, &mut first)?;
        }
        Ok(i32::try_from(first).ok())
    }

    fn buffer(
        &self,
        tensor: &Tensor,
        spec: TensorSpec,
        tensor_type: &sys::LiteRtRankedTensorType,
        requirements: sys::LiteRtTensorBufferRequirements,
    ) -> Result<Buffer<'m>, Error> {
        // SAFETY: the requirements were just taken from the compiled model, and the type is the tensor's own.
        unsafe {
            Buffer::create(
                self.compiled.environment(),
                &tensor.name,
                spec,
                tensor_type,
                requirements,
            )
        }
    }
}

fn known_shape(tensor: &Tensor, layout: &sys::LiteRtLayout) -> Result<TensorSpec, Error> {
    let shape = dims(layout)
        .and_then(|dims| dims.iter().map(|&dim| u32::try_from(dim).ok()).collect())
        .ok_or_else(|| Error::OutputShapeUnknown {
            tensor: tensor.name.clone(),
        })?;
    Ok(TensorSpec {
        dtype: tensor.dtype,
        shape,
    })
}
