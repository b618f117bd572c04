"""Faces with corrupted pixels: learns parts of faces from spoiled images, and repairs the images.

    python3 examples/faces.py [FACES.npy] [--out faces.png]

FACES.npy has one image per row, or is (images, height, width). Without it, faces are drawn.
"""

import argparse
import math

import numpy as np

from tamis import RobustNMF


def drawn_faces(count, size=19, seed=0):
    """A stand-in: an oval with brows, eyes, nose and mouth, each of its own darkness and place."""
    random = np.random.default_rng(seed)
    y, x = np.mgrid[-1 : 1 : size * 1j, -1 : 1 : size * 1j]

    def blob(at_x, at_y, wide, high):
        return np.exp(-(((x - at_x) / wide) ** 2) - ((y - at_y) / high) ** 2)

    faces = np.empty((count, size, size))
    for face in faces:
        light = blob(0, 0, 0.9, 1.1) * (1 + 0.4 * random.uniform(-1, 1) * x)
        dark = random.uniform(0.2, 0.8, 4)
        dx, dy = random.choice([-0.1, 0.0, 0.1], 2)
        for side in (-1, 1):
            light -= dark[0] * blob(0.4 * side + dx, -0.55 + dy, 0.25, 0.08)
            light -= dark[1] * blob(0.4 * side + dx, -0.25 + dy, 0.18, 0.12)
        light -= dark[2] * blob(dx, 0.15 + dy, 0.1, 0.25)
        light -= dark[3] * blob(dx, 0.6 + dy, 0.35, 0.1)
        face[:] = light
    return np.clip(faces, 0, 1)


def corrupted(images, random, share=0.2):
    """A share of the pixels of most images becomes black, white or something between."""
    hit = random.random(images.shape) < share
    hit &= random.random(images.shape[0])[:, None] < 0.8
    return np.where(hit, random.choice([0, 1, 0.5], images.shape), images)


def psnr(clean, image):
    return -10 * math.log10(np.mean((clean - image) ** 2))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("faces", nargs="?")
    parser.add_argument("--out", help="a picture of the parts and of one face")
    arguments = parser.parse_args()

    faces = np.load(arguments.faces) if arguments.faces else drawn_faces(2000)
    faces = faces.reshape(len(faces), -1)
    shape = (math.isqrt(faces.shape[1]),) * 2
    clean = (faces / faces.max(axis=1, keepdims=True)).astype(np.float32)
    random = np.random.default_rng(1)
    copies = np.concatenate([clean] * 10)
    X = corrupted(copies, random).astype(np.float32)

    model = RobustNMF(n_components=49, shuffle=True).fit(X)
    repaired = model.denoise(X)
    print(f"{len(X)} images of {faces.shape[1]} pixels")
    print(f"PSNR: {psnr(copies, X):.1f} dB as given, {psnr(copies, repaired):.1f} dB repaired")

    if arguments.out:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        from tamis import plot

        figure, axes = plt.subplots(1, 4, figsize=(12, 3))
        plot.basis(model, shape=shape, ax=axes[0])
        plot.panel(model, X[0], shape=shape, axes=axes[1:])
        figure.savefig(arguments.out, bbox_inches="tight")


if __name__ == "__main__":
    main()
