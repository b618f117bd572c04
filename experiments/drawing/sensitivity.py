"""Small multiples: a drawing per factor and data set, a panel per figure of the experiment."""

import re

import style
from drawing import acceleration, curves
from drawing.convergence import lines_of
from drawing.drawn import Drawing, legend

COLUMNS = 4
PANEL = (2.6, 2.1)  # inches


def drawings(experiment):
    runs = {run["id"]: run for run in experiment.finished}
    groups = {}
    for figure in experiment.figures:
        lines = lines_of(figure, runs)
        if any(curves.curve_of(run, figure["curve"], "samples") for run, _, _ in lines):
            factor = factor_of(figure, [run for run, _, _ in lines])
            groups.setdefault((figure["data"], factor), []).append((figure, styled(lines, factor)))
    for (data, factor), panels in groups.items():
        yield drawing(data, factor, panels)
    yield from acceleration.drawings(experiment)


def factor_of(figure, runs):
    """What is varied: the name says it, otherwise what differs between the lines."""
    words = re.split(r"[^A-Za-z]+", figure["name"])
    differing = (factor for factor in style.FACTORS
                 if len({run["case"][factor] for run in runs if factor in run["case"]}) > 1)
    return next((factor for factor in style.FACTORS if factor in words),
                next(differing, figure["name"]))


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


def grid_of(panels):
    """Panels in rows; every kind of curve begins a row of its own, since it has its own scale."""
    kinds = {}
    for figure, lines in panels:
        kinds.setdefault(figure["curve"], []).append((figure, lines))
    most = max(map(len, kinds.values()))
    columns = -(-most // -(-most // COLUMNS))  # rows of about the same length
    return columns, [kind[start:start + columns] for kind in kinds.values()
                     for start in range(0, len(kind), columns)]


def drawing(data, factor, panels):
    columns, rows = grid_of(panels)

    def paint(canvas):
        grid = canvas.add_gridspec(2 * len(rows) + 1, columns,
                                   height_ratios=[0.16] + [1] * 2 * len(rows))
        handles, first = {}, {}
        for block, against in enumerate(curves.AXES):
            for row, there in enumerate(rows):
                for column, (figure, lines) in enumerate(there):
                    axes = canvas.add_subplot(grid[1 + block * len(rows) + row, column],
                                              sharey=first.get(figure["curve"]))
                    first.setdefault(figure["curve"], axes)
                    handles |= curves.draw(axes, lines, figure["curve"], against)
                    label_panel(axes, figure, panel_title(figure, lines, factor), column == 0)
        legend(canvas.add_subplot(grid[0, :]), handles.values(), handles.keys(),
               min(len(handles), 8))

    described = "; ".join(f"{panel_title(figure, lines, factor)}: "
                          f"{curves.last_values(lines, figure['curve'])}"
                          for figure, lines in panels)
    title = f"{style.FACTORS.get(factor, factor)}, {style.data_name(data)}"
    return Drawing(f"{data}-{factor}", title[:1].upper() + title[1:],
                   " ".join(dict.fromkeys(figure.get("caption", "") for figure, _ in panels)),
                   f"{title}. Last values: {described}.",
                   (max(5.2, PANEL[0] * columns), 0.4 + 2 * len(rows) * PANEL[1]), paint)


def panel_title(figure, lines, factor):
    """What all lines share: the algorithm, or the value of the factor."""
    names = {run["algorithm"] for run, _, _ in lines}
    values = {run["case"].get(factor) for run, _, _ in lines}
    if len(names) == 1:
        return style.label(names.pop())
    return style.case_value(factor, values.pop()) if len(values) == 1 else figure["title"]


def label_panel(axes, figure, title, leftmost):
    axes.set_title(title, wrap=True)
    if leftmost:
        axes.set_ylabel(curves.VALUES[figure["curve"]])
    else:
        axes.tick_params(labelleft=False, which="both")
