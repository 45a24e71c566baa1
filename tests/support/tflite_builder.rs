//! How is a small .tflite file made? A writer of flatbuffers and, on top of it, of models.
//!
//! It shares no code with the reader under test.

/// What a slot of a table holds.
#[derive(Clone, Debug)]
pub enum Value {
    /// Bytes of a number, stored in the table.
    Number(Vec<u8>),
    Text(String),
    /// Elements of a vector of numbers, already packed, with the alignment of the first.
    Numbers {
        bytes: Vec<u8>,
        count: usize,
        align: usize,
    },
    Table(Fields),
    Tables(Vec<Fields>),
    /// A vector that names one and the same table so many times.
    Repeated(Fields, usize),
}

/// Slots of a table that have a value.
pub type Fields = Vec<(usize, Value)>;

pub fn u8v(n: u8) -> Value {
    Value::Number(vec![n])
}

pub fn i32v(n: i32) -> Value {
    Value::Number(n.to_le_bytes().to_vec())
}

pub fn u32v(n: u32) -> Value {
    Value::Number(n.to_le_bytes().to_vec())
}

pub fn u64v(n: u64) -> Value {
    Value::Number(n.to_le_bytes().to_vec())
}

pub fn text(s: &str) -> Value {
    Value::Text(s.to_owned())
}

pub fn i32s(values: &[i32]) -> Value {
    Value::Numbers {
        bytes: values.iter().flat_map(|v| v.to_le_bytes()).collect(),
        count: values.len(),
        align: 4,
    }
}

pub fn f32s(values: &[f32]) -> Value {
    Value::Numbers {
        bytes: values.iter().flat_map(|v| v.to_le_bytes()).collect(),
        count: values.len(),
        align: 4,
    }
}

pub fn i64s(values: &[i64]) -> Value {
    Value::Numbers {
        bytes: values.iter().flat_map(|v| v.to_le_bytes()).collect(),
        count: values.len(),
        align: 8,
    }
}

pub fn bytes(values: &[u8], align: usize) -> Value {
    Value::Numbers {
        bytes: values.to_vec(),
        count: values.len(),
        align,
    }
}

/// Writes a file whose root table has these fields.
pub fn file(identifier: &[u8; 4], root: &Fields) -> Vec<u8> {
    let mut writer = Writer { out: vec![0; 4] };
    writer.out.extend_from_slice(identifier);
    let at = writer.table(root);
    writer.point(0, at);
    writer.out
}

/// Lays out tables front to back: the list of fields, the table, then what it points to.
struct Writer {
    out: Vec<u8>,
}

impl Writer {
    /// Pads so that what comes `ahead` bytes later is aligned.
    fn align(&mut self, align: usize, ahead: usize) {
        while !(self.out.len() + ahead).is_multiple_of(align) {
            self.out.push(0);
        }
    }

    fn point(&mut self, at: usize, target: usize) {
        self.out[at..at + 4].copy_from_slice(&u32::try_from(target - at).unwrap().to_le_bytes());
    }

    fn table(&mut self, fields: &Fields) -> usize {
        let slots = fields.iter().map(|(slot, _)| slot + 1).max().unwrap_or(0);
        let mut order: Vec<_> = fields.iter().collect();
        let width = |value: &Value| {
            if let Value::Number(bytes) = value {
                bytes.len()
            } else {
                4
            }
        };
        order.sort_by_key(|(_, value)| std::cmp::Reverse(width(value)));

        // The table starts 8-aligned with its 4-byte back reference; 8-byte numbers then start at 8.
        let mut offsets = vec![0u16; slots];
        let mut size = 4;
        for (slot, value) in &order {
            let width = width(value);
            size = usize::next_multiple_of(size, width);
            offsets[*slot] = size as u16;
            size += width;
        }

        self.align(8, 4 + 2 * slots);
        let vtable = self.out.len();
        self.out.extend_from_slice(&(4 + 2 * slots as u16).to_le_bytes());
        self.out.extend_from_slice(&(size as u16).to_le_bytes());
        offsets
            .iter()
            .for_each(|offset| self.out.extend_from_slice(&offset.to_le_bytes()));
        let at = self.out.len();
        self.out.extend_from_slice(&((at - vtable) as i32).to_le_bytes());
        self.out.resize(at + size, 0);

        for (slot, value) in fields {
            let field = at + usize::from(offsets[*slot]);
            if let Value::Number(bytes) = value {
                self.out[field..field + bytes.len()].copy_from_slice(bytes);
            } else {
                let target = self.value(value);
                self.point(field, target);
            }
        }
        at
    }

