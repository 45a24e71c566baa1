//! What does an attempt need around it on its target, and is it there?

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use crate::{
    agent::{Accelerator, OptionValue, ProviderOptions},
    install::{Readiness, Runtime, Surroundings, Wanted, vulkan_icd},
    litert::options::VULKAN,
    store::cache_dir,
    target::Target,
};

/// Folder of an attempt's own shader cache, in the attempt's folder.
const SHADER_CACHE: &str = "shader-cache";

/// Where drivers are told to keep compiled shaders: Mesa's variable, NVIDIA's.
const SHADER_CACHE_VARIABLES: [&str; 2] = ["MESA_SHADER_CACHE_DIR", "__GL_SHADER_DISK_CACHE_PATH"];

/// Asks a target once for each kind of cell; the answers hold for a run.
pub struct Equipment<'a> {
    target: &'a dyn Target,
    /// Paths in options are relative to it.
    sweep_folder: &'a Path,
    known: BTreeMap<(String, Wanted), Readiness>,
}

impl<'a> Equipment<'a> {
    pub fn new(target: &'a dyn Target, sweep_folder: &'a Path) -> Self {
        Equipment {
            target,
            sweep_folder,
            known: BTreeMap::new(),
        }
    }

    /// Whether the target is ready for an accelerator with these options and a runtime.
    pub fn of(&mut self, accelerator: Accelerator, options: &ProviderOptions, runtime: &Runtime) -> &Readiness {
        let wanted = Wanted {
            accelerator,
            vulkan_icd: text(options, "icd").map(|icd| vulkan_icd(icd, self.sweep_folder)),
        };
        let target = self.target;
        self.known
            .entry((runtime.id.clone(), wanted))
            .or_insert_with_key(|(_, wanted)| target.readiness(wanted, runtime))
    }
}

/// Whether compiled shaders are kept between attempts, which makes all but the first load a cached one.
pub fn keeps_shaders(options: &ProviderOptions) -> bool {
    text(options, "shader_cache") == Some("kept")
}

/// Gives the driver of a GPU a shader cache: an empty one in the attempt's `folder`, unless the sweep keeps it.
/// Without one a driver would use the user's, and load times would depend on what ran before.
pub fn with_shader_cache(
    mut needs: Surroundings,
    accelerator: Accelerator,
    options: &ProviderOptions,
    folder: &Path,
) -> Surroundings {
    if accelerator == Accelerator::Gpu {
        let cache: PathBuf = match cache_dir() {
            Ok(shared) if keeps_shaders(options) => shared.join(SHADER_CACHE),
            _ => folder.join(SHADER_CACHE),
        };
        let variables = SHADER_CACHE_VARIABLES.map(|name| (name.to_owned(), cache.clone()));
        needs.variables.extend(variables);
    }
    needs
}

fn text<'o>(options: &'o ProviderOptions, key: &str) -> Option<&'o str> {
    match options.get(VULKAN)?.get(key)? {
        OptionValue::Text(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept() -> ProviderOptions {
        let kept = [("shader_cache".to_owned(), OptionValue::Text("kept".to_owned()))];
        [(VULKAN.to_owned(), kept.into())].into()
    }

    #[test]
    fn every_gpu_attempt_has_a_shader_cache_of_its_own_unless_the_sweep_keeps_it() {
        let folder = Path::new("/run/attempts/0001");
        let cache = |options: &ProviderOptions| {
            with_shader_cache(Surroundings::default(), Accelerator::Gpu, options, folder).variables
                ["MESA_SHADER_CACHE_DIR"]
                .clone()
        };
        assert_eq!(cache(&ProviderOptions::new()), folder.join(SHADER_CACHE));
        assert!(!cache(&kept()).starts_with(folder));
        let npu = with_shader_cache(Surroundings::default(), Accelerator::Npu, &kept(), folder);
        assert_eq!(npu, Surroundings::default());
    }
}
