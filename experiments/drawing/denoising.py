"""PSNR and time of all algorithms, beside the published: a drawing per K, a panel per setting."""

import reading
import style
from drawing import dots
from drawing.drawn import Drawing
from matplotlib.lines import Line2D
from published import published

NOISY = {"color": style.PALE, "linestyle": (0, (4, 2)), "linewidth": 1}


def drawings(experiment):
    runs = experiment.finished
    for K in reading.values(runs, "K"):
        here = reading.matching(runs, K=K)
        for measure in ("psnr", "seconds"):
            if reading.has(here, measure):
                yield drawing(experiment, here, K, measure)
    if reading.has(runs, "denoised_psnr"):
        yield gains(runs)


def drawing(experiment, runs, K, measure):
    settings = reading.values(runs, "setting")
    what, unit = style.MEASURES[measure]

    def paint(canvas):
        axes = framed(canvas, len(settings))
        for place, setting in enumerate(settings):
            here = reading.matching(runs, setting=setting)
            if measure == "psnr" and (noisy := reading.statistics(here, "noisy_psnr")):
                axes[place].axvline(noisy[0], **NOISY)
            known = published(experiment, measure, K=K, setting=setting)
            dots.dots(axes[place], here, measure, known, names=place == 0)
            axes[place].set(title=f"setting {setting}", xlabel=unit)
        dots.explained(canvas.axes[0], [(Line2D([], [], **NOISY), "noisy input")]
                       if measure == "psnr" else [])

    words = "; ".join(f"setting {setting}: "
                      f"{dots.in_words(reading.matching(runs, setting=setting), measure)}"
                      for setting in settings)
    title = f"{what[:1].upper()}{what[1:]}, K = {K}"
    return Drawing(f"{measure}-K{K}", title, "", f"{title}. {words}.",
                   (9, 0.36 * len(dots.labels_of(runs)) + 1.4), paint)


def framed(canvas, panels):
    """A thin row for the legend, which becomes the first axes, above panels."""
    grid = canvas.add_gridspec(2, panels, height_ratios=[1, 12])
    canvas.add_subplot(grid[0, :])
    return [canvas.add_subplot(grid[1, place]) for place in range(panels)]


def gains(runs):
    """What the study does not give: the input, the reconstruction, what `denoise` makes of it."""
    kinds = {"noisy_psnr": ("input", {"marker": "|", "markeredgewidth": 2}),
             "psnr": ("reconstruction, codes on arrival", {"marker": "o"}),
             "encoded_psnr": ("reconstruction, codes found anew",
                              {"marker": "s", "markerfacecolor": "none", "markeredgewidth": 1.5}),
             "denoised_psnr": ("output of denoise", {"marker": "*"})}
    kinds = {name: kind for name, kind in kinds.items() if reading.has(runs, name)}
    settings, ranks = reading.values(runs, "setting"), reading.values(runs, "K")
    usual = 49 if 49 in ranks else ranks[0]
    labels = dots.labels_of(runs)

    def paint(canvas):
        axes = framed(canvas, len(settings))
        for place, setting in enumerate(settings):
            gain_panel(axes[place], reading.matching(runs, setting=setting, K=usual), labels, kinds)
            dots.finish(axes[place], list(labels), log=False, names=place == 0)
            axes[place].set(title=f"setting {setting}", xlabel="PSNR, dB")
        marks = [Line2D([], [], color=style.PALE, linestyle="none", markersize=7, **look)
                 for _, look in kinds.values()]
        canvas.axes[0].set_axis_off()
        canvas.axes[0].legend(marks, [text for text, _ in kinds.values()], loc="center left",
                              ncol=len(kinds), borderaxespad=0, handlelength=1.2)

    words = " ".join(f"{text}: {dots.in_words(reading.matching(runs, K=usual), name)}."
                     for name, (text, _) in kinds.items())
    title = f"From the noisy input to the denoised picture, K = {usual}"
    return Drawing(f"gains-K{usual}", title, "", f"{title}. Means over the settings: {words}",
                   (9, 0.36 * len(labels) + 1.4), paint)


def gain_panel(axes, runs, labels, kinds):
    for place, (label, algorithm) in enumerate(labels.items()):
        own = reading.labelled(runs, label)
        found = {name: reading.statistics(own, name) for name in kinds}
        known = [value[0] for value in found.values() if value]
        if known:
            axes.plot([min(known), max(known)], [place, place], color=style.RULE, linewidth=3)
        for name, value in found.items():
            if value:
                axes.plot(value[0], place, markersize=8, linestyle="none",
                          color=style.line(algorithm).colour, **kinds[name][1])
