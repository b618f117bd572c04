"""Pictures of the results; drawn from the JSON alone."""

import base64
import io
from contextlib import contextmanager

import numpy

from harness.contenders import FAST
from harness.program import count_of

try:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from PIL import Image
except ImportError:
    pyplot = None

MAIN_SET = "cbcl-50-1"
OURS, OTHERS = "#c2410c", "#94a3b8"
SHADES = ("#c2410c", "#0f766e", "#1d4ed8", "#7e22ce")
COLOURS = 64
STYLE = {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False,
         "axes.titlesize": 10, "axes.titleweight": "bold", "axes.titlelocation": "left"}


def data_set(sections, name):
    sets = sections.get("peers", {}).get("sets", [])
    return next((found for found in sets if found["name"] == name), None)


def ranked(sections, name=MAIN_SET):
    """Rows that were measured, the slowest first."""
    data = data_set(sections, name)
    rows = [row for row in data["rows"] if "seconds" in row] if data else []
    return sorted(rows, key=lambda row: row["samples_per_second"])


def colour(row):
    return OURS if row["name"] == FAST else OTHERS


def places(rows):
    """The same height for a contender in both pictures."""
    return -0.6, len(rows) - 0.4


def speed(axes, sections):
    rows = ranked(sections)
    axes.barh([row["name"].replace("scikit-learn ", "sklearn ") for row in rows],
              [row["samples_per_second"] for row in rows], color=[colour(row) for row in rows])
    for place, row in enumerate(rows):
        axes.text(row["samples_per_second"], place, f" {row['samples_per_second']:,.0f}",
                  va="center")
    axes.set(xscale="log", ylim=places(rows), title="samples per second, learning")
    axes.margins(x=0.25)


def quality(axes, sections):
    """One dot per setting; labels are those of the bars beside it."""
    rows = ranked(sections)
    for setting, marker in zip((1, 2, 3), "o^s"):
        found = {row["name"]: row.get("psnr") for row in ranked(sections, f"cbcl-50-{setting}")}
        known = [place for place, row in enumerate(rows) if found.get(row["name"]) is not None]
        if known:
            axes.scatter([found[rows[place]["name"]] for place in known], known, marker=marker,
                         c=[colour(rows[place]) for place in known], label=f"setting {setting}")
    axes.set(yticks=range(len(rows)), yticklabels=[""] * len(rows), ylim=places(rows),
             title="PSNR against the clean data, dB")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)


def curve(axes, sections):
    section = sections["curve"]
    default = count_of(section["defaults"], "iterations")
    for setting, shade in zip(sorted({row["setting"] for row in section["rows"]}), SHADES):
        rows = [row for row in section["rows"]
                if (row["setting"], row["knob"]) == (setting, "iterations")]
        axes.plot([row["seconds"] for row in rows], [row["psnr"] for row in rows], "o-",
                  color=shade, label=f"setting {setting}", markersize=3)
        for row in rows:
            axes.annotate(row["value"], (row["seconds"], row["psnr"]), xytext=(2, -9),
                          textcoords="offset points", fontsize=7,
                          weight="bold" if row["value"] == default else "normal")
    axes.set(xlabel="seconds of fit", ylabel="PSNR, dB",
             title=f"accuracy against time, by iterations (default {default})")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, loc="lower right")


def scaling(axes, sections):
    for row, shade in zip(sections["scaling"]["rows"], SHADES):
        axes.plot(row["values"], row["seconds"], "o-", color=shade, markersize=3,
                  label=f"{row['size']}: exponent {row['exponent']:.2f}")
    axes.set(xscale="log", yscale="log", xlabel="N, F, K or τ", ylabel="seconds of fit",
             title="how time grows")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)


@contextmanager
def saved(path, size, shape=(1, 1)):
    """A figure's axes, written to a file at the end."""
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(*shape, figsize=size, dpi=100, squeeze=False,
                                       layout="constrained")
        yield axes
        save(figure, path)


def save(figure, path):
    """A palette makes the file three times smaller: it is shown at the top of the README."""
    figure.canvas.draw()
    drawn = Image.fromarray(numpy.asarray(figure.canvas.buffer_rgba())).convert("RGB")
    drawn.quantize(COLOURS).save(path, optimize=True)
    pyplot.close(figure)


def photos(sections, path):
    """Parts of the standard photograph side by side; says whether there was something to draw."""
    crops = sections.get("photos", {}).get("crops", {})
    if pyplot is None or not crops:
        return False
    with saved(path, (2.6 * len(crops), 2.9), (1, len(crops))) as axes:
        for place, (name, text) in zip(axes.flat, crops.items()):
            image = Image.open(io.BytesIO(base64.b64decode(text)))
            place.imshow(numpy.asarray(image), cmap="gray", vmin=0, vmax=255)
            place.set_title(name)
            place.axis("off")
    return True


def overview(sections, path):
    """All in one figure; says whether there was enough to draw."""
    if pyplot is None or not {"peers", "curve", "scaling"} <= sections.keys():
        return False
    with saved(path, (11, 7.5), (2, 2)) as axes:
        for place, draw in zip(axes.flat, (speed, quality, curve, scaling)):
            draw(place, sections)
    return True


def masks(scenes, path):
    """A row per scene: a frame, its true mask, and what each method found; errors in colour."""
    methods = list(dict.fromkeys(name for *_, found in scenes.values() for name in found))
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(len(scenes), len(methods) + 2, squeeze=False, dpi=100,
                                       figsize=(1.7 * (len(methods) + 2), 0.4 + 1.6 * len(scenes)),
                                       layout="constrained")
        for line, (row, (scene, (frame, label, found))) in enumerate(zip(axes, scenes.items())):
            pictures = {scene: frame, "truth": label}
            pictures |= {name: compared(mask, label) for name, mask in found.items()}
            for place in row:
                place.axis("off")
            for place, (name, picture) in zip(row, pictures.items()):
                place.imshow(picture, cmap="gray", vmin=0, vmax=255, interpolation="nearest")
                if line == 0 or name == scene:
                    place.set_title(name.replace(", ", ",\n"), fontsize=7)
        save(figure, path)


def compared(mask, label):
    """White: found. Red: wrongly found. Blue: missed. Gray: not judged."""
    picture = numpy.zeros((*mask.shape, 3), "u1")
    true, false = label == 255, (label == 0) | (label == 50)
    picture[~(true | false)] = 70
    picture[true & (mask > 0)] = 255
    picture[false & (mask > 0)] = (214, 39, 40)
    picture[true & (mask == 0)] = (31, 119, 220)
    return picture


def draw_all(sections, folder):
    """The names of the pictures that could be drawn."""
    if pyplot is None:
        print("matplotlib is not installed: no pictures")
        return []
    drawn = []
    for name, needed, draw in (("speed", "peers", speed), ("curve", "curve", curve),
                               ("scaling", "scaling", scaling)):
        if needed in sections:
            drawn.append(folder / f"{name}.png")
            with saved(drawn[-1], (6, 4)) as axes:
                draw(axes[0, 0], sections)
    if photos(sections, folder / "photos.png"):
        drawn.append(folder / "photos.png")
    if overview(sections, folder / "performance.png"):
        drawn.append(folder / "performance.png")
    return drawn