    fn value(&mut self, value: &Value) -> usize {
        match value {
            Value::Number(_) => unreachable!("numbers stand in their table"),
            Value::Text(text) => {
                let at = self.vector(text.as_bytes(), text.len(), 4);
                self.out.push(0);
                at
            }
            Value::Numbers { bytes, count, align } => self.vector(bytes, *count, *align),
            Value::Table(fields) => self.table(fields),
            Value::Tables(tables) => {
                let at = self.vector(&vec![0; 4 * tables.len()], tables.len(), 4);
                for (i, fields) in tables.iter().enumerate() {
                    let target = self.table(fields);
                    self.point(at + 4 + 4 * i, target);
                }
                at
            }
            Value::Repeated(fields, times) => {
                let at = self.vector(&vec![0; 4 * times], *times, 4);
                let target = self.table(fields);
                (0..*times).for_each(|i| self.point(at + 4 + 4 * i, target));
                at
            }
        }
    }

    fn vector(&mut self, bytes: &[u8], count: usize, align: usize) -> usize {
        self.align(align.max(4), 4);
        let at = self.out.len();
        self.out.extend_from_slice(&u32::try_from(count).unwrap().to_le_bytes());
        self.out.extend_from_slice(bytes);
        at
    }
}

/// Element types by their number in the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Float32 = 0,
    Int32 = 2,
    String = 5,
    Bool = 6,
    Int16 = 7,
    Int8 = 9,
    Int4 = 17,
}

/// Operators by their number in the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Add = 0,
    FullyConnected = 9,
    Mul = 18,
    Reshape = 22,
    Less = 58,
    Sin = 66,
    LogicalAnd = 86,
    LogicalNot = 87,
    Cos = 108,
    ZerosLike = 93,
    While = 119,
}

/// Per-tensor quantisation.
#[derive(Clone, Copy, Debug)]
pub struct Quant {
    pub scale: f32,
    pub zero_point: i64,
}

/// A tensor; `shape` may have -1 for a dimension that is only known at run time.
#[derive(Clone, Debug)]
pub struct Tensor {
    pub name: String,
    pub kind: Type,
    pub shape: Vec<i32>,
    pub data: Option<Vec<u8>>,
    pub quant: Option<Quant>,
}

impl Tensor {
    pub fn new(name: &str, kind: Type, shape: &[i32]) -> Self {
        Tensor {
            name: name.to_owned(),
            kind,
            shape: shape.to_vec(),
            data: None,
            quant: None,
        }
    }

    /// The same tensor as a constant.
    pub fn data(mut self, bytes: Vec<u8>) -> Self {
        self.data = Some(bytes);
        self
    }

    pub fn quant(mut self, scale: f32, zero_point: i64) -> Self {
        self.quant = Some(Quant { scale, zero_point });
        self
    }
}

/// An operator with the options that its kind needs: the number in the union and the fields of the table.
#[derive(Clone, Debug)]
pub struct Operator {
    pub op: Op,
    pub inputs: Vec<i32>,
    pub outputs: Vec<i32>,
    pub options: Option<(u8, Fields)>,
}

/// A subgraph under construction.
#[derive(Clone, Debug, Default)]
pub struct Subgraph {
    pub tensors: Vec<Tensor>,
    pub inputs: Vec<i32>,
    pub outputs: Vec<i32>,
    pub operators: Vec<Operator>,
}

impl Subgraph {
    /// Adds a tensor and gives its index.
    pub fn tensor(&mut self, tensor: Tensor) -> i32 {
        self.tensors.push(tensor);
        self.tensors.len() as i32 - 1
    }

    pub fn input(&mut self, tensor: Tensor) -> i32 {
        let index = self.tensor(tensor);
        self.inputs.push(index);
        index
    }

    pub fn output(&mut self, tensor: Tensor) -> i32 {
        let index = self.tensor(tensor);
        self.outputs.push(index);
        index
    }

    pub fn op(&mut self, op: Op, inputs: &[i32], outputs: &[i32]) {
        let options = match op {
            Op::Add => Some((11, vec![(1, u8v(0))])),
            Op::FullyConnected => Some((8, vec![(2, u8v(1))])),
            Op::Mul => Some((21, vec![])),
            Op::Reshape => Some((17, vec![])),
            Op::Less => Some((41, vec![])),
            Op::LogicalAnd => Some((62, vec![])),
            Op::LogicalNot => Some((63, vec![])),
            Op::Sin | Op::Cos | Op::ZerosLike => None,
            Op::While => Some((93, vec![])),
        };
        self.operators.push(Operator {
            op,
            inputs: inputs.to_vec(),
            outputs: outputs.to_vec(),
            options,
        });
    }

    /// A loop: runs subgraph `body` while subgraph `condition` says so.
    pub fn while_loop(&mut self, condition: i32, body: i32, inputs: &[i32], outputs: &[i32]) {
        self.op(Op::While, inputs, outputs);
        let operator = self.operators.last_mut().unwrap();
        operator.options = Some((93, vec![(0, i32v(condition)), (1, i32v(body))]));
    }
}

/// A name for a subgraph and for its inputs and outputs, in their order.
#[derive(Clone, Debug)]
pub struct Signature {
    pub key: String,
    pub subgraph: usize,
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
}

