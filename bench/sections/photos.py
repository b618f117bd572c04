"""Photographs with spoiled pixels: tamis beside median filters."""

import base64
import io
import time

import numpy as np

from harness import table
from harness.measures import psnr

SHARES = (0.1, 0.2, 0.4)  # of the pixels, which become anything from black to white
PICTURES = ("camera", "moon", "coins", "astronaut")  # the last one is coloured
MEDIANS = (3, 5)
STANDARD = ("camera", 0.2)


def measure(bench):
    try:
        from skimage import data
    except ImportError:
        return {"rows": [], "crops": {}, "missing": "scikit-image"}
    names, shares = (PICTURES[:1], SHARES[1:2]) if bench.quick else (PICTURES, SHARES)
    rows, crops = [], {}
    for name in names:
        clean = getattr(data, name)()
        if bench.quick:
            clean = clean[100:164, 200:264]
        for share in shares:
            spoiled = spoil(clean, share)
            row = {"picture": name, "share": share, "pixels": clean.shape[0] * clean.shape[1],
                   "input": picture_psnr(clean, spoiled)}
            rows.append(row | medians(clean, spoiled) | ours(bench, clean, spoiled))
            if (name, share) == STANDARD:
                crops = cropped(clean, spoiled, ours_of(bench))
    return {"rows": rows, "crops": crops}


def spoil(clean, share):
    random = np.random.default_rng(0)
    hit = random.random(clean.shape) < share
    return np.where(hit, random.integers(0, 256, clean.shape), clean).astype(np.uint8)


def picture_psnr(clean, image):
    return psnr(clean.reshape(1, -1), image, 255)


def medians(clean, spoiled):
    from scipy.ndimage import median_filter

    found = {}
    for size in MEDIANS:
        window = (size, size, 1)[: clean.ndim]
        begin = time.perf_counter()
        result = median_filter(spoiled, window)
        found[f"median{size}_seconds"] = time.perf_counter() - begin
        found[f"median{size}"] = picture_psnr(clean, result)
    return found


def ours(bench, clean, spoiled):
    """By the program, from file to file."""
    np.save(bench.folder / "spoiled.npy", spoiled[None])
    run = bench.program.call("denoise", bench.folder / "spoiled.npy", "--patch", 8, "--out",
                             bench.folder / "cleaned.npy", "--threads", bench.threads)
    return {"tamis": picture_psnr(clean, ours_of(bench)), "tamis_seconds": run.seconds,
            "peak_mb": run.peak_mb}


def ours_of(bench):
    return np.load(bench.folder / "cleaned.npy")[0]


def cropped(clean, spoiled, cleaned, side=112):
    """A part of the standard picture, to be drawn: PNG files as text."""
    from PIL import Image
    from scipy.ndimage import median_filter

    top, left = (max(0, (n - side) // 3) for n in clean.shape[:2])
    images = {"as it was": clean, "20 % spoiled": spoiled,
              "3×3 median": median_filter(spoiled, 3), "tamis denoise": cleaned}
    found = {}
    for name, image in images.items():
        file = io.BytesIO()
        Image.fromarray(image[top : top + side, left : left + side]).save(file, "PNG")
        found[name] = base64.b64encode(file.getvalue()).decode()
    return found


HEADER = ["picture", "spoiled", "input dB", *(f"{n}×{n} median" for n in MEDIANS), "tamis dB",
          "gain", "seconds"]


def show(section):
    if not section["rows"]:
        return f"left out: {section['missing']} is not installed"
    return table.text(HEADER, cells(section))


def cells(section):
    return [[row["picture"], f"{row['share']:.0%}", table.decibel(row["input"]),
             *(table.decibel(row[f"median{size}"]) for size in MEDIANS),
             table.decibel(row["tamis"]),
             f"{row['tamis'] - max(row[f'median{size}'] for size in MEDIANS):+.2f}",
             table.number(row["tamis_seconds"])]
            for row in section["rows"]]
