"""Pictures for tests: shades, edges and a spoiled copy; image files of every kind."""

import numpy as np
from PIL import Image


def scene(height=72, width=96, channels=1):
    """Smooth shades with an edge and a disc, 0 to 255; channels differ."""
    y, x = np.mgrid[:height, :width]
    gray = 120 + 50 * np.sin(y / 11) * np.cos(x / 13) + 50 * (x > 0.6 * width)
    gray = np.where((y - height / 2) ** 2 + (x - width / 4) ** 2 < (height / 5) ** 2, 60, gray)
    colours = np.stack([gray, 0.8 * gray, 0.5 * gray + 40], -1)
    return np.round(gray if channels == 1 else colours).clip(0, 255).astype(np.uint8)


def spoil(image, share=0.2, seed=0, top=255):
    """Some entries become anything; returns the picture and which they are."""
    random = np.random.default_rng(seed)
    hit = random.random(image.shape) < share
    return np.where(hit, random.integers(0, top + 1, image.shape), image).astype(image.dtype), hit


def write_png16(path, image):
    Image.fromarray(image.astype(np.uint16)).save(path)  # PIL: mode I;16


def read(path):
    with Image.open(path) as image:
        return np.asarray(image)


def mode(path):
    with Image.open(path) as image:
        return image.mode
