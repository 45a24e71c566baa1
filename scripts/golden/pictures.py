"""SSIM and PSNR of 8-bit pictures by scikit-image."""

import numpy as np
from golden import levels, write
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

# height, width, channels, noise: how many of eight bits of noise the reference has, error: greatest change of a level,
# span: of how many levels the reference is made
PAIRS = [
    (11, 11, 1, 8, 40, 256),
    (11, 37, 3, 6, 3, 256),
    (16, 16, 3, 8, 255, 256),
    (31, 12, 1, 0, 20, 256),
    (64, 64, 3, 4, 12, 256),
    (53, 97, 3, 2, 1, 256),
    (96, 80, 1, 5, 60, 256),
    (128, 45, 3, 7, 7, 256),
    (300, 33, 3, 5, 9, 256),
    (266, 42, 1, 8, 25, 64),
    (75, 75, 3, 3, 2, 12),
    (520, 43, 3, 6, 5, 200),
    (12, 320, 1, 4, 90, 100),
    (41, 139, 3, 0, 1, 3),
]


def pair(height, width, channels, noise, error, span):
    """A gradient with noise, and the same with each level moved by up to `error` either way. Channels last."""
    count = height * width * channels
    reference, actual = [], []
    for i, (rough, change) in enumerate(zip(levels(1, count), levels(2, count))):
        y, x, c = i // (width * channels), i // channels % width, i % channels
        level = (2 * x + 3 * y + 40 * c + (rough >> (8 - noise))) % 256 * span // 256
        reference.append(level)
        actual.append(min(255, max(0, level + change * (2 * error + 1) // 256 - error)))
    shape = (height, width, channels)
    return np.array(reference, "u1").reshape(shape), np.array(actual, "u1").reshape(shape)


def main():
    results = []
    for height, width, channels, noise, error, span in PAIRS:
        reference, actual = pair(height, width, channels, noise, error, span)
        results.append(
            {
                "height": height,
                "width": width,
                "channels": channels,
                "noise": noise,
                "error": error,
                "span": span,
                "psnr_u8_db": float(peak_signal_noise_ratio(reference, actual, data_range=255)),
                "ssim": float(
                    structural_similarity(
                        reference,
                        actual,
                        gaussian_weights=True,
                        sigma=1.5,
                        use_sample_covariance=False,
                        data_range=255,
                        channel_axis=-1,
                    )
                ),
            }
        )
    write("pictures.json", results)


main()
