"""Times of one score beside the same by numpy and scikit-image, alternated. Run by score-vs-peers."""

import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
from skimage.metrics import structural_similarity

ROUNDS = 15


def numpy_metrics(reference, actual):
    """What a careful person writes: one difference in float64, and a partition in place of a sort."""
    r, a = reference.astype("f8"), actual.astype("f8")
    finite = np.isfinite(r).all() and np.isfinite(a).all()
    difference = a - r
    absolute = np.abs(difference)
    squared = difference * difference
    total = squared.sum()
    corr = np.corrcoef(r, a)[0, 1]
    extremes = r.min(), r.max(), a.min(), a.max(), absolute.max(), absolute.mean()
    n = len(squared)
    counts = [-(-n * permille // 1000) for permille in (1, 5, 10, 50)]
    ordered = np.partition(squared, [n - count for count in counts])
    shares = [ordered[n - count :].sum() / total for count in counts]
    return finite, total, np.dot(r, r), corr, extremes, shares


def ssim(reference, actual):
    return structural_similarity(
        reference, actual, gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=255, channel_axis=-1
    )


class Litmus:
    """The benchmark program, which scores once for every line."""

    def __init__(self, *args):
        self.process = subprocess.Popen([sys.argv[1], "--serve", *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def milliseconds(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def milliseconds(work):
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1e3


def compare(what, wanted, peer, litmus):
    litmus.milliseconds()
    milliseconds(peer)
    pairs = [(milliseconds(peer), litmus.milliseconds()) for _ in range(ROUNDS)]
    theirs, ours = (statistics.median(column) for column in zip(*pairs))
    ratio = statistics.median(peer / litmus for peer, litmus in pairs)
    verdict = "ok" if ratio >= wanted else "MISSED"
    print(f"{what}: peer {theirs:.1f} ms, litmus {ours:.1f} ms; {ratio:.1f} times as fast, wanted at least {wanted}: {verdict}")
    return ratio >= wanted


def main():
    random = np.random.default_rng(1)
    reference = random.standard_normal(8_400_000, "f4")
    actual = reference + np.float32(0.01) * random.standard_normal(8_400_000, "f4")
    picture = random.integers(0, 256, (1024, 1024, 3), "u1")
    noisy = np.clip(picture + random.integers(-8, 9, picture.shape), 0, 255).astype("u1")
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for name, values in {"r": reference, "a": actual, "p": picture, "n": noisy}.items():
            files[name] = f"{folder}/{name}.bin"
            values.tofile(files[name])
        tensor = Litmus("tensor", files["r"], files["a"])
        of_picture = Litmus("picture", files["p"], files["n"], "1024")
        # A list, so that both are measured whatever the first says.
        return all(
            [
                compare("metrics and worst shares, float32[8400000], v. numpy", 4, lambda: numpy_metrics(reference, actual), tensor),
                compare("picture of 1024x1024 RGB v. the SSIM of scikit-image", 8, lambda: ssim(picture, noisy), of_picture),
            ]
        )


sys.exit(not main())
