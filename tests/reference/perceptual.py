"""Writes tests/reference/perceptual.txt: FLIP and SSIM of small pictures, as other programs compute them.

FLIP is that of its authors' program (PyPI: flip-evaluator 1.7), SSIM that of scikit-image 0.26 (structural_similarity). The
pictures are made here and in tests/golden/compare.rs by the same whole-number arithmetic; the table has a sum of their bytes, so
that a slip in one of the two is seen. Run: python3 tests/reference/perceptual.py > tests/reference/perceptual.txt
"""

import flip_evaluator
import numpy as np
from skimage.metrics import structural_similarity


class Noise:
    def __init__(self, seed):
        self.state = seed

    def byte(self):
        self.state = (self.state * 1664525 + 1013904223) % 2**32
        return self.state >> 24


def noise(width, height, seed):
    source = Noise(seed)
    return [[[source.byte(), source.byte(), source.byte(), 255] for _ in range(width)] for _ in range(height)]


def ramps(width, height, _):
    return [[[x * 255 // (width - 1), y * 255 // (height - 1), (x * 3 + y * 5) % 256, 255] for x in range(width)] for y in range(height)]


def plain(width, height, _):
    return [[[110, 120, 90, 255] for _ in range(width)] for _ in range(height)]


def lines(width, height, seed):
    return [[[240, 230, 220, 255] if (x + 2 * y + seed) % 9 == 0 else [20, 30, 60, 255] for x in range(width)] for y in range(height)]


def one_code(picture):
    return [[[r, g, b ^ 1, a] for r, g, b, a in row] for row in picture]


def swapped(picture):
    return [[[b, r, g, a] for r, g, b, a in row] for row in picture]


def dot(picture):
    picture[len(picture) // 2][len(picture[0]) // 3] = [255, 255, 255, 255]
    return picture


def block(picture):
    for row in picture[10:24]:
        for pixel in row[40:90]:
            pixel[0] = min(pixel[0] + 25, 255)
    return picture


def darker(picture):
    return [[[r * 7 // 8, g * 7 // 8, b * 7 // 8, a] for r, g, b, a in row] for row in picture]


def clear(picture, seed):
    source = Noise(seed)
    return [[[r, g, b, 0 if source.byte() < 90 else source.byte()] for r, g, b, _ in row] for row in picture]


PAIRS = {
    "noise": (noise(37, 29, 1), noise(37, 29, 2)),
    "ramps_one_code": (ramps(70, 50, 0), one_code(ramps(70, 50, 0))),
    "ramps_swapped": (ramps(70, 50, 0), swapped(ramps(70, 50, 0))),
    "plain_dot": (plain(40, 40, 0), dot(plain(40, 40, 0))),
    "ramps_block": (ramps(130, 70, 0), block(ramps(130, 70, 0))),
    "lines_moved": (lines(80, 66, 0), lines(80, 66, 1)),
    "noise_darker": (noise(65, 12, 3), darker(noise(65, 12, 3))),
    "smallest": (ramps(11, 11, 0), swapped(ramps(11, 11, 0))),
    "ramps_clear": (clear(ramps(50, 40, 0), 5), clear(ramps(50, 40, 0), 6)),
}


def over(picture, backdrop):
    share = picture[..., 3:] / 255.0
    return picture[..., :3] * share + backdrop * (1.0 - share)


def flip(a, b):
    a, b = [(one / 255.0).astype(np.float32) for one in (a, b)]
    return flip_evaluator.evaluate(a, b, "LDR", applyMagma=False)[0][..., 0].astype(float)


def ssim(a, b):
    a, b = [one @ np.array([0.2126, 0.7152, 0.0722]) for one in (a, b)]
    options = dict(gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=255)
    return structural_similarity(a, b, full=True, **options)[1]


def main():
    print("# Written by tests/reference/perceptual.py.")
    print("# pair width height sum-of-bytes flip ssim, then eight times x y flip ssim")
    for name, pair in PAIRS.items():
        a, b = [np.array(one, dtype=np.int64) for one in pair]
        height, width = a.shape[:2]
        places = np.arange(1, a.size + 1).reshape(a.shape)
        total = int((a * places + b * (places * 3 + 1)).sum())
        # Over black and over white, the worse of both.
        flips = np.maximum(*[flip(over(a, back), over(b, back)) for back in (0, 255)])
        ssims = np.minimum(*[ssim(over(a, back), over(b, back)) for back in (0, 255)])
        means = flips.mean(), ssims[5:-5, 5:-5].mean()
        print(name, width, height, total, *(f"{mean:.9f}" for mean in means))
        source = Noise(width)
        for _ in range(8):
            x, y = source.byte() * width // 256, source.byte() * height // 256
            print(" ", x, y, f"{flips[y, x]:.8f} {ssims[y, x]:.8f}")


main()
