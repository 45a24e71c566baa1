//! Which small graphs do tests and benchmarks need?

use super::tflite_builder::{Model, Op, Subgraph, Tensor, Type};

/// `names` are the graphs [`by_name`] knows, besides the chain of adjustable size.
pub const NAMES: [&str; 16] = [
    "add-f32",
    "mul-f32",
    "add-int8",
    "reshape-int8",
    "add-int16",
    "add-int32",
    "mul-int32",
    "logical-and",
    "logical-not",
    "int4-weights",
    "two-signatures",
    "dynamic",
    "string-input",
    "while-loop",
    "sin-cos",
    "add-zeros-mul",
];

/// The graph with this name.
pub fn by_name(name: &str) -> Option<Model> {
    let f32s = |name: &str| Tensor::new(name, Type::Float32, &[2, 3]);
    let int32 = |name: &str| Tensor::new(name, Type::Int32, &[2, 3]);
    let int8 = |name: &str| Tensor::new(name, Type::Int8, &[2, 3]).quant(0.05, 3);
    // Without a zero point, as 16-bit kernels demand.
    let int16 = |name: &str| Tensor::new(name, Type::Int16, &[2, 3]).quant(1.0 / 1024.0, 0);
    let boolean = |name: &str| Tensor::new(name, Type::Bool, &[2, 3]);
    Some(match name {
        "add-f32" => binary(Op::Add, f32s),
        "mul-f32" => binary(Op::Mul, f32s),
        "add-int8" => binary(Op::Add, int8),
        "add-int16" => binary(Op::Add, int16),
        "add-int32" => binary(Op::Add, int32),
        "mul-int32" => binary(Op::Mul, int32),
        "logical-and" => binary(Op::LogicalAnd, boolean),
        "logical-not" => logical_not(boolean),
        "reshape-int8" => reshape(
            Tensor::new("x", Type::Int8, &[2, 3]).quant(0.05, 3),
            Tensor::new("out", Type::Int8, &[3, 2]).quant(0.05, 3),
        ),
        "int4-weights" => int4_weights(),
        "two-signatures" => two_signatures(),
        "dynamic" => binary(Op::Add, |name| Tensor::new(name, Type::Float32, &[-1, 3])),
        "string-input" => reshape(
            Tensor::new("x", Type::String, &[2]),
            Tensor::new("out", Type::String, &[1, 2]),
        ),
        "while-loop" => while_loop(),
        "sin-cos" => sin_cos(),
        "add-zeros-mul" => add_zeros_mul(f32s),
        _ => return None,
    })
}

/// `layers` fully connected layers of `size` x `size` float32 weights on `rows` rows, one after the other.
/// The weights are ±1/sqrt(size), so that values neither grow nor die out.
pub fn fc_chain(size: usize, layers: usize, rows: usize) -> Model {
    let mut graph = Subgraph::default();
    let shape = [rows as i32, size as i32];
    let weight = (size as f32).sqrt().recip();
    let mut from = graph.input(Tensor::new("x", Type::Float32, &shape));
    for layer in 0..layers {
        let values = Signs(layer as u64 + 1).take(size * size).flat_map(|positive| {
            let value = if positive { weight } else { -weight };
            value.to_le_bytes()
        });
        let square = [size as i32, size as i32];
        let weights = Tensor::new(&format!("weights{layer}"), Type::Float32, &square).data(values.collect());
        let weights = graph.tensor(weights);
        let to = Tensor::new(&format!("h{layer}"), Type::Float32, &shape);
        let to = if layer + 1 == layers {
            graph.output(to)
        } else {
            graph.tensor(to)
        };
        graph.op(Op::FullyConnected, &[from, weights, -1], &[to]);
        from = to;
    }
    Model::of(graph).signature("serving_default", 0)
}

/// Signs without a pattern (xorshift), the same on every machine.
struct Signs(u64);

impl Iterator for Signs {
    type Item = bool;

    fn next(&mut self) -> Option<bool> {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Some(self.0 >> 63 == 1)
    }
}

fn binary(op: Op, tensor: impl Fn(&str) -> Tensor) -> Model {
    Model::of(binary_graph(op, tensor)).signature("serving_default", 0)
}

fn binary_graph(op: Op, tensor: impl Fn(&str) -> Tensor) -> Subgraph {
    let mut graph = Subgraph::default();
    let a = graph.input(tensor("a"));
    let b = graph.input(tensor("b"));
    let out = graph.output(tensor("out"));
    graph.op(op, &[a, b], &[out]);
    graph
}

