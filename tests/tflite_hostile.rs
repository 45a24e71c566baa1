//! Does a damaged or hostile file always end in an error, soon, and never in a panic?

mod support {
    pub mod tflite_builder;
    pub mod tflite_graphs;
}

use std::path::Path;

use litmus::tflite::{Defect, Fault, GraphInfo, Verified, VerifyError, verify, verify_file};
use proptest::prelude::*;
use support::{
    tflite_builder::{
        Fields, Model, Op, Quant, Subgraph, Tensor, Type, Value, file, i32s, i32v, text, u8v, u32v, u64v,
    },
    tflite_graphs,
};

/// Slots that these tests spoil.
mod slot {
    pub const SUBGRAPHS: usize = 2;
    pub const BUFFERS: usize = 4;
    pub const METADATA: usize = 6;
    pub const SIGNATURES: usize = 7;
    pub const TENSORS: usize = 0;
    pub const OPERATORS: usize = 3;
}

fn defect(bytes: &[u8]) -> Defect {
    match verify(bytes) {
        Err(VerifyError::Defect(defect)) => *defect,
        other => panic!("a defect wanted, got {other:?}"),
    }
}

fn fault_of(root: &Fields) -> (Fault, String) {
    let defect = defect(&file(b"TFL3", root));
    let place = defect.place().to_string();
    (defect.fault, place)
}

/// The value in `slot` of a table that has it.
fn at(fields: &mut Fields, slot: usize) -> &mut Value {
    &mut fields.iter_mut().find(|(s, _)| *s == slot).unwrap().1
}

/// Item `index` of the vector of tables in `slot`.
fn item(fields: &mut Fields, slot: usize, index: usize) -> &mut Fields {
    match at(fields, slot) {
        Value::Tables(tables) => &mut tables[index],
        other => panic!("a vector of tables wanted, got {other:?}"),
    }
}

fn set(fields: &mut Fields, slot: usize, value: Value) {
    fields.retain(|(s, _)| *s != slot);
    fields.push((slot, value));
}

fn fields_of(name: &str) -> Fields {
    tflite_graphs::by_name(name).unwrap().fields()
}

fn summary(verified: &Verified<'_>) -> GraphInfo {
    GraphInfo::read(verified)
}

