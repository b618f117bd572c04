"""Small multiples: a drawing per factor and data set, a panel per figure of the experiment."""

import re
from collections import Counter

import style
from drawing import curves
from drawing.convergence import lines_of
from drawing.drawn import Drawing, legend

COLUMNS = 4
PANEL = (2.6, 2.1)  # inches


def drawings(experiment):
    runs = {run["id"]: run for run in experiment.finished}
    usual = usual_case(runs.values())
    groups = {}
    for figure in experiment.figures:
        lines = lines_of(figure, runs)
        if any(curves.curve_of(run, figure["curve"], "samples") for run, _, _ in lines):
            factor = factor_of(figure, [run for run, _, _ in lines], usual)
            groups.setdefault((figure["data"], factor), []).append((figure, styled(lines, factor)))
    for (data, factor), panels in groups.items():
        yield drawing(data, factor, panels)


def usual_case(runs):
    """The value of every factor that most runs have: the canonical one, since one is varied at a time."""
    counts = {factor: Counter(run["case"][factor] for run in runs if factor in run["case"])
              for factor in style.FACTORS}
    return {factor: count.most_common(1)[0][0] for factor, count in counts.items() if count}


def factor_of(figure, runs, usual):
    """What is varied: between the lines, or from the usual case, or what the name says."""
    for differs in (lambda found: len(found) > 1, lambda found: found and found != {usual[factor]}):
        for factor in usual:
            if differs({run["case"][factor] for run in runs if factor in run["case"]}):
                return factor
    words = re.split(r"[^A-Za-z]+", figure["name"])
    return next((factor for factor in style.FACTORS if factor in words), figure["name"])


def styled(lines, factor):
    """One algorithm: a shade per value. Several: its own colour each, and dashes per value."""
    values = sorted({str(run["case"].get(factor)) for run, _, _ in lines}, key=natural)
    several = len({run["algorithm"] for run, _, _ in lines}) > 1
    found = []
    for run, label, look in lines:
        place = values.index(str(run["case"].get(factor)))
        if not several:
            shade = style.SHADES[round(place * (len(style.SHADES) - 1) / max(1, len(values) - 1))]
            look = {"color": shade, "linestyle": style.VALUE_DASHES[place % 5], "linewidth": 1.4}
            label = style.case_value(factor, run["case"].get(factor, label))
        elif len(values) > 1:
            look = look | {"linestyle": style.VALUE_DASHES[place % 5]}
        found.append((run, label, look))
    return found


def natural(text):
    try:
        return 0, float(text), text
    except ValueError:
        return 1, 0.0, text


def drawing(data, factor, panels):
    columns = min(COLUMNS, len(panels))
    rows = -(-len(panels) // columns)

    def paint(canvas):
        heights = [0.16] + [1] * (2 * rows)
        grid = canvas.add_gridspec(2 * rows + 1, columns, height_ratios=heights)
        handles, first = {}, {}
        for block, against in enumerate(curves.AXES):
            for place, (figure, lines) in enumerate(panels):
                row = 1 + block * rows + place // columns
                axes = canvas.add_subplot(grid[row, place % columns],
                                          sharey=first.get(figure["curve"]))
                first.setdefault(figure["curve"], axes)
                handles |= curves.draw(axes, lines, figure["curve"], against)
                label_panel(axes, figure, lines, place % columns == 0)
        legend(canvas.add_subplot(grid[0, :]), handles.values(), handles.keys(),
               min(len(handles), 8))

    described = "; ".join(f"{panel_title(figure, lines)}: {curves.last_values(lines, figure['curve'])}"
                          for figure, lines in panels)
    title = f"{style.FACTORS.get(factor, factor)}, {style.data_name(data)}"
    return Drawing(f"{data}-{factor}", title[:1].upper() + title[1:],
                   " ".join(dict.fromkeys(figure.get("caption", "") for figure, _ in panels)),
                   f"{title}. Last values: {described}.",
                   (max(5.2, PANEL[0] * columns), 0.4 + 2 * rows * PANEL[1]), paint)


def panel_title(figure, lines):
    """The algorithm, if there is only one; otherwise what the experiment calls it."""
    names = {run["algorithm"] for run, _, _ in lines}
    return style.label(names.pop()) if len(names) == 1 else figure["title"]


def label_panel(axes, figure, lines, leftmost):
    axes.set_title(panel_title(figure, lines), wrap=True)
    if leftmost:
        axes.set_ylabel(curves.VALUES[figure["curve"]])
    else:
        axes.tick_params(labelleft=False, which="both")
