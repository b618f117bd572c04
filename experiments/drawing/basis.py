"""The atoms that every algorithm learned, and how sparse, local and noisy they are."""

import reading
import style
from drawing import dots, sheet
from drawing.drawn import Drawing

COLUMNS = 4


def drawings(experiment):
    runs = experiment.finished
    for data in reading.values(runs, "data"):
        for K in reading.values(reading.matching(runs, data=data), "K"):
            here = reading.matching(runs, data=data, K=K)
            for kind in sheet.kinds_of(here):
                pictures = sheet.pictures_of(experiment, here, kind)
                if pictures:
                    yield mosaic(f"{data}-{kind}-K{K}", data, K, pictures, here)
    if reading.has(runs, "hoyer"):
        yield sparsity(runs)


def mosaic(name, data, K, pictures, runs):
    columns = min(COLUMNS, len(pictures))
    rows = -(-len(pictures) // columns)
    tall = max(map(sheet.ratio, pictures.values()))

    def paint(canvas):
        for place, (label, path) in enumerate(pictures.items()):
            own = reading.labelled(runs, label)
            found = reading.statistics(own, "hoyer")
            title = dots.shown_label(label).replace("\n", " ")
            title += f"  ·  {found[0]:.2f}" if found else ""
            sheet.show(canvas.add_subplot(rows, columns, place + 1), path, title,
                       style.line(label.partition(",")[0]).colour)

    title = f"Atoms, K = {K}, {style.data_name(data)}"
    return Drawing(name, title, "The number beside the name is Hoyer's sparsity: 0 for an even "
                   "atom, 1 for a single pixel.",
                   f"{title}. Hoyer's sparsity: {dots.in_words(runs, 'hoyer')}.",
                   (2.3 * columns, rows * (2.2 * tall + 0.35)), paint)


def sparsity(runs):
    """Bars side by side for every K: what shows whether more atoms are sparser ones."""
    labels, ranks = dots.labels_of(runs), reading.values(runs, "K")
    measures = [(name, style.MEASURES[name]) for name in ("hoyer", "spread", "speckle")
                if reading.has(runs, name)]

    def paint(canvas):
        axes = canvas.subplots(1, len(measures), squeeze=False)[0]
        for place, (name, (title, unit)) in enumerate(measures):
            bars(axes[place], runs, labels, ranks, name)
            axes[place].set(title=title, xlabel=unit)
            axes[place].set_yticklabels([dots.shown_label(label) for label in labels]
                                        if place == 0 else [""] * len(labels))

    return Drawing("sparsity", "Sparsity, locality and noise of the atoms",
                   f"Bars from dark to pale: K = {', '.join(map(str, ranks))}.",
                   "Sparsity, locality and noise of the atoms. " + " ".join(
                       f"{title}: {dots.in_words(runs, name)}." for name, (title, _) in measures),
                   (3.1 * len(measures) + 0.8, 0.42 * len(labels) * max(1, len(ranks) / 2) + 0.9),
                   paint)


def bars(axes, runs, labels, ranks, measure):
    height = 0.8 / len(ranks)
    for place, (label, algorithm) in enumerate(labels.items()):
        for index, K in enumerate(ranks):
            own = reading.labelled(reading.matching(runs, K=K), label)
            found = reading.statistics(own, measure)
            if found:
                y = place + (index - (len(ranks) - 1) / 2) * height
                axes.barh(y, found[0], height * 0.9, color=style.line(algorithm).colour,
                          alpha=1 - 0.55 * index / max(1, len(ranks) - 1))
                axes.annotate(f"{found[0]:.2f}", (found[0], y), xytext=(3, 0), va="center",
                              textcoords="offset points", fontsize=7.5)
    axes.set(yticks=range(len(labels)), ylim=(len(labels) - 0.5, -0.5))
    axes.tick_params(axis="y", length=0)
    axes.grid(False, axis="y")
    axes.margins(x=0.16)
