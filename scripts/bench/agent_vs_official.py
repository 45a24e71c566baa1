"""Alternates litmus-agent and the official benchmark on one graph; see agent-vs-official."""

import json
import os
import statistics
import subprocess
import sys
import tempfile

TRIPLES = 9
WARMUPS, RUNS = 5, 50
# The official tool prints rounded figures; its own call of statistics.median is where its raw samples can be had.
OFFICIAL = """
import json, runpy, statistics, sys
median = statistics.median
def keep(samples):
    samples = list(samples)
    open(sys.argv.pop(), "w").write(json.dumps(samples))
    statistics.median = median
    return median(samples)
statistics.median = keep
out = sys.argv.pop(1)
sys.argv.append(out)
import argparse
parse = argparse.ArgumentParser.parse_args
argparse.ArgumentParser.parse_args = lambda self: parse(self, sys.argv[1:-1])
runpy.run_module("ai_edge_litert.tools.benchmark_litert_model", run_name="__main__")
"""


def agent(graph, runtime, shape):
    with tempfile.TemporaryDirectory() as folder:
        values = os.path.join(folder, "in0.bin")
        count = 1
        for dimension in shape:
            count *= dimension
        with open(values, "wb") as file:
            file.write(b"\0\0\x80\x3e" * count)
        job = {
            "schema": "litmus.job/1", "cell": "bench", "runtime": runtime, "model": os.path.abspath(graph),
            "signature": None, "accelerator": "cpu", "precision": "fp32", "threads": 1, "options": {}, "environment": {},
            "inputs": [{"tensor": 0, "spec": {"dtype": "float32", "shape": shape}, "file": values}],
            "output_folder": folder, "timing": {"warmups": WARMUPS, "runs": RUNS}, "deadline_ms": None,
        }
        path = os.path.join(folder, "job.json")
        with open(path, "w") as file:
            json.dump(job, file)
        out = subprocess.run(["target/release/litmus-agent", path], check=True, capture_output=True).stdout
        events = [json.loads(line) for line in out.splitlines()]
        return [ns / 1e6 for event in events if event["event"] == "samples" for ns in event["samples_ns"]]


def official(graph, python):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "samples.json")
        command = [python, "-c", OFFICIAL, out, f"--model={graph}", f"--num_runs={RUNS}", f"--warmup_runs={WARMUPS}",
                   "--num_threads=1"]
        subprocess.run(command, check=True, capture_output=True)
        with open(out) as file:
            return json.load(file)


def spread(ratios):
    return f"median {statistics.median(ratios):.4f}, {min(ratios):.4f} to {max(ratios):.4f}"


def main():
    graph, runtime, python = sys.argv[1:]
    shape = [128, 1024]
    samples = {"agent": [], "official": [], "agent_again": []}
    for triple in range(TRIPLES):
        samples["agent"].append(agent(graph, runtime, shape))
        samples["official"].append(official(graph, python))
        samples["agent_again"].append(agent(graph, runtime, shape))
        print(f"triple {triple + 1}: " + ", ".join(f"{k} {statistics.median(v[-1]):.2f} ms" for k, v in samples.items()))
    with open("target/bench/agent-vs-official.json", "w") as file:
        json.dump(samples, file)
    medians = {name: [statistics.median(run) for run in runs] for name, runs in samples.items()}
    against = [a / b for a, b in zip(medians["agent"], medians["official"])]
    itself = [a / b for a, b in zip(medians["agent"], medians["agent_again"])]
    print(f"one run: {statistics.median(medians['official']):.2f} ms (at least 20 wanted)")
    print(f"agent / official, medians of {RUNS} runs, {TRIPLES} pairs: {spread(against)}")
    print(f"agent / agent (A/A), {TRIPLES} pairs: {spread(itself)}")
    off = abs(statistics.median(against) - 1)
    noise = max(abs(ratio - 1) for ratio in itself)
    if off <= 0.03:
        print(f"within 3 %: off by {off:.2%}")
    elif noise > 0.03:
        print(f"inconclusive: off by {off:.2%}, but two equal measurements differ by up to {noise:.2%} here")
    else:
        print(f"NOT within 3 %: off by {off:.2%}, A/A within {noise:.2%}")
        sys.exit(1)


main()
