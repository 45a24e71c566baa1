"""Greatest anonymous memory of `litmus score` on a pair of 2 GB files. Run by score-memory."""

import array
import os
import random
import subprocess
import sys
import tempfile
import time

BYTES = 2 << 30
BLOCK = 1 << 24
WANTED_MB = 200


def write(path, seed):
    """Random values throughout, from blocks made once: errors of every size, none of them sparse."""
    generator = random.Random(seed)
    blocks = [array.array("f", (generator.gauss(0, 1) for _ in range(BLOCK // 64))) * 16 for _ in range(4)]
    with open(path, "wb") as file:
        for i in range(BYTES // BLOCK):
            file.write(blocks[i % 4])


def anonymous_kb(pid):
    try:
        with open(f"/proc/{pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("RssAnon"))
    except (OSError, StopIteration):
        return 0


with tempfile.TemporaryDirectory(dir="target") as folder:
    reference, actual = os.path.join(folder, "reference.bin"), os.path.join(folder, "actual.bin")
    write(reference, 1)
    write(actual, 2)
    start = time.perf_counter()
    process = subprocess.Popen([sys.argv[1], "score", reference, actual], stdout=subprocess.PIPE, text=True)
    peak = 0
    while process.poll() is None:
        peak = max(peak, anonymous_kb(process.pid))
        time.sleep(0.01)
    wall = time.perf_counter() - start
    print(process.stdout.read(), end="")
    verdict = "ok" if peak <= WANTED_MB * 1024 else "MISSED"
    print(f"anonymous memory {peak / 1024:.1f} MB in {wall:.1f} s, wanted at most {WANTED_MB}: {verdict}")
    sys.exit(verdict != "ok")
