"""A measure of all algorithms: a dot each, with the spread of its runs and what was published."""

import reading
import style
from drawing.scales import plain_powers
from matplotlib.lines import Line2D

PUBLISHED = {"marker": "D", "markersize": 5, "markerfacecolor": "none", "linestyle": "none",
             "markeredgecolor": style.PALE, "markeredgewidth": 1.2}


def labels_of(runs):
    """Algorithms with their variants, in the order of the style."""
    found = {}
    for algorithm in style.ordered(run["algorithm"] for run in runs):
        for run in reading.matching(runs, algorithm=algorithm):
            found.setdefault(run.get("label") or algorithm, algorithm)
    return found


def dots(axes, runs, measure, published=None, names=True):
    """One line per algorithm, the first at the top; `published` maps algorithms to numbers."""
    rows = labels_of(runs)
    for place, (label, algorithm) in enumerate(rows.items()):
        own = reading.labelled(runs, label)
        found, line = reading.statistics(own, measure), style.line(algorithm)
        known = (published or {}).get(algorithm)
        if known is not None and label == algorithm:
            axes.plot(known, place, **PUBLISHED)
        if found:
            axes.errorbar(found[0], place, xerr=found[1] or None, color=line.colour, capsize=2.5,
                          marker=line.marker, markersize=6, linestyle="none", markeredgewidth=0)
            axes.annotate(style.number(found[0]), (found[0], place), xytext=(0, 5), ha="center",
                          textcoords="offset points", fontsize=7.5)
    finish(axes, list(rows), measure in style.LOGARITHMIC, names)


def shown_label(label):
    algorithm, comma, variant = label.partition(",")
    return style.label(algorithm) + (f",\n{variant.strip()}" if comma else "")


def finish(axes, labels, log, names):
    axes.set(yticks=range(len(labels)), ylim=(len(labels) - 0.5, -0.75),
             yticklabels=[shown_label(label) for label in labels] if names else [""] * len(labels))
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", color=style.RULE, linewidth=0.6)
    axes.spines["left"].set_visible(False)
    axes.margins(x=0.16)
    if log:
        axes.set_xscale("log")
        low, high = axes.get_xlim()
        plain_powers(axes.xaxis, high / low)


def explained(canvas_axes, others=()):
    """The legend: what is ours, what was published, further marks."""
    ours = Line2D([], [], color=style.INK, marker="o", linestyle="none", markersize=5)
    handles = [ours, Line2D([], [], **PUBLISHED), *(handle for handle, _ in others)]
    labels = ["this program, mean ± standard deviation", "published", *(text for _, text in others)]
    canvas_axes.set_axis_off()
    canvas_axes.legend(handles, labels, loc="center left", ncol=len(labels), borderaxespad=0,
                       handlelength=1.2, columnspacing=1.6)


def in_words(runs, measure):
    """Means, for alt texts."""
    found = {}
    for label in labels_of(runs):
        own = reading.labelled(runs, label)
        if numbers := reading.statistics(own, measure):
            found[label] = style.number(numbers[0])
    return ", ".join(f"{shown_label(label)} {value}".replace("\n", " ")
                     for label, value in found.items())
