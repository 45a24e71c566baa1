//! Does a sweep file mean exactly the cells it should?

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use litmus::{
    agent::{Accelerator, CompileMode, OptionValue, Precision, ProviderOptions},
    chain::chain,
    graphset::GraphSet,
    sweep::{Cell, CellKey, Filter, KeyParts, OutputKind, Shard, SweepFile, Thresholds, plan, schema},
};
use proptest::prelude::*;

fn tiny_klein() -> GraphSet {
    GraphSet::load(Path::new("references/tiny-klein/index.json")).unwrap()
}

fn sweep(text: &str) -> Result<SweepFile, String> {
    SweepFile::parse(Path::new("s.toml"), text.to_owned(), PathBuf::new()).map_err(|error| chain(&error))
}

fn cells(text: &str) -> Result<Vec<Cell>, String> {
    let text = format!("name = \"s\"\n{text}");
    plan(
        &sweep(&text)?.spec,
        &tiny_klein(),
        "local",
        &["litert-2.3.0".to_owned()],
    )
    .map_err(|error| error.to_string())
}

const CPU: &str = "[graphs]\nindex = \"i\"\n[[accelerator]]\nkind = \"cpu\"\n";

#[test]
fn tiny_klein_is_21_graphs_in_25_cells() {
    let cells = cells(CPU).unwrap();
    assert_eq!(cells.len(), 25);
    assert_eq!(
        cells
            .iter()
            .map(|cell| &cell.planned.graph)
            .collect::<BTreeSet<_>>()
            .len(),
        21
    );
    assert!(cells.iter().all(|cell| !cell.expected.is_empty()));
}

#[test]
fn graphs_and_cases_are_selected_by_globs_and_names() {
    let names = |text: &str| -> Vec<String> {
        cells(text)
            .unwrap()
            .into_iter()
            .map(|cell| format!("{}/{}", cell.planned.graph, cell.planned.case))
            .collect()
    };
    let select = |graphs: &str| format!("[graphs]\nindex = \"i\"\n{graphs}\n[[accelerator]]\nkind = \"cpu\"\n");
    assert_eq!(
        names(&select("include = [\"kv_*\"]\ncases = [\"edit\"]")),
        ["kv_vae/edit", "kv_vae_enc/edit"]
    );
    assert_eq!(
        names(&select("include = [\"kv_*\"]\nexclude = [\"*enc\"]")),
        ["kv_vae/edit", "kv_vae/t2i"]
    );
}

