"""One drawing per figure of the experiment: against time, and against samples."""

import style
from drawing import curves
from drawing.drawn import Drawing, legend

LEGEND_COLUMNS = 8


def drawings(experiment):
    runs = {run["id"]: run for run in experiment.finished}
    for figure in experiment.figures:
        lines = lines_of(figure, runs)
        if any(curves.curve_of(run, figure["curve"], "samples") for run, _, _ in lines):
            yield drawing(figure, lines)


def lines_of(figure, runs):
    return [(runs[line["run"]], legend_label(line, runs[line["run"]]),
             curves.look_of(runs[line["run"]])) for line in figure["lines"] if line["run"] in runs]


def legend_label(line, run):
    """The name in print, when the label is the plain name of the algorithm."""
    label, algorithm = line.get("label") or run["algorithm"], run["algorithm"]
    return style.label(algorithm) + label[len(algorithm):] if label.startswith(algorithm) else label


def drawing(figure, lines):
    def paint(canvas):
        axes = canvas.subplot_mosaic([["legend", "legend"], ["seconds", "samples"]],
                                     height_ratios=[1, 14])
        axes["samples"].sharey(axes["seconds"])
        for against in curves.AXES:
            handles = curves.draw(axes[against], lines, figure["curve"], against)
        axes["seconds"].set_ylabel(curves.VALUES[figure["curve"]])
        axes["samples"].tick_params(labelleft=False)
        legend(axes["legend"], handles.values(), handles.keys(), LEGEND_COLUMNS)

    return Drawing(figure["name"], figure["title"], figure.get("caption", ""),
                   f"{figure['title']}. Last values: "
                   f"{curves.last_values(lines, figure['curve'])}.", (9, 3.9), paint)
