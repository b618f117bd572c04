"""Objectives against time and against samples."""

import numpy as np
import style
from drawing.scales import plain_powers
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

AXES = {"seconds": "seconds", "samples": "samples seen"}
VALUES = {"objective": "objective", "clean_objective": "error to clean data"}
SHOWN = 300  # points of a line: more cannot be seen
LOG_FROM = 8  # ratio of the largest value to the smallest from which powers of ten are clearer


def curve_of(run, curve, against):
    """Positive abscissas, values; None if there is nothing to draw."""
    found = run.get("curves", {}).get(curve)
    if not found:
        return None
    pairs = [(x, y) for x, y in zip(found[against], found["value"])
             if x is not None and y is not None and x > 0]
    if not pairs:
        return None
    x, y = np.array(pairs, float).T
    if len(x) > SHOWN:
        # As many points per decade everywhere: the axis is logarithmic.
        wanted = np.geomspace(x[0], x[-1], SHOWN)
        kept = np.unique(np.searchsorted(x, wanted).clip(0, len(x) - 1))
        x, y = x[kept], y[kept]
    return x, y


def look_of(run):
    """Colour, dashes, width and marker of a run by its algorithm and variant."""
    line = style.line(run["algorithm"])
    other = run.get("case", {}).get("variant") in ("own", "literal")
    return {"color": line.colour, "linestyle": (0, (1, 1)) if other else line.dashes,
            "linewidth": line.width, "marker": line.marker}


def draw(axes, lines, curve, against):
    """Lines are (run, label, look); returns a handle per line that was drawn."""
    handles = {}
    for run, label, look in lines:
        found = curve_of(run, curve, against)
        if found is None:
            continue
        x, y = found
        # Few markers, as far from each other as they look, at other places for every line: they
        # name it where lines cross.
        axes.plot(x, y, **look, markersize=4, markeredgewidth=0,
                  markevery=(0.02 + 0.02 * len(handles), 0.17))
        handles[label] = Line2D([], [], **look, markersize=4.5, markeredgewidth=0)
    finish(axes, against)
    return handles


def finish(axes, against):
    axes.set(xscale="log", xlabel=AXES[against])
    axes.xaxis.set_minor_locator(NullLocator())
    values = [y for line in axes.lines for y in line.get_ydata() if y > 0]
    if values and max(values) / min(values) > LOG_FROM:
        axes.set_yscale("log")
        plain_powers(axes.yaxis, max(values) / min(values))
    axes.margins(x=0.02)


def last_values(lines, curve):
    """In words, for alt texts."""
    found = [(label, curve_of(run, curve, "samples")) for run, label, _ in lines]
    return ", ".join(f"{label} {style.number(float(xy[1][-1]))}" for label, xy in found if xy)