fn logical_not(tensor: impl Fn(&str) -> Tensor) -> Model {
    let mut graph = Subgraph::default();
    let a = graph.input(tensor("a"));
    let out = graph.output(tensor("out"));
    graph.op(Op::LogicalNot, &[a], &[out]);
    Model::of(graph).signature("serving_default", 0)
}

fn reshape(from: Tensor, to: Tensor) -> Model {
    let mut graph = Subgraph::default();
    let target: Vec<u8> = to.shape.iter().flat_map(|d| d.to_le_bytes()).collect();
    let rank = to.shape.len() as i32;
    let x = graph.input(from);
    let shape = graph.tensor(Tensor::new("shape", Type::Int32, &[rank]).data(target));
    let out = graph.output(to);
    graph.op(Op::Reshape, &[x, shape], &[out]);
    Model::of(graph).signature("serving_default", 0)
}

/// A fully connected layer with five packed 4-bit weights in a row, so that a byte is left half empty.
fn int4_weights() -> Model {
    let mut graph = Subgraph::default();
    let x = graph.input(Tensor::new("x", Type::Float32, &[1, 5]));
    let weights = Tensor::new("weights", Type::Int4, &[1, 5])
        .quant(0.5, 0)
        .data(vec![0x21, 0x43, 0x05]);
    let weights = graph.tensor(weights);
    let out = graph.output(Tensor::new("out", Type::Float32, &[1, 1]));
    graph.op(Op::FullyConnected, &[x, weights, -1], &[out]);
    Model::of(graph).signature("serving_default", 0)
}

/// `add` on float32 and `mul` on other shapes, each with a subgraph of its own.
fn two_signatures() -> Model {
    let add = binary_graph(Op::Add, |name| Tensor::new(name, Type::Float32, &[4]));
    let mul = binary_graph(Op::Mul, |name| Tensor::new(name, Type::Float32, &[2, 2]));
    Model {
        subgraphs: vec![add, mul],
        signatures: Vec::new(),
    }
    .signature("add", 0)
    .signature("mul", 1)
}

/// sin(x) * cos(x).
fn sin_cos() -> Model {
    let tensor = |name: &str| Tensor::new(name, Type::Float32, &[1, 64]);
    let mut graph = Subgraph::default();
    let x = graph.input(tensor("x"));
    let sin = graph.tensor(tensor("sin"));
    let cos = graph.tensor(tensor("cos"));
    let out = graph.output(tensor("out"));
    graph.op(Op::Sin, &[x], &[sin]);
    graph.op(Op::Cos, &[x], &[cos]);
    graph.op(Op::Mul, &[sin, cos], &[out]);
    Model::of(graph).signature("serving_default", 0)
}

/// zeros_like(a + b) * b: the op in the middle is one that the GPU's delegate does not have.
fn add_zeros_mul(tensor: impl Fn(&str) -> Tensor) -> Model {
    let mut graph = Subgraph::default();
    let a = graph.input(tensor("a"));
    let b = graph.input(tensor("b"));
    let sum = graph.tensor(tensor("sum"));
    let zeros = graph.tensor(tensor("zeros"));
    let out = graph.output(tensor("out"));
    graph.op(Op::Add, &[a, b], &[sum]);
    graph.op(Op::ZerosLike, &[sum], &[zeros]);
    graph.op(Op::Mul, &[zeros, b], &[out]);
    Model::of(graph).signature("serving_default", 0)
}

/// Adds 1 while the value is less than 10.
fn while_loop() -> Model {
    let scalar = |name: &str, kind| Tensor::new(name, kind, &[1]);
    let constant = |name: &str, value: f32| scalar(name, Type::Float32).data(value.to_le_bytes().to_vec());
    let mut main = Subgraph::default();
    let x = main.input(scalar("x", Type::Float32));
    let out = main.output(scalar("out", Type::Float32));
    main.while_loop(1, 2, &[x], &[out]);

    let mut condition = Subgraph::default();
    let x = condition.input(scalar("x", Type::Float32));
    let limit = condition.tensor(constant("limit", 10.0));
    let less = condition.output(scalar("less", Type::Bool));
    condition.op(Op::Less, &[x, limit], &[less]);

    let mut body = Subgraph::default();
    let x = body.input(scalar("x", Type::Float32));
    let one = body.tensor(constant("one", 1.0));
    let next = body.output(scalar("next", Type::Float32));
    body.op(Op::Add, &[x, one], &[next]);

    Model {
        subgraphs: vec![main, condition, body],
        signatures: Vec::new(),
    }
    .signature("serving_default", 0)
}