#[test]
fn generated_graphs_are_accepted() {
    for name in tflite_graphs::NAMES {
        let bytes = tflite_graphs::by_name(name).unwrap().build();
        verify(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    verify(&tflite_graphs::fc_chain(16, 3, 2).build()).unwrap();
}

#[test]
fn a_generated_graph_cut_anywhere_is_refused() {
    for name in tflite_graphs::NAMES {
        let bytes = tflite_graphs::by_name(name).unwrap().build();
        for cut in 0..bytes.len() {
            assert!(verify(&bytes[..cut]).is_err(), "{name} cut to {cut} of {}", bytes.len());
        }
    }
}

#[test]
fn files_that_are_no_graphs_are_named_for_what_they_are() {
    assert!(matches!(verify(b""), Err(VerifyError::NotTflite { len: 0 })));
    assert!(matches!(verify(&[7; 4096]), Err(VerifyError::NotTflite { len: 4096 })));
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n";
    assert!(matches!(verify(pointer), Err(VerifyError::LfsPointer)));
    let folder = tempfile::tempdir().unwrap();
    let none = folder.path().join("none.tflite");
    assert!(verify_file(&none).unwrap_err().to_string().contains("none.tflite"));
    assert!(matches!(verify_file(folder.path()), Err(VerifyError::Read { .. })));
    let empty = folder.path().join("empty.tflite");
    std::fs::write(&empty, b"").unwrap();
    assert!(matches!(verify_file(&empty), Err(VerifyError::NotTflite { len: 0 })));
}

#[test]
fn indices_that_name_nothing_are_refused_with_their_place() {
    let mut root = fields_of("add-f32");
    set(
        item(item(&mut root, slot::SUBGRAPHS, 0), slot::OPERATORS, 0),
        0,
        u32v(9),
    );
    assert_eq!(
        fault_of(&root),
        (
            Fault::NoSuch {
                what: "operator code",
                index: 9,
                count: 1
            },
            "Model.subgraphs[0].operators[0].opcode_index".into()
        )
    );

    let mut root = fields_of("add-f32");
    set(
        item(item(&mut root, slot::SUBGRAPHS, 0), slot::OPERATORS, 0),
        1,
        i32s(&[0, 3]),
    );
    assert_eq!(
        fault_of(&root),
        (
            Fault::NoSuch {
                what: "tensor",
                index: 3,
                count: 3
            },
            "Model.subgraphs[0].operators[0].inputs[1]".into()
        )
    );

    let mut root = fields_of("add-f32");
    set(item(&mut root, slot::SUBGRAPHS, 0), 2, i32s(&[-1]));
    assert_eq!(fault_of(&root).1, "Model.subgraphs[0].outputs[0]");

    let mut root = fields_of("add-f32");
    set(item(item(&mut root, slot::SUBGRAPHS, 0), slot::TENSORS, 1), 2, u32v(1));
    assert_eq!(fault_of(&root).1, "Model.subgraphs[0].tensors[1].buffer");

    let mut root = fields_of("two-signatures");
    set(item(&mut root, slot::SIGNATURES, 1), 4, u32v(2));
    assert_eq!(fault_of(&root).1, "Model.signature_defs[1].subgraph_index");

    let mut root = fields_of("two-signatures");
    set(item(item(&mut root, slot::SIGNATURES, 1), 0, 1), 1, u32v(3));
    assert_eq!(fault_of(&root).1, "Model.signature_defs[1].inputs[1].tensor_index");
}

#[test]
fn a_subgraph_that_reaches_itself_is_refused() {
    let model = tflite_graphs::by_name("while-loop").unwrap();
    let mut looped = model.clone();
    looped.subgraphs[2].while_loop(1, 0, &[0], &[2]);
    let defect = defect(&looped.build());
    assert!(matches!(defect.fault, Fault::Recursion(_)), "{defect}");

    let mut outside = model;
    outside.subgraphs[0].operators[0].options = Some((93, vec![(0, i32v(1)), (1, i32v(3))]));
    let (fault, place) = fault_of(&outside.fields());
    assert_eq!(
        fault,
        Fault::NoSuch {
            what: "subgraph",
            index: 3,
            count: 3
        }
    );
    assert_eq!(
        place,
        "Model.subgraphs[0].operators[0].builtin_options.body_subgraph_index"
    );
}

#[test]
fn constants_have_the_length_that_type_and_shape_want() {
    let weights = |kind, shape: &[i32], data: usize| {
        let mut graph = Subgraph::default();
        let x = graph.input(Tensor::new("x", Type::Float32, &[1, 5]));
        let w = graph.tensor(Tensor::new("w", kind, shape).data(vec![0; data]));
        let out = graph.output(Tensor::new("out", Type::Float32, &[1, 1]));
        graph.op(Op::FullyConnected, &[x, w, -1], &[out]);
        Model::of(graph).build()
    };
    verify(&weights(Type::Float32, &[3, 5], 60)).unwrap();
    assert_eq!(
        defect(&weights(Type::Float32, &[3, 5], 56)).fault,
        Fault::DataLength { have: 56, want: 60 }
    );
    assert_eq!(
        defect(&weights(Type::Float32, &[3, 5], 64)).fault,
        Fault::DataLength { have: 64, want: 60 }
    );
    verify(&weights(Type::Int4, &[3, 5], 8)).unwrap();
    assert_eq!(
        defect(&weights(Type::Int4, &[3, 5], 15)).fault,
        Fault::DataLength { have: 15, want: 8 }
    );
    verify(&weights(Type::String, &[3, 5], 17)).unwrap();
    let huge = [i32::MAX, i32::MAX, i32::MAX];
    assert_eq!(defect(&weights(Type::Int8, &huge, 8)).fault, Fault::ShapeTooLarge);
}

#[test]
fn operators_that_would_fault_in_the_runtime_are_refused() {
    let mut graph = Subgraph::default();
    let x = graph.input(Tensor::new("x", Type::Float32, &[1]));
    let constant = graph.tensor(Tensor::new("w", Type::Float32, &[1]).data(vec![0; 4]));
    graph.op(Op::Add, &[x, x], &[constant]);
    assert_eq!(
        defect(&Model::of(graph.clone()).build()).fault,
        Fault::WritesConstant(1)
    );

    graph.operators.clear();
    let out = graph.output(Tensor::new("out", Type::Float32, &[1]));
    graph.op(Op::Add, &[x, -1], &[out]);
    assert_eq!(defect(&Model::of(graph.clone()).build()).fault, Fault::MissingInput);

    graph.operators.clear();
    graph.op(Op::Add, &[x], &[out]);
    let too_few = Fault::TooFew {
        what: "inputs",
        have: 1,
        want: 2,
    };
    assert_eq!(defect(&Model::of(graph.clone()).build()).fault, too_few);
    graph.operators.clear();
    graph.op(Op::Add, &[x, x], &[]);
    let too_few = Fault::TooFew {
        what: "outputs",
        have: 0,
        want: 1,
    };
    assert_eq!(defect(&Model::of(graph).build()).fault, too_few);
}

#[test]
fn quantised_arithmetic_needs_a_scale_on_every_side() {
    let spoil = |name: &str, spoil: &dyn Fn(&mut Tensor)| {
        let mut model = tflite_graphs::by_name(name).unwrap();
        spoil(&mut model.subgraphs[0].tensors[1]);
        model.build()
    };
    for name in ["add-int8", "add-int16"] {
        assert_eq!(
            defect(&spoil(name, &|tensor| tensor.quant = None)).fault,
            Fault::NoScale
        );
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-44] {
            let set = |tensor: &mut Tensor| tensor.quant = Some(Quant { scale, zero_point: 0 });
            assert_eq!(defect(&spoil(name, &set)).fault, Fault::NoScale, "{name} {scale}");
        }
    }
    // 16-bit integers may also be plain numbers.
    let mut plain = tflite_graphs::by_name("add-int16").unwrap();
    plain.subgraphs[0]
        .tensors
        .iter_mut()
        .for_each(|tensor| tensor.quant = None);
    verify(&plain.build()).unwrap();
}

#[test]
fn data_outside_the_flatbuffer_must_lie_in_the_file() {
    let graph = |extra: usize, offset: u64, size: u64| {
        let mut root = fields_of("int4-weights");
        *item(&mut root, slot::BUFFERS, 1) = vec![(1, u64v(offset)), (2, u64v(size))];
        let mut bytes = file(b"TFL3", &root);
        bytes.resize(bytes.len() + extra, 0);
        bytes
    };
    let inside = graph(0, 2, 3).len() as u64;
    let sound = graph(3, inside, 3);
    assert_eq!(summary(&verify(&sound).unwrap()).weight_bytes["INT4"], 3);
    for (extra, offset, size) in [(2, inside, 3), (3, inside + 1, 3), (3, u64::MAX, 3), (3, 2, u64::MAX)] {
        let defect = defect(&graph(extra, offset, size));
        assert!(matches!(defect.fault, Fault::PastEnd { .. }), "{defect}");
        assert_eq!(defect.place().to_string(), "Model.buffers[1].offset");
    }
    assert_eq!(
        defect(&graph(4, inside, 4)).fault,
        Fault::DataLength { have: 4, want: 3 }
    );
    // 0 and 1 mean that there is no data outside.
    verify(&graph(0, 1, u64::MAX)).unwrap();
}

#[test]
fn parts_newer_than_the_schema_are_accepted_when_they_lie_in_the_file() {
    let mut root = fields_of("add-f32");
    let op = item(item(&mut root, slot::SUBGRAPHS, 0), slot::OPERATORS, 0);
    set(op, 3, u8v(250));
    set(op, 4, Value::Table(vec![(0, text("unknown member of a union"))]));
    set(op, 40, u64v(1));
    root.push((30, text("unknown slot")));
    verify(&file(b"TFL3", &root)).unwrap();
}

#[test]
fn dynamic_dimensions_and_unsupported_types_are_told() {
    let dynamic = tflite_graphs::by_name("dynamic").unwrap().build();
    let info = summary(&verify(&dynamic).unwrap());
    assert_eq!(info.signatures[0].inputs[0].shape, [None, Some(3)]);
    assert_eq!(info.signatures[0].inputs[0].spec(), None);

    let strings = tflite_graphs::by_name("string-input").unwrap().build();
    let info = summary(&verify(&strings).unwrap());
    assert_eq!(info.signatures[0].inputs[0].dtype.dtype(), None);
    assert_eq!(info.signatures[0].inputs[0].dtype.to_string(), "STRING");
}

#[test]
fn a_graph_without_signatures_gets_one_from_its_first_subgraph() {
    let mut model = tflite_graphs::by_name("two-signatures").unwrap();
    let bytes = model.build();
    let keys = |info: &GraphInfo| info.signatures.iter().map(|s| s.key.clone()).collect::<Vec<_>>();
    assert_eq!(
        keys(&summary(&verify(&bytes).unwrap())),
        [Some("add".into()), Some("mul".into())]
    );

    model.signatures.clear();
    let bytes = model.build();
    let info = summary(&verify(&bytes).unwrap());
    assert_eq!(keys(&info), [None]);
    let names: Vec<_> = info.signatures[0].inputs.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(info.op_total, 2);
}

/// A file whose list of subgraphs names one subgraph `wide` times, which names one tensor `wide` times.
fn shared(wide: usize) -> Vec<u8> {
    let tensor = vec![(0, i32s(&[1])), (3, text("t"))];
    let graph = vec![(slot::TENSORS, Value::Repeated(tensor, wide))];
    let root = vec![
        (slot::SUBGRAPHS, Value::Repeated(graph, wide)),
        (slot::BUFFERS, Value::Tables(vec![vec![]])),
    ];
    file(b"TFL3", &root)
}

#[test]
fn sharing_is_accepted_in_honest_measure_and_refused_before_it_takes_for_ever() {
    verify(&shared(3)).unwrap();
    // Nine hundred million visits if nothing stopped it.
    assert_eq!(defect(&shared(30_000)).fault, Fault::TooShared);
}

#[test]
fn metadata_is_listed_by_name() {
    let mut root = fields_of("add-f32");
    set(
        &mut root,
        slot::METADATA,
        Value::Tables(vec![vec![(0, text("LiteRtStamp")), (1, u32v(0))]]),
    );
    let bytes = file(b"TFL3", &root);
    assert_eq!(summary(&verify(&bytes).unwrap()).metadata, ["LiteRtStamp"]);
}

fn real(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("references/tiny-klein/graphs")
        .join(name);
    std::fs::read(path).unwrap()
}

/// What a mutation does to a file: at a place (as a share of the length), in one of several ways.
#[derive(Clone, Debug)]
enum Mutation {
    Flip { at: f64, bit: u8 },
    Word { at: f64, value: u32 },
    Nudge { at: f64, by: i8 },
    Splice { to: f64, from: f64, len: usize },
    Cut { at: f64 },
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let share = || 0.0..1.0f64;
    prop_oneof![
        (share(), 0..8u8).prop_map(|(at, bit)| Mutation::Flip { at, bit }),
        (
            share(),
            prop_oneof![Just(0), Just(1), Just(u32::MAX), Just(1 << 31), any::<u32>()]
        )
            .prop_map(|(at, value)| Mutation::Word { at, value }),
        (share(), any::<i8>()).prop_map(|(at, by)| Mutation::Nudge { at, by }),
        (share(), share(), 1..256usize).prop_map(|(to, from, len)| Mutation::Splice { to, from, len }),
        share().prop_map(|at| Mutation::Cut { at }),
    ]
}

fn mutate(bytes: &mut Vec<u8>, mutation: &Mutation) {
    let place = |share: f64| (share * bytes.len() as f64) as usize;
    let word = |share: f64| place(share) / 4 * 4;
    let len = bytes.len();
    match *mutation {
        Mutation::Flip { at, bit } if len > 0 => {
            let at = place(at);
            bytes[at] ^= 1 << bit;
        }
        Mutation::Word { at, value } if len >= 8 => {
            let at = word(at).min(len - 4);
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        Mutation::Nudge { at, by } if len >= 8 => {
            let at = word(at).min(len - 4);
            let old = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            bytes[at..at + 4].copy_from_slice(&old.wrapping_add_signed(by.into()).to_le_bytes());
        }
        Mutation::Splice { to, from, len: wanted } => {
            let (to, from) = (place(to), place(from));
            let n = wanted.min(len - to).min(len - from);
            bytes.copy_within(from..from + n, to);
        }
        Mutation::Cut { at } => bytes.truncate(place(at)),
        _ => {}
    }
}

fn bases() -> Vec<Vec<u8>> {
    let generated = tflite_graphs::NAMES
        .iter()
        .map(|name| tflite_graphs::by_name(name).unwrap().build());
    generated
        .chain([real("kc_final.tflite"), real("kc_prep.tflite")])
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn damage_ends_in_an_answer_and_never_in_a_panic(
        base in 0..tflite_graphs::NAMES.len() + 2,
        mutations in prop::collection::vec(mutation(), 1..6),
    ) {
        thread_local!(static BASES: Vec<Vec<u8>> = bases());
        let mut bytes = BASES.with(|bases| bases[base].clone());
        mutations.iter().for_each(|m| mutate(&mut bytes, m));
        match verify(&bytes) {
            // Whatever is accepted can also be summarised, within bounds that follow from the length of the file.
            Ok(verified) => {
                let info = summary(&verified);
                prop_assert!(!info.signatures.is_empty());
                prop_assert!(serde_json::to_string(&info).unwrap().len() <= 64 * bytes.len() + 65_536);
            }
            Err(e) => prop_assert!(!e.to_string().is_empty()),
        }
    }
}
