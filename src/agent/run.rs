//! What happens in an attempt, step by step?

use std::time::Instant;

use super::{
    Accelerator, Event, InputBinding, Job, Memory, Stage, Task, TensorInfo, ThermalPoint, ThermalReading, bind,
    error::{AgentError, At, Failure},
    events::Events,
    measure::{ms_since, timed},
    outputs,
};
use crate::{
    litert::{CompiledModel, EffectiveOptions, Environment, Library, Model, Session, Signature, Tensor},
    tflite,
};

/// Does the job and reports each step. Everything of the runtime is taken down when this returns.
pub(super) fn run(job: &Job, events: &mut Events) -> Result<(), Failure> {
    let options = EffectiveOptions::new(job.accelerator, job.precision, job.threads, &job.options).at(Stage::Start)?;
    let options = match job.task {
        Task::Measure => options,
        Task::Split => options.beside_cpu(),
    };
    tflite::verify_file(&job.model)
        .map_err(|source| AgentError::Verify {
            graph: job.model.clone(),
            source,
        })
        .at(Stage::Verify)?;
    let library = Library::open(&job.runtime).at(Stage::Start)?;
    let environment =
        Environment::create(library, &job.runtime, options.accelerators(), &job.environment).at(Stage::Start)?;

    let start = Instant::now();
    let model = Model::open(&environment, &job.model).at(Stage::Load)?;
    let load_ms = ms_since(start);
    let signature = model.signature(job.signature.as_deref()).at(Stage::Load)?;
    events.send(loaded(load_ms, &signature)).at(Stage::Load)?;

    // Checked before compiling: a wrong case should not cost a compilation, and open shapes are needed for it.
    let inputs = bind::inputs(&signature, &job.inputs).at(Stage::Bind)?;

    let mut session = compile(&environment, &model, &options, &signature, &inputs, events)?;
    if job.task == Task::Split {
        return events.send(Event::Done { memory: Memory::now() }).at(Stage::Compile);
    }
    for (buffer, binding) in session.inputs_mut().iter_mut().zip(&inputs) {
        bind::fill(buffer, binding).at(Stage::Bind)?;
    }
    warm_up(&mut session, job.timing.warmups, events).at(Stage::FirstRun)?;
    let mut earlier = hashes(&session, job.accelerator).at(Stage::Run)?.into_iter();
    measure(&mut session, job, events).at(Stage::Run)?;
    for (index, buffer) in session.outputs().iter().enumerate() {
        let written = outputs::write(index, buffer, earlier.next(), &job.output_folder).at(Stage::Output)?;
        events.send(written).at(Stage::Output)?;
    }
    events.send(Event::Done { memory: Memory::now() }).at(Stage::Output)
}

fn loaded(load_ms: f64, signature: &Signature) -> Event {
    let known = |tensors: &[Tensor]| {
        tensors
            .iter()
            .filter_map(|tensor| {
                Some(TensorInfo {
                    name: tensor.name.clone(),
                    spec: tensor.spec()?,
                })
            })
            .collect()
    };
    Event::Loaded {
        load_ms,
        signature: signature.key.clone(),
        inputs: known(&signature.inputs),
        outputs: known(&signature.outputs),
        memory: Memory::now(),
    }
}

fn compile<'m>(
    environment: &'m Environment,
    model: &'m Model<'m>,
    options: &EffectiveOptions,
    signature: &Signature,
    inputs: &[&InputBinding],
    events: &mut Events,
) -> Result<Session<'m>, Failure> {
    let start = Instant::now();
    let compiled = CompiledModel::create(environment, model, options).at(Stage::Compile)?;
    let compile_ms = ms_since(start);
    let shapes: Vec<_> = inputs.iter().map(|binding| binding.spec.clone()).collect();
    let session = Session::create(compiled, signature, &shapes).at(Stage::Compile)?;
    events
        .send(Event::Compiled {
            compile_ms,
            placement: session.placement(),
            memory: Memory::now(),
        })
        .at(Stage::Compile)?;
    Ok(session)
}

fn warm_up(session: &mut Session<'_>, warmups: u32, events: &mut Events) -> Result<(), AgentError> {
    let start = Instant::now();
    session.run_synchronised()?;
    let first_run_ms = ms_since(start);
    events.send(Event::FirstRun {
        first_run_ms,
        memory: Memory::now(),
    })?;
    for _ in 0..warmups {
        session.run_synchronised()?;
        events.progress(0)?;
    }
    Ok(())
}

/// Of the outputs of an accelerator: some leave memory as it was, so that what they give varies from run to run.
fn hashes(session: &Session<'_>, accelerator: Accelerator) -> Result<Vec<String>, AgentError> {
    match accelerator {
        Accelerator::Cpu => Ok(Vec::new()),
        Accelerator::Gpu | Accelerator::Npu => session.outputs().iter().map(outputs::sha256).collect(),
    }
}

fn measure(session: &mut Session<'_>, job: &Job, events: &mut Events) -> Result<(), AgentError> {
    thermal(events, ThermalPoint::Start)?;
    let runs = job.timing.runs;
    let between = |done| events.progress(done);
    let samples_ns = match job.accelerator {
        Accelerator::Cpu => timed(runs, || Ok(session.run()?), between),
        // A run may return before its results are there.
        Accelerator::Gpu | Accelerator::Npu => timed(runs, || Ok(session.run_synchronised()?), between),
    }?;
    thermal(events, ThermalPoint::End)?;
    events.send(Event::Samples { samples_ns })
}

fn thermal(events: &mut Events, at: ThermalPoint) -> Result<(), AgentError> {
    events.send(Event::Thermal {
        at,
        reading: ThermalReading::now(),
    })
}