/// A model under construction.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub subgraphs: Vec<Subgraph>,
    pub signatures: Vec<Signature>,
}

impl Model {
    /// A model of one subgraph without signatures.
    pub fn of(subgraph: Subgraph) -> Self {
        Model {
            subgraphs: vec![subgraph],
            signatures: Vec::new(),
        }
    }

    /// Gives the subgraph a signature that names inputs and outputs as its tensors are named.
    pub fn signature(mut self, key: &str, subgraph: usize) -> Self {
        let graph = &self.subgraphs[subgraph];
        let names = |indices: &[i32]| {
            indices
                .iter()
                .map(|&i| graph.tensors[i as usize].name.clone())
                .collect()
        };
        let signature = Signature {
            key: key.to_owned(),
            subgraph,
            inputs: names(&graph.inputs),
            outputs: names(&graph.outputs),
        };
        self.signatures.push(signature);
        self
    }

    /// The file.
    pub fn build(&self) -> Vec<u8> {
        file(b"TFL3", &self.fields())
    }

    /// The root table, for tests that spoil a part of it before [`file`] writes it.
    pub fn fields(&self) -> Fields {
        let mut codes: Vec<Op> = Vec::new();
        let mut buffers: Vec<Fields> = vec![vec![]];
        let subgraphs = self
            .subgraphs
            .iter()
            .map(|graph| subgraph(graph, &mut codes, &mut buffers))
            .collect();
        let codes = codes.iter().map(|&op| {
            let number = op as i32;
            vec![
                (0, u8v(number.min(127) as u8)),
                (2, i32v(version(op))),
                (3, i32v(number)),
            ]
        });
        let signatures = self.signatures.iter().map(|signature| {
            let graph = &self.subgraphs[signature.subgraph];
            let map = |names: &[String], indices: &[i32]| {
                let entries = names
                    .iter()
                    .zip(indices)
                    .map(|(name, &i)| vec![(0, text(name)), (1, i32v(i))]);
                Value::Tables(entries.collect())
            };
            vec![
                (0, map(&signature.inputs, &graph.inputs)),
                (1, map(&signature.outputs, &graph.outputs)),
                (2, text(&signature.key)),
                (4, u32v(signature.subgraph as u32)),
            ]
        });
        let mut fields = vec![
            (0, u32v(3)),
            (1, Value::Tables(codes.collect())),
            (2, Value::Tables(subgraphs)),
            (3, text("litmus test graph")),
            (4, Value::Tables(buffers)),
        ];
        if !self.signatures.is_empty() {
            fields.push((7, Value::Tables(signatures.collect())));
        }
        fields
    }
}

/// The oldest version of the operator that covers what the test graphs do with it.
fn version(op: Op) -> i32 {
    match op {
        Op::Add | Op::Mul => 2,
        Op::FullyConnected => 5,
        _ => 1,
    }
}

fn subgraph(graph: &Subgraph, codes: &mut Vec<Op>, buffers: &mut Vec<Fields>) -> Fields {
    let tensors = graph
        .tensors
        .iter()
        .map(|tensor| tensor_fields(tensor, buffers))
        .collect();
    let operators = graph.operators.iter().map(|operator| {
        let code = codes.iter().position(|&op| op == operator.op).unwrap_or_else(|| {
            codes.push(operator.op);
            codes.len() - 1
        });
        let mut fields = vec![
            (0, u32v(code as u32)),
            (1, i32s(&operator.inputs)),
            (2, i32s(&operator.outputs)),
        ];
        if let Some((number, options)) = &operator.options {
            fields.push((3, u8v(*number)));
            fields.push((4, Value::Table(options.clone())));
        }
        fields
    });
    vec![
        (3, Value::Tables(operators.collect())),
        (0, Value::Tables(tensors)),
        (1, i32s(&graph.inputs)),
        (2, i32s(&graph.outputs)),
        (4, text("main")),
    ]
}

fn tensor_fields(tensor: &Tensor, buffers: &mut Vec<Fields>) -> Fields {
    let known: Vec<i32> = tensor.shape.iter().map(|&d| if d < 0 { 1 } else { d }).collect();
    let mut fields = vec![
        (0, i32s(&known)),
        (1, u8v(tensor.kind as u8)),
        (3, text(&tensor.name)),
        (8, u8v(1)),
    ];
    if let Some(data) = &tensor.data {
        buffers.push(vec![(0, bytes(data, 16))]);
        fields.push((2, u32v(buffers.len() as u32 - 1)));
    }
    if let Some(quant) = tensor.quant {
        let table = vec![(2, f32s(&[quant.scale])), (3, i64s(&[quant.zero_point]))];
        fields.push((4, Value::Table(table)));
    }
    if known != tensor.shape {
        fields.push((7, i32s(&tensor.shape)));
    }
    fields
}
