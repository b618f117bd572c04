"""Background subtraction: what moves in front of a camera, frame by frame.

    python3 examples/background.py [FRAMES.npy] [--out background.png]

FRAMES.npy is (frames, height, width) or (frames, height, width, 3) of uint8. Without it, a street is drawn.
"""

import argparse

import numpy as np

from tamis.video import BackgroundModel


def drawn_street(count=200, shape=(60, 80), seed=0):
    """Houses in changing light, cars that drive by; and where the cars are."""
    random = np.random.default_rng(seed)
    height, width = shape
    houses = 90 + np.kron(random.integers(-50, 50, (6, 8)), np.ones((10, 10)))
    frames, truth = np.empty((count, *shape), np.uint8), np.zeros((count, *shape), bool)
    for t in range(count):
        picture = houses * (1 + 0.15 * np.sin(t / 40)) + random.normal(0, 2, shape)
        for lane, (speed, gray) in enumerate([(1.5, 230), (-0.8, 30)]):
            left = int(speed * t + 40 * lane) % (width + 20) - 20
            top = height // 2 + 12 * lane
            car = np.s_[top : top + 8, max(left, 0) : max(left + 14, 0)]
            picture[car] = gray
            truth[t][car] = True
        frames[t] = np.clip(picture, 0, 255)
    return frames, truth


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("frames", nargs="?")
    parser.add_argument("--out", help="a picture: frame, background, what moves")
    arguments = parser.parse_args()

    if arguments.frames:
        frames, truth = np.load(arguments.frames, mmap_mode="r"), None
    else:
        frames, truth = drawn_street()

    model = BackgroundModel()
    masks = np.array([model.apply(frame) for frame in frames]) == 255
    print(f"{masks.mean():.2%} of the pixels of {len(frames)} frames are in front of the background")
    if truth is not None:
        late = np.s_[len(frames) // 4 :]
        hits = (masks & truth)[late].sum()
        print(f"F = {2 * hits / (masks[late].sum() + truth[late].sum()):.3f}")

    if arguments.out:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        figure, axes = plt.subplots(1, 3, figsize=(9, 2.6), layout="constrained")
        shown = {"frame": frames[-1], "background": model.background(), "what moves": masks[-1]}
        for ax, (title, picture) in zip(axes, shown.items()):
            ax.imshow(picture, cmap="gray", vmin=0, vmax=1 if picture.dtype == bool else 255)
            ax.set(title=title, xticks=[], yticks=[])
        figure.savefig(arguments.out)


if __name__ == "__main__":
    main()
