# What the benchmarks share: release binaries, the runtime, and the official Python package in a virtual environment of
# their own. Sourced, not run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

RUNTIME=litert-2.3.0
BENCH_ENV=target/bench-python

build() {
    cargo build --release --quiet
    cargo build --release --quiet --no-default-features --bin litmus-agent
    target/release/litmus runtime install "$RUNTIME" >&2
}

# The package that carries the same runtime, with the benchmark its makers publish.
official_python() {
    if [ ! -x "$BENCH_ENV/bin/litert-benchmark" ]; then
        python3 -m venv "$BENCH_ENV"
        "$BENCH_ENV/bin/pip" install --quiet "ai-edge-litert==${RUNTIME#litert-}" numpy
    fi
}

runtime_folder() {
    target/release/litmus runtime list --json |
        python3 -c 'import json,sys; print(next(r["dir"] for r in json.load(sys.stdin)["runtimes"] if r["id"] == sys.argv[1]))' "$RUNTIME"
}
