//! What does a twin graph answer for the inputs of a set? Its answers become references.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use super::{AttemptStatus, JournalError, Observer, Plan, Run, RunEnd, RunError, Selection, read_journal};
use crate::{
    agent::{Accelerator, CompileMode, Precision},
    graphset::{Index, Tensor},
    install::Runtime,
    store::HashCache,
    sweep::{AcceleratorSpec, AccuracySpec, GraphsSpec, KeepOutputs, ProtocolSpec, SweepFile, SweepSpec, ThermalSpec},
    target::Target,
};

/// Why a twin gave no references.
#[derive(Debug, thiserror::Error)]
pub enum TwinError {
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("the twin of \"{graph}\" did not run: {message}")]
    Failed { graph: String, message: String },
    #[error("interrupted")]
    Interrupted,
    #[error("cannot write {path}; check space and permissions")]
    Write { path: PathBuf, source: io::Error },
    #[error("the twin index could not be written as text")]
    Text,
}

/// The means to run a twin.
pub struct TwinRunner<'a> {
    pub target: &'a dyn Target,
    pub runtime: Runtime,
    pub hashes: &'a HashCache,
    pub observer: &'a mut dyn Observer,
    pub interrupted: &'a AtomicBool,
}

impl TwinRunner<'_> {
    /// Runs every case of `twins` once on the CPU in fp32. Its outputs are moved below `root`/`folder` and returned by
    /// graph and case, as index entries relative to `root`. `scratch` is a folder for the run; it must hold the twins' inputs
    /// under the paths the index names.
    pub fn references(
        &mut self,
        twins: &Index,
        scratch: &Path,
        root: &Path,
        folder: &str,
    ) -> Result<BTreeMap<(String, String), Vec<Tensor>>, TwinError> {
        let write = |path: &Path, bytes: &[u8]| {
            fs::write(path, bytes).map_err(|source| TwinError::Write {
                path: path.to_owned(),
                source,
            })
        };
        let text = serde_json::to_vec(twins).map_err(|_| TwinError::Text)?;
        write(&scratch.join("index.json"), &text)?;
        let text = toml::to_string(&once_on_cpu()).map_err(|_| TwinError::Text)?;
        let sweep = SweepFile::parse(&scratch.join("twins"), text, scratch.to_owned()).map_err(RunError::from)?;
        let ids = [self.runtime.id.clone()];
        let plan = Plan::new(sweep, Selection::default(), &self.target.info().id, &ids)?;
        let run = Run::create(
            plan,
            &scratch.join("runs"),
            std::slice::from_ref(&self.runtime),
            self.target,
            self.hashes,
        )?;
        if run.execute(self.target, self.hashes, self.observer, self.interrupted)? == RunEnd::Interrupted {
            return Err(TwinError::Interrupted);
        }
        let mut references = BTreeMap::new();
        let cells: BTreeMap<_, _> = run.file.cells.iter().map(|cell| (&cell.key, cell)).collect();
        for record in read_journal(&run.folder.journal())?.attempts {
            let Some(cell) = cells.get(&record.key) else { continue };
            if record.outcome.status != AttemptStatus::Unscored {
                let message = record.outcome.message.unwrap_or_default();
                return Err(TwinError::Failed {
                    graph: cell.graph.clone(),
                    message,
                });
            }
            let folder = Path::new(folder).join(&cell.graph).join(&cell.case);
            let mut tensors = Vec::new();
            for output in &record.measured.outputs {
                let file = folder.join(format!("out{}.bin", output.index));
                let from = run.folder.path().join(output.file.clone().unwrap_or_default());
                move_file(&from, &root.join(&file))?;
                tensors.push(Tensor {
                    index: output.index,
                    name: Some(output.name.clone()),
                    role: None,
                    spec: output.spec.clone(),
                    file,
                    sha256: output.sha256.clone(),
                });
            }
            references.insert((cell.graph.clone(), cell.case.clone()), tensors);
        }
        Ok(references)
    }
}

fn move_file(from: &Path, to: &Path) -> Result<(), TwinError> {
    let moved = to
        .parent()
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::rename(from, to));
    moved.map_err(|source| TwinError::Write {
        path: to.to_owned(),
        source,
    })
}

fn once_on_cpu() -> SweepSpec {
    SweepSpec {
        name: "twins".to_owned(),
        graphs: GraphsSpec {
            index: "index.json".into(),
            include: vec![],
            exclude: vec![],
            cases: vec![],
        },
        runtimes: vec![crate::install::DEFAULT_RUNTIME.to_owned()],
        accelerators: vec![AcceleratorSpec {
            kind: Accelerator::Cpu,
            precision: Precision::Fp32,
            compile: CompileMode::Jit,
            threads: None,
            options: BTreeMap::new(),
        }],
        protocol: ProtocolSpec {
            warmups: 0,
            runs: 1,
            retries: 0,
            ..ProtocolSpec::default()
        },
        thermal: ThermalSpec::default(),
        accuracy: AccuracySpec::default(),
        require: vec![],
        baseline: None,
        keep: KeepOutputs::All,
    }
}
