"""How long do numpy and scikit-image take on the sizes of `cargo bench --bench score`? One thread."""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import statistics
import time

import numpy as np
from skimage.metrics import structural_similarity


def numpy_metrics(reference, actual):
    r, a = reference.astype("f8"), actual.astype("f8")
    difference = a - r
    absolute = np.abs(difference)
    squared = np.dot(difference, difference)
    np.isfinite(actual).all(), np.isfinite(reference).all()
    np.corrcoef(r, a)
    return squared, absolute.mean(), absolute.max(), np.dot(r, r), r.min(), r.max(), a.min(), a.max()


def ssim(reference, actual):
    return structural_similarity(
        reference, actual, gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=255, channel_axis=-1
    )


def timed(what, work, repeats):
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1e3)
    print(f"{what}: median {statistics.median(times):.1f} ms, min {min(times):.1f} ms of {repeats}")


def main():
    random = np.random.default_rng(1)
    reference = random.random(8_400_000, "f4")
    actual = reference + np.float32(0.01) * random.random(8_400_000, "f4")
    timed("numpy, float32[8400000]", lambda: numpy_metrics(reference, actual), 15)
    picture = random.integers(0, 256, (1024, 1024, 3), "u1")
    noisy = np.clip(picture + random.integers(-8, 8, picture.shape), 0, 255).astype("u1")
    timed("scikit-image SSIM, uint8[1024,1024,3]", lambda: ssim(picture, noisy), 7)


main()
