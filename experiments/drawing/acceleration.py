"""Encoding by projected gradient steps, plain and accelerated: loss against iterations."""

import reading
import style
from drawing import curves
from drawing.drawn import Drawing, legend

LOOKS = {"loss_plain": ("plain", {"color": style.ALGORITHMS["opgd"].colour, "linestyle": "-"}),
         "loss_accelerated": ("accelerated", {"color": style.ALGORITHMS["oadmm"].colour,
                                              "linestyle": (0, (5, 1.5))})}


def drawings(experiment):
    runs = [run for run in reading.matching(experiment.finished, encode="nesterov")
            if all(curves.curve_of(run, curve, "samples") for curve in LOOKS)]
    if runs:
        yield drawing(runs)


def drawing(runs):
    def paint(canvas):
        grid = canvas.add_gridspec(2, len(runs), height_ratios=[1, 12])
        for place, run in enumerate(runs):
            axes, handles = canvas.add_subplot(grid[1, place]), {}
            for curve, (label, look) in LOOKS.items():
                handles |= curves.draw(axes, [(run, label, look)], curve, "samples")
            axes.set(title=style.data_name(run["data"]), xlabel="iterations")
            if place == 0:
                axes.set_ylabel("loss of a sample, mean")
        legend(canvas.add_subplot(grid[0, :]), handles.values(), handles.keys())

    words = "; ".join(f"{style.data_name(run['data'])}: " + ", ".join(
        curves.last_values([(run, label, {})], curve) for curve, (label, _) in LOOKS.items())
        for run in runs)
    return Drawing("nesterov", "Encoding by gradient steps, plain and accelerated",
                   "On a dictionary that was learned before.", f"Last losses: {words}.",
                   (4.2 * len(runs) + 0.6, 3.2), paint)
