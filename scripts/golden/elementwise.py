"""The metrics of tensors by numpy, in float64."""

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
]


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
            }
        )
    write("elementwise.json", results)


main()
