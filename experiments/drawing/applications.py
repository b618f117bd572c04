"""Shadow removal and separation: contact sheets of the pictures, measures and times as dots."""

import reading
import style
from drawing import dots, sheet
from drawing.drawn import Drawing
from published import published

SHADOW = ("shadow_error", "lit_change", "artefacts", "seconds")
SEPARATION = ("background_brightness", "background_error", "foreground_residue", "foreground_kept",
              "seconds")
# Where the input itself stands: a line in the panel.
REFERENCES = {"shadow_error": "shadow_error_input"}
TOGETHER = {4: 2}  # panels in a row, by their number; otherwise up to 3


def shadow(experiment):
    return drawings(experiment, SHADOW)


def separation(experiment):
    return drawings(experiment, SEPARATION)


def drawings(experiment, measures):
    runs = experiment.finished
    for data in reading.values(runs, "data"):
        here = reading.matching(runs, data=data)
        kinds = {kind: sheet.pictures_of(experiment, here, kind) for kind in sheet.kinds_of(here)}
        kinds = {kind: pictures for kind, pictures in kinds.items() if pictures}
        if kinds:
            yield contact_sheet(data, kinds)
        there = [name for name in measures if reading.has(here, name)]
        if there:
            yield measures_of(experiment, data, here, there)


def contact_sheet(data, kinds):
    """A column per algorithm and a row per kind; turned round if pictures are wide."""
    labels = list(dict.fromkeys(label for pictures in kinds.values() for label in pictures))
    tall = max(sheet.ratio(path) for pictures in kinds.values() for path in pictures.values())
    upright = tall > 0.6
    shape = (len(kinds), len(labels)) if upright else (len(labels), len(kinds))

    def paint(canvas):
        axes = canvas.subplots(*shape, squeeze=False)
        for row, (kind, pictures) in enumerate(kinds.items()):
            for column, label in enumerate(labels):
                place = axes[row, column] if upright else axes[column, row]
                if label in pictures:
                    first = row == 0 or not upright
                    title = dots.shown_label(label) if first else ""
                    sheet.show(place, pictures[label], title,
                               style.line(label.partition(",")[0]).colour if first else None)
                else:
                    place.set_axis_off()
            axes[row, 0].set_ylabel(kind) if upright else None

    what = " and ".join(kinds)
    title = f"{style.data_name(data)}: {what}, enlarged"
    width = 10 if upright else 4.8 * len(kinds)
    height = width / shape[1] * tall * shape[0] + 0.35 * (1 if upright else shape[0])
    return Drawing(f"{data}-pictures", title, "",
                   f"{title} by {', '.join(map(dots.shown_label, labels))}.".replace("\n", " "),
                   (width, height), paint)


def measures_of(experiment, data, runs, measures):
    columns = TOGETHER.get(len(measures), min(3, len(measures)))
    rows = -(-len(measures) // columns)

    def paint(canvas):
        grid = canvas.add_gridspec(rows + 1, columns, height_ratios=[0.12] + [1] * rows)
        dots.explained(canvas.add_subplot(grid[0, :]))
        for place, name in enumerate(measures):
            title, unit = style.MEASURES[name]
            axes = canvas.add_subplot(grid[1 + place // columns, place % columns])
            reference = reading.statistics(runs, REFERENCES.get(name, ""))
            if reference:
                axes.axvline(reference[0], color=style.PALE, linestyle=(0, (4, 2)), linewidth=1)
                axes.annotate("input", (reference[0], 0), xytext=(3, 0), fontsize=7.5,
                              xycoords=("data", "axes fraction"), textcoords="offset points",
                              va="bottom")
            known = published(experiment, name, data=data)
            dots.dots(axes, runs, name, known, names=place % columns == 0)
            axes.set(title=title, xlabel=unit)

    title = f"{style.data_name(data)}: measures and times"
    words = " ".join(f"{style.MEASURES[name][0]}: {dots.in_words(runs, name)}."
                     for name in measures)
    return Drawing(f"{data}-measures", title, "", f"{title}. {words}",
                   (9, rows * (0.34 * len(dots.labels_of(runs)) + 1) + 0.4), paint)
