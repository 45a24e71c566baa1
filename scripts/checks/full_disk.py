"""Fills the disk under a run; the run must stop with a clear message, and go on when there is space again."""

import glob
import json
import os
import subprocess
import sys
import tempfile

LITMUS = os.path.abspath("target/release/litmus")
SWEEP = os.path.abspath("sweeps/tiny-klein.toml")


def litmus(*arguments):
    result = subprocess.run([LITMUS, "sweep", *arguments], capture_output=True, text=True)
    assert "panicked" not in result.stderr, result.stderr
    return result.returncode, result.stderr.strip().splitlines()[-1] if result.stderr.strip() else ""


def main():
    if os.geteuid() != 0:
        sys.exit("full_disk.py mounts a small tmpfs: run it as root")
    with tempfile.TemporaryDirectory() as disk:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], check=True)
        try:
            out = os.path.join(disk, "reports")
            stopped = 0
            # Free space from nothing to enough, so that every file of a run is once the one that does not fit.
            for free_kb in (0, 8, 24, 60, 100, 150, 220, 300, 400):
                subprocess.run(["rm", "-rf", out, os.path.join(disk, "ballast")], check=True)
                with open(os.path.join(disk, "ballast"), "wb") as file:
                    file.write(b"\0" * (4096 - free_kb) * 1024)
                code, last = litmus(SWEEP, "--out", out)
                print(f"{free_kb} KiB free: exit {code}: {last[:150]}")
                if code == 0:
                    continue
                assert code in (1, 3), code
                stopped += 1
                os.remove(os.path.join(disk, "ballast"))
                runs = glob.glob(os.path.join(out, "*", "run.json"))
                if runs:
                    assert not glob.glob(os.path.join(out, "*", "*.tmp")), "a half-written file was left"
                    run = os.path.dirname(runs[0])
                    code, last = litmus("--resume", run)
                    assert code == 0, (code, last)
                    with open(os.path.join(run, "report.json")) as file:
                        report = json.load(file)
                    assert report["run"]["complete"] and len(report["rows"]) == 25
                    assert all(row["status"] == "pass" for row in report["rows"])
                    print("  resumed with space: 25 rows, all pass")
            assert stopped > 2, "the disk was never full"
        finally:
            subprocess.run(["umount", disk], check=True)


main()
