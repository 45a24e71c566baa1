"""What the scripts of this folder share: the integers that inputs are made from, and where results go."""

import json
import pathlib

GOLDEN = pathlib.Path(__file__).resolve().parents[2] / "tests" / "golden"


def levels(seed, count):
    """The top eight bits of a linear congruential sequence modulo 2^32 (Numerical Recipes' constants)."""
    state = seed
    for _ in range(count):
        state = (state * 1664525 + 1013904223) % 2**32
        yield state >> 24


def write(name, values):
    (GOLDEN / name).write_text(json.dumps(values, indent=1) + "\n")
    print(f"{name}: {len(values)} entries")
