"""The metrics of tensors by numpy, in float64, and where their squared error sits, by sorting it."""

import numpy as np
from golden import levels, write

# element type, elements, offset: added to every value, scale: of the values
PAIRS = [
    ("float32", 7, 0, 1 / 64),
    ("float32", 5000, 0, 1 / 64),
    ("float32", 5000, 4096, 1 / 256),
    ("float16", 3000, 0, 1 / 64),
    ("float64", 3000, 1, 1e-3),
    ("int8", 3000, -128, 1),
    ("uint8", 3000, 0, 1),
    ("int32", 3000, 2_000_000_000, 1),
    ("uint16", 3000, 65_000, 1),
    ("float32", 70_000, 0, 1 / 64),
    ("float64", 50_000, 0, 1e-3),
]


def spread(squared, peak):
    ordered = np.sort(squared)[::-1]
    sums = np.cumsum(ordered)
    n, total = len(ordered), sums[-1]
    worst = [-(-n * permille // 1000) for permille in (1, 5, 10, 50)]
    rest = ordered[worst[1] :]
    return {
        "worst": [float(sums[count - 1] / total) for count in worst],
        # The rounding of a sum does not ask for one element more.
        "carriers": [float((np.argmax(sums >= part * total * (1 - 1e-12)) + 1) / n) for part in (0.5, 0.9)],
        "psnr_without_worst_0_5": float(10 * np.log10(peak**2 / rest.mean())) if rest.sum() > 0 else None,
    }


def main():
    results = []
    for dtype, count, offset, scale in PAIRS:
        values = np.array(list(levels(3, count)), "i8")
        # The error is one of -2..=1 levels, and none at the edges of the byte range.
        errors = np.array([e >> 6 for e in levels(4, count)], "i8") - 2
        errors = np.where((values < 2) | (values > 253), 0, errors)
        r = ((values * scale) + offset).astype(dtype).astype("f8")
        a = (((values + errors) * scale) + offset).astype(dtype).astype("f8")
        mse = np.mean((a - r) ** 2)
        peak = r.max() - r.min()
        results.append(
            {
                "dtype": dtype,
                "count": count,
                "offset": offset,
                "scale": scale,
                "range": float(peak),
                "psnr_db": float(10 * np.log10(peak**2 / mse)),
                "snr_db": float(10 * np.log10(np.sum(r**2) / np.sum((a - r) ** 2))),
                "corr": float(np.corrcoef(r - r.mean(), a - a.mean())[0, 1]),
                "max_abs": float(np.abs(a - r).max()),
                "mean_abs": float(np.abs(a - r).mean()),
                "rms": float(np.sqrt(mse)),
                "cosine": float(np.dot(r, a) / np.sqrt(np.dot(r, r) * np.dot(a, a))),
                **spread((a - r) ** 2, peak),
            }
        )
    write("elementwise.json", results)


main()
