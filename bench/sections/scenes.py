"""Foreground masks of videos: F, PBC and time beside others."""

from harness import plots, table
from harness.process import Failed
from harness.scenes import FINDERS, STREET, judged, scenes

LONG = 3  # seconds from which on a run is not repeated


def measure(bench):
    found = []
    for scene in scenes(bench):
        rows, masks = [], {}
        for finder in FINDERS:
            row, mask = attempt(bench, finder, scene)
            rows.append(row)
            if mask is not None:
                masks[finder.name] = mask
        found.append({"name": scene.name, "frames": scene.frame_count, "rows": rows})
        bench.pictures[scene.name] = (*scene.shown(), masks)
        print(f"\n{scene.name}\n{show_scene(found[-1])}", flush=True)
    if plots.pyplot is not None:
        plots.masks(bench.pictures, bench.out / "scenes.png")
        # The other scenes are not ours to show.
        plots.masks({STREET: bench.pictures[STREET]}, bench.out / "street.png")
    return {"scenes": found}


def attempt(bench, finder, scene):
    row = {"name": finder.name}
    if not finder.installed:
        return row | {"skipped": "not installed"}, None
    try:
        masks, seconds = finder.run(bench, scene)
        for _ in range(bench.repeats - 1 if seconds < LONG else 0):
            seconds = min(seconds, finder.run(bench, scene)[1])
    except Failed as failure:
        return row | {"failed": str(failure).replace(str(bench.folder), "")}, None
    return (row | judged(scene, masks) | {"ms": 1000 * seconds / scene.frame_count},
            masks[scene.shown_frame])


HEADER = ["", "F", "precision", "recall", "PBC %", "ms/frame"]


def cells(row):
    if "f" not in row:
        return [row["name"], row.get("skipped") or row["failed"], *[""] * 4]
    return [row["name"], *(f"{row[key]:.3f}" for key in ("f", "precision", "recall")),
            f"{row['pbc']:.2f}", table.number(row["ms"])]


def show_scene(scene):
    return table.text(HEADER, [cells(row) for row in scene["rows"]])


def by_scene(section):
    """One row per method: F in every scene, then the mean, then the time."""
    names = [scene["name"] for scene in section["scenes"]]
    rows = []
    for number, first in enumerate(section["scenes"][0]["rows"]):
        of_method = [scene["rows"][number] for scene in section["scenes"]]
        if all("f" in row for row in of_method):
            mean = sum(row["f"] for row in of_method) / len(of_method)
            rows.append([first["name"], *(f"{row['f']:.3f}" for row in of_method), f"{mean:.3f}",
                         f"{sum(row['pbc'] for row in of_method) / len(of_method):.2f}",
                         table.number(sum(row["ms"] for row in of_method) / len(of_method))])
    return ["", *names, "mean F", "mean PBC %", "ms/frame"], rows


def show(section):
    return table.text(*by_scene(section))
