#!/usr/bin/env python3
"""Writes src/tflite/schema.rs: the tables of the .tflite format as data.

    python3 -m pip download --no-deps ai-edge-litert==2.3.0 && unzip ai_edge_litert-*.whl -d wheel
    python3 scripts/gen_tflite_schema.py wheel/ai_edge_litert/schema_py_generated.py > src/tflite/schema.rs
    rustfmt --edition 2024 src/tflite/schema.rs

The source is the Python code that flatc makes from the TensorFlow Lite schema; the wheel carries it under the
Apache License 2.0 (The TensorFlow Authors, The AI Edge LiteRT Authors). Only names, slots, widths and numbers are
taken from it. What that code does not say is added from the tables below: which numbers are indices, and alignment.
"""

import re
import sys

ALIGN = {
    ("Buffer", "data"): 16,
    ("CustomQuantization", "custom"): 16,
    ("Uint16Vector", "values"): 4,
    ("Uint8Vector", "values"): 4,
}

REFERS = {
    ("Tensor", "buffer"): "Buffer",
    ("Metadata", "buffer"): "Buffer",
    ("Model", "metadata_buffer"): "Buffer",
    ("Operator", "opcode_index"): "OperatorCode",
    ("Operator", "inputs"): "OptionalTensor",
    ("Operator", "outputs"): "Tensor",
    ("Operator", "intermediates"): "OptionalTensor",
    ("SubGraph", "inputs"): "Tensor",
    ("SubGraph", "outputs"): "Tensor",
    ("TensorMap", "tensor_index"): "Tensor",
    ("SignatureDef", "subgraph_index"): "SubGraph",
    ("BlockwiseQuantization", "scales"): "Tensor",
    ("BlockwiseQuantization", "zero_points"): "OptionalTensor",
    ("MultiAxisQuantization", "scales"): "Tensor",
    ("MultiAxisQuantization", "zero_points"): "OptionalTensor",
    ("CallOptions", "subgraph"): "SubGraph",
    ("StablehloCustomCallOptions", "called_computations"): "SubGraph",
}

# Tables that Rust code reads by name; each gets a module of slot numbers.
READ_BY_NAME = [
    "Model", "SubGraph", "Tensor", "Operator", "OperatorCode", "Buffer", "Metadata", "SignatureDef", "TensorMap",
    "QuantizationParameters", "BlockwiseQuantization", "MultiAxisQuantization", "SparsityParameters",
    "DimensionMetadata", "StableHLOCompositeOptions",
]

WIDTH = {"Bool": 1, "Int8": 1, "Uint8": 1, "Int16": 2, "Uint16": 2, "Int32": 4, "Uint32": 4, "Float32": 4,
         "Int64": 8, "Uint64": 8, "Float64": 8}


def snake(name):
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    name = re.sub(r"([A-Z])([A-Z][a-z])", r"\1_\2", name).lower()
    return {"builtin_options2": "builtin_options_2", "builtin_options2_type": "builtin_options_2_type"}.get(name, name)


def constant(name):
    return snake(name).replace("stable_hlo", "stablehlo").upper()


def classes(text):
    for match in re.finditer(r"^class (\w+)\(object\):\n(.*?)(?=^class |^def |\Z)", text, re.M | re.S):
        yield match.group(1), match.group(2)


def numbers(body):
    return [(n, int(v)) for n, v in re.findall(r"^    (\w+) = (-?\d+)$", body, re.M)]


def refers(table, name):
    if "subgraph_ind" in name:
        return "SubGraph"
    return REFERS.get((table, name))


def fields(table, body, unions):
    """Slots in order; a slot that no accessor reads any more is retired."""
    slots = {}
    for name, body in re.findall(r"    def (\w+)\(self(?:, j)?\):\n(.*?)(?=^    def |^    # |\Z)", body, re.M | re.S):
        offset = re.search(r"_tab\.Offset\((\d+)\)", body)
        if not offset or name.endswith(("AsNumpy", "Length", "IsNone")) and "_tab.Get" not in body:
            continue
        slot = (int(offset.group(1)) - 4) // 2
        field = snake(name)
        scalar = re.search(r"_tab\.Get\(flatbuffers\.number_types\.(\w+)Flags, (o|a) \+", body)
        made = re.search(r"obj = (\w+)\(\)", body)
        if "_tab.Union(" in body:
            union = unions[(table, field)]
            slots[slot] = (field, f"Union(&{constant(union)})")
            slots[slot - 1] = (f"{field}_type", "UnionType")
        elif made:
            kind = "Tables" if "_tab.Vector(" in body else "Table"
            slots[slot] = (field, f"{kind}(&{constant(made.group(1))})")
        elif "_tab.String(" in body:
            slots[slot] = (field, "Strings" if "_tab.Vector(" in body else "String")
        elif scalar and slot not in slots:
            width = WIDTH[scalar.group(1)]
            if scalar.group(2) == "o":
                slots[slot] = (field, f"Scalar({width})")
            else:
                align = ALIGN.get((table, field), width)
                slots[slot] = (field, f"Scalars {{ width: {width}, align: {align} }}")
    return [slots.get(i, ("", "Retired")) for i in range(max(slots, default=-1) + 1)]


def main():
    text = open(sys.argv[1]).read()
    found = dict(classes(text))
    union_names = [n for n in found if f"def {n}Creator(" in text]
    unions = {}
    for name, body in found.items():
        for union, field in re.findall(r"= (\w+)Creator\(self\.(\w+)Type,", body):
            unions[(name.removesuffix("T"), snake(field[0].upper() + field[1:]))] = union
    tables = {n: fields(n, b, unions) for n, b in found.items() if "def Init(self, buf, pos)" in b}

    print("//! Which tables, fields and numbers does the .tflite format have?")
    print("//!")
    print("//! Written by scripts/gen_tflite_schema.py from the TensorFlow Lite schema (Apache License 2.0) as ai-edge-litert 2.3.0")
    print("//! carries it; change the script, not this file.")
    print()
    print("use super::descriptor::{Field, Kind::*, Refers, Table, UnionTable};")
    print()
    print("/// The table every file starts from.")
    print("pub static ROOT: &Table = &MODEL;")
    for name, slots in tables.items():
        print(f'\npub static {constant(name)}: Table = Table {{ name: "{name}", fields: &[')
        for field, kind in slots:
            target = refers(name, field)
            suffix = f".refers(Refers::{target})" if target else ""
            print(f'    Field::new("{field}", {kind}){suffix},')
        print("] };")
    for name in union_names:
        members = {v: n for n, v in numbers(found[name]) if v}
        print(f'\npub static {constant(name)}: UnionTable = UnionTable {{ name: "{name}", members: &[')
        for number in range(1, max(members) + 1):
            print(f"    Some(&{constant(members[number])})," if number in members else "    None,")
        print("] };")
    for enum, const, doc in [
        ("BuiltinOperator", "BUILTIN_OPERATORS", "Names of the builtin operators by their number; empty where there is none."),
        ("TensorType", "TENSOR_TYPES", "Names of the element types by their number."),
    ]:
        names = {v: n for n, v in numbers(found[enum])}
        print(f"\n/// {doc}\npub static {const}: &[&str] = &[")
        for number in range(max(names) + 1):
            print(f'    "{names.get(number, "")}",')
        print("];")
    for name in READ_BY_NAME:
        print(f"\n/// Slots of `{name}`.\npub mod {constant(name).lower()} {{")
        for slot, (field, kind) in enumerate(tables[name]):
            if kind != "Retired":
                print(f"    pub const {field.upper()}: usize = {slot};")
        print("}")


main()