#[test]
fn the_last_matching_rule_decides_what_an_output_is() {
    let text = format!(
        "{CPU}
[accuracy]
tensor = {{ psnr_db = 30 }}
[[accuracy.output]]
graph = \"kv_*\"
output = \"image\"
kind = {{ is = \"picture\", layout = \"nchw\", mapping = \"minus-one-to-one\" }}
[[accuracy.output]]
graph = \"kv_vae\"
thresholds = {{ corr = 0.9 }}
"
    );
    let cells = cells(&text).unwrap();
    let expected = |graph: &str| &cells.iter().find(|cell| cell.planned.graph == graph).unwrap().expected[0];
    assert!(matches!(expected("kv_vae").kind, OutputKind::Picture { .. }));
    assert_eq!(
        expected("kv_vae").thresholds,
        Thresholds {
            corr: Some(0.9),
            ..Thresholds::default()
        }
    );
    assert_eq!(
        expected("ke_enc0").thresholds,
        Thresholds {
            psnr_db: Some(30.0),
            ..Thresholds::default()
        }
    );
}

#[test]
fn faults_of_a_sweep_file_say_where_and_what_is_accepted() {
    let cases = [
        ("name = \"s\"\n[grafs]\n", vec!["grafs", "line 2", "graphs"]),
        (
            "name = \"s\"\n[graphs]\nindex = \"i\"\n[[accelerator]]\nkind = \"tpu\"\n",
            vec!["tpu", "line 5", "cpu", "gpu", "npu"],
        ),
        (
            "name = \"s\"\n[graphs]\nindex = \"i\"\naccelerator = []\n",
            vec!["accelerator"],
        ),
        (
            "name = \"a/b\"\naccelerator = []\n[graphs]\nindex = \"i\"\n",
            vec!["name", "letters"],
        ),
        (
            "name = \"s\"\naccelerator = []\n[graphs]\nindex = \"i\"\n",
            vec!["accelerator is empty"],
        ),
    ];
    for (text, words) in cases {
        let error = sweep(text).unwrap_err();
        for word in words {
            assert!(error.contains(word), "{word:?} is not in: {error}");
        }
    }
    let with = |extra: &str| sweep(&format!("name = \"s\"\n{CPU}{extra}")).unwrap_err();
    assert!(with("[protocol]\nruns = 0\n").contains("1 to 1000000"));
    assert!(with("threads = 0\n").contains("threads"));
    assert!(with("precision = \"fp16\"\n").contains("fp32"));
    assert!(with("options.xnnpack.nun_threads = 2\n").contains("num_threads"));
    assert!(with("options.xnnpak.num_threads = 2\n").contains("xnnpack"));
    assert!(with("[accuracy]\ntensor = { psnr_db = nan }\n").contains("finite"));
    assert!(with("[accuracy]\ntensor = { ssim = 0.9 }\n").contains("pictures only"));
    assert!(with("[accuracy]\ntensor = {}\n").contains("everything would pass"));
    assert!(with("[accuracy]\ntensor = { corr = 1.5 }\n").contains("nothing can keep"));
    assert!(with("[accuracy]\ntensor = { max_abs = -1 }\n").contains("nothing can keep"));
    assert!(
        sweep(&format!("name = \"{}\"\n{CPU}", "n".repeat(101)))
            .unwrap_err()
            .contains("at most 100")
    );
}

#[test]
fn plans_that_make_no_sense_are_refused() {
    assert!(
        cells(&format!("{CPU}[[accelerator]]\nkind = \"cpu\"\n"))
            .unwrap_err()
            .contains("two cells have the key")
    );
    let select = |graphs: &str| {
        cells(&format!(
            "[graphs]\nindex = \"i\"\n{graphs}\n[[accelerator]]\nkind = \"cpu\"\n"
        ))
    };
    assert!(
        select("include = [\"nothing\"]")
            .unwrap_err()
            .contains("matches nothing in the index")
    );
    assert!(select("exclude = [\"kc_finl\"]").unwrap_err().contains("kc_final"));
    assert!(
        select("include = [\"kv_vae\"]\nexclude = [\"kv_*\"]")
            .unwrap_err()
            .contains("no cells")
    );
    let misspelt = format!("{CPU}[[accuracy.output]]\noutput = \"imaeg\"\n");
    assert!(cells(&misspelt).unwrap_err().contains("image"));
    assert!(select("cases = [\"t2j\"]").unwrap_err().contains("edit, t2i"));
    assert!(select("include = [\"[\"]").unwrap_err().contains("glob"));
    assert!(cells(&format!("{CPU}compile = \"aot\"\n")).unwrap_err().contains("jit"));
}

#[test]
fn entries_that_differ_only_in_options_have_keys_of_their_own() {
    let text = format!("{CPU}[[accelerator]]\nkind = \"cpu\"\noptions.xnnpack.kernel_mode = \"builtin\"\n");
    let cells = cells(&text).unwrap();
    assert_eq!(cells.len(), 50);
}

#[test]
fn the_schema_knows_every_key_of_the_shipped_sweep() {
    let schema: serde_json::Value = serde_json::from_str(&schema()).unwrap();
    let sweep: toml::Table = toml::from_str(&std::fs::read_to_string("sweeps/tiny-klein.toml").unwrap()).unwrap();
    for key in sweep.keys() {
        assert!(schema["properties"].get(key).is_some(), "{key}");
    }
    assert_eq!(schema["additionalProperties"], false);
}

#[test]
fn shards_are_written_i_of_n() {
    for text in ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2"] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
    assert_eq!("2/4".parse::<Shard>().unwrap().to_string(), "2/4");
}

#[test]
fn filters_take_a_piece_of_a_key_or_a_glob() {
    let cells = cells(CPU).unwrap();
    let count = |filter: &str| {
        Filter::new(filter)
            .unwrap()
            .select(cells.clone())
            .map(|left| left.len())
    };
    assert_eq!(count("kv_vae/").unwrap(), 2);
    assert_eq!(count("*/t2i/*").unwrap(), 12);
    assert_eq!(count("kc_single?/*").unwrap(), 4);
    assert!(count("nothing").is_err());
}

proptest! {
    /// Shards never overlap and leave nothing out; their sizes differ by one at most.
    #[test]
    fn shards_partition_a_plan(count in 1u32..=25) {
        let all = cells(CPU).unwrap();
        let mut seen = Vec::new();
        for index in 1..=count {
            let own = format!("{index}/{count}").parse::<Shard>().unwrap().select(all.clone()).unwrap();
            prop_assert!(own.len().abs_diff(all.len() / count as usize) <= 1);
            seen.extend(own.into_iter().map(|cell| cell.planned.key));
        }
        seen.sort();
        let mut keys: Vec<CellKey> = all.into_iter().map(|cell| cell.planned.key).collect();
        keys.sort();
        prop_assert_eq!(seen, keys);
    }

    /// Different cells have different keys, whatever their names hold; a key always has ten parts.
    #[test]
    fn keys_are_injective(
        a in (any::<String>(), any::<Option<String>>(), any::<String>(), any::<Option<u32>>(), any::<Option<i64>>()),
        b in (any::<String>(), any::<Option<String>>(), any::<String>(), any::<Option<u32>>(), any::<Option<i64>>()),
    ) {
        let key = |parts: &(String, Option<String>, String, Option<u32>, Option<i64>)| {
            let mut options = ProviderOptions::new();
            if let Some(value) = parts.4 {
                options.entry("xnnpack".into()).or_default().insert("num_threads".into(), OptionValue::Integer(value));
            }
            CellKey::new(&KeyParts {
                graph: &parts.0,
                signature: parts.1.as_deref(),
                case: &parts.2,
                target: "local",
                accelerator: Accelerator::Cpu,
                precision: Precision::Fp32,
                compile: CompileMode::Jit,
                runtime: "litert-2.3.0",
                threads: parts.3,
                options: &options,
            })
        };
        // A signature named "default" is the one collision by design: it is what an unnamed one is called.
        let named = |p: &(String, Option<String>, String, Option<u32>, Option<i64>)| p.1.as_deref() == Some("default");
        prop_assume!(!named(&a) && !named(&b));
        prop_assert_eq!(key(&a) == key(&b), a == b);
        prop_assert_eq!(key(&a).as_str().split('/').count(), 10);
    }
}
