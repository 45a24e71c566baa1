"""Summaries of samples by numpy and scipy; intervals of the median by the same draws, and exactly by the binomial."""

import numpy as np
from golden import levels, write
from scipy import stats

# samples, spread: greatest level above the base of 100, trend: added for each sample
SERIES = [(1, 10, 0), (2, 10, 0), (3, 100, 0), (5, 100, 0), (8, 30, 2), (9, 30, 0), (20, 255, 0), (50, 40, 0.25), (51, 255, 0), (400, 12, 0)]
RESAMPLES = 2000


def draws(n):
    """Positions of every resample, by SplitMix64 from 0 and the upper half of its product with n."""
    state = 0
    for _ in range(RESAMPLES):
        positions = []
        for _ in range(n):
            state = (state + 0x9E3779B97F4A7C15) % 2**64
            z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
            z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
            positions.append(((z ^ (z >> 31)) * n) >> 64)
        yield positions


def interval(samples):
    """Percentile bootstrap: the 50 lowest and the 50 highest of 2,000 medians left out."""
    if len(samples) < 3:
        return None
    ordered = np.sort(samples)
    medians = np.sort([np.median(ordered[positions]) for positions in draws(len(samples))])
    return [float(medians[50]), float(medians[-51])]


def exact_ranks(n):
    """For an odd n, the positions at which the bootstrap median's exact distribution passes 2.5 % and 97.5 %."""
    if n < 3 or n % 2 == 0:
        return None
    at_most = stats.binom.sf(n // 2, n, np.arange(1, n + 1) / n)
    return [int(np.searchsorted(at_most, share)) for share in (0.025, 0.975)]


def main():
    results = []
    for count, spread, trend in SERIES:
        # One sample of forty is a hiccup of three times the base. Quarters of a unit are exact in binary.
        noise = [level * spread // 256 / 4 for level in levels(5, count)]
        samples = np.array([100 + x + trend * i + (300 if i % 40 == 39 else 0) for i, x in enumerate(noise)])
        median = np.median(samples)
        mad = stats.median_abs_deviation(samples)
        sigma = mad / 0.6745 if mad > 0 else 1.253314 * np.mean(np.abs(samples - median))
        quarter = count // 4
        results.append(
            {
                "samples": samples.tolist(),
                "median": float(median),
                "mean": float(samples.mean()),
                "p90": float(np.quantile(samples, 0.9, method="median_unbiased")),
                "mad": float(mad),
                "drift": float(np.median(samples[-quarter:]) / np.median(samples[:quarter])) if count >= 8 else None,
                "outliers": int(np.sum(np.abs(samples - median) > 3.5 * sigma)),
                "ci95": interval(samples),
                "exact_ranks": exact_ranks(count),
            }
        )
    write("samples.json", results)


main()
