"""Contact sheets of the pictures that the experiment made."""

import numpy as np
import style
from PIL import Image


def pictures_of(experiment, runs, kind):
    """Label of a run → its picture; the first run of each, those whose file is there."""
    found = {}
    for algorithm in style.ordered(run["algorithm"] for run in runs):
        for run in runs:
            file = run.get("pictures", {}).get(kind)
            if run["algorithm"] == algorithm and file and experiment.picture(file):
                found.setdefault(run.get("label") or algorithm, experiment.picture(file))
    return found


def kinds_of(runs):
    """Kinds of pictures, in the order in which they appear."""
    return list(dict.fromkeys(kind for run in runs for kind in run.get("pictures", {})))


def pixels(path):
    with Image.open(path) as picture:
        return np.asarray(picture.convert("RGB"))


def show(axes, path, title="", colour=None):
    """One picture, with a mark in the colour of its algorithm above it."""
    axes.imshow(pixels(path), interpolation="nearest", resample=False)
    axes.set(xticks=[], yticks=[])
    axes.grid(False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    if title:
        axes.set_title(title, fontsize=9)
    if colour:
        axes.plot([0, 1], [1, 1], transform=axes.transAxes, color=colour, linewidth=3,
                  clip_on=False, solid_capstyle="butt")


def ratio(path):
    """Height over width."""
    with Image.open(path) as picture:
        return picture.height / picture.width
