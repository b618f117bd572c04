"""Numbers made of measurements; nothing here runs or reads anything."""

import math

import numpy as np


def psnr(truth, image, top=1.0):
    """In dB; both arrays have one sample per row."""
    image = np.asarray(image, "f8").reshape(len(truth), -1)
    error = np.asarray(truth, "f8").reshape(len(truth), -1) - image
    return psnr_of(np.mean(error**2), top)


def psnr_of(mean_square, top=1.0):
    return math.inf if mean_square == 0 else -10 * math.log10(mean_square / top**2)


def psnr_of_codes(truth, codes, atoms, block=512):
    """PSNR of codes @ atoms, block by block: the product may be larger than the memory."""
    total, count = 0.0, 0
    for start in range(0, len(codes), block):
        part = codes[start : start + block] @ atoms
        error = np.asarray(truth[start : start + len(part)], "f8").reshape(part.shape) - part
        total += float(np.sum(error**2))
        count += error.size
    return psnr_of(total / count)


def exponent(sizes, seconds):
    """The a of seconds ≈ c·sizeᵃ, by least squares on logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def interleaved(runs, repeats=3):
    """The least seconds of each; in turns, so that a noisy moment does not hit only one of them."""
    best = dict.fromkeys(runs, math.inf)
    for _ in range(repeats):
        for name, run in runs.items():
            best[name] = min(best[name], run())
    return best
