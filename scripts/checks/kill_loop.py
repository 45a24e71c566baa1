"""Kills litmus, then its agents, at random moments; resumed runs must end with the rows of an undisturbed one."""

import glob
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

LITMUS = os.path.abspath("target/release/litmus")
ROUNDS = 20
SWEEP = """
name = "kills"
[graphs]
index = {index}
[[accelerator]]
kind = "cpu"
[protocol]
runs = 20
processes = 2
"""


def start(*arguments):
    return subprocess.Popen([LITMUS, "sweep", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [int(child) for child in file.read().split()]
    except FileNotFoundError:
        return []


def agents_left(run):
    """Agents whose working folder is inside the run."""
    left = []
    for link in glob.glob("/proc/[0-9]*/cwd"):
        try:
            if os.readlink(link).startswith(run):
                left.append(link.split("/")[2])
        except OSError:
            pass
    return left


def rows(run):
    with open(os.path.join(run, "report.json")) as file:
        report = json.load(file)
    assert report["run"]["complete"], run
    return [(row["key"], len(row["processes"]), row["latency_ms"]["n"], [o["psnr_db"] for o in row["accuracy"]])
            for row in report["rows"]], [row["status"] for row in report["rows"]]


def journal(run):
    lines = open(os.path.join(run, "journal.jsonl")).read().splitlines()
    numbers = [json.loads(line)["attempt"] for line in lines]
    assert numbers == list(range(1, len(numbers) + 1)), f"{run}: attempts {numbers}"
    return len(numbers)


def only_run(out):
    runs = glob.glob(os.path.join(out, "*"))
    return runs[0] if runs else None


def resume(run):
    result = subprocess.run([LITMUS, "sweep", "--resume", run], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert result.returncode in (0, 1), result.stderr.decode()
    return result.returncode


def kill_litmus(sweep, folder, expected, longest):
    kills = 0
    for number in range(ROUNDS):
        out = os.path.join(folder, f"host{number}")
        process = start(sweep, "--out", out)
        while True:
            time.sleep(random.uniform(0.005, longest))
            if process.poll() is not None:
                break
            process.kill()
            process.wait()
            kills += 1
            run = only_run(out)
            if run is None or not os.path.exists(os.path.join(run, "run.json")):
                process = start(sweep, "--out", out + "again")
                out += "again"
                continue
            time.sleep(0.3)
            assert not agents_left(run), "an agent outlived its host"
            process = start("--resume", run)
        run = only_run(out)
        assert resume(run) == 0
        found, statuses = rows(run)
        assert found == expected, f"{run}: other rows"
        assert set(statuses) == {"pass"}, statuses
        journal(run)
    print(f"litmus killed {kills} times in {ROUNDS} runs: the same rows each time, no attempt lost or doubled")


def kill_agents(sweep, folder, expected):
    kills = flaky = 0
    for number in range(ROUNDS):
        out = os.path.join(folder, f"agent{number}")
        process = start(sweep, "--out", out)
        until = time.time() + random.uniform(0.05, 0.8)
        while time.time() < until and process.poll() is None:
            time.sleep(0.001)
        for child in children(process.pid):
            try:
                os.kill(child, signal.SIGKILL)
                kills += 1
            except ProcessLookupError:
                pass
        process.wait()
        run = only_run(out)
        found, statuses = rows(run)
        assert found == expected, f"{run}: other rows"
        assert set(statuses) <= {"pass", "flaky"}, statuses
        flaky += statuses.count("flaky")
        attempts = journal(run)
        assert attempts >= 50, attempts
        assert resume(run) == (1 if "flaky" in statuses else 0)
        assert journal(run) == attempts, "resume tried something again"
    print(f"agents killed {kills} times in {ROUNDS} runs: all rows there, {flaky} of them flaky")


def main():
    random.seed(int(sys.argv[1]) if len(sys.argv) > 1 else time.time_ns())
    with tempfile.TemporaryDirectory() as folder:
        sweep = os.path.join(folder, "kills.toml")
        with open(sweep, "w") as file:
            file.write(SWEEP.format(index=json.dumps(os.path.abspath("references/tiny-klein/index.json"))))
        out = os.path.join(folder, "undisturbed")
        since = time.time()
        assert start(sweep, "--out", out).wait() == 0
        longest = time.time() - since
        expected, _ = rows(only_run(out))
        assert len(expected) == 25
        kill_litmus(sweep, folder, expected, longest)
        kill_agents(sweep, folder, expected)


main()
