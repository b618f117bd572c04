#!/usr/bin/python3
"""Makes docs/reproduction.md of the results of experiments, or checks that it is what they give.

Usage: document.py [RESULTS]     a summary or a whole output; without it experiments/results
       document.py --check       of experiments/results
The prose is in experiments/reproduction.md.in, every number comes from the results.
"""

import argparse
import io
import os
import sys
from functools import cache
from pathlib import Path

import reading
from drawing import drawings
from drawing.drawn import saved
from filling import Filler
from harness import kept
from PIL import Image

HERE = Path(__file__).resolve().parent
TEMPLATE = HERE / "reproduction.md.in"
PICTURES = Path("images") / "reproduction"
PICTURE_BUDGET, COLOURS = 90_000, 64


@cache
def drawings_by_name(experiment):
    return {drawing.name: drawing for drawing in drawings(experiment)}


def filled(results, root, template=TEMPLATE):
    """The template with the results in it."""
    docs = root / "docs"

    def link(kind, experiment, file):
        path = PICTURES / f"{experiment.name}-{file}.png" if kind == "plot" else \
            Path(os.path.relpath(experiment.folder / file, docs))
        return path.as_posix()

    filler = Filler(template.read_text(encoding="utf-8"), reading.load_all(results),
                    reading.load_again(results), drawings_by_name, link)
    return filler, {docs / "reproduction.md": filler.text()}


def save_small(drawing, path):
    """A palette, and as many dots as there is room for."""
    figure = drawing.figure()
    for dpi in (110, 90, 75, 60, 45):
        with Image.open(io.BytesIO(saved(figure, "png", {"Software": None}, dpi=dpi))) as picture:
            picture.convert("RGB").quantize(COLOURS).save(path, optimize=True)
        if path.stat().st_size <= PICTURE_BUDGET:
            return


def write(filler, documents, root):
    kept.write(documents)
    folder = root / "docs" / PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {f"{experiment.name}-{drawing.name}.png": drawing
              for experiment, drawing in filler.plots}
    for path in folder.glob("*.png"):
        if path.name not in wanted:
            path.unlink()
    for name, drawing in wanted.items():
        save_small(drawing, folder / name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("results", nargs="?", type=Path, default=HERE / "results",
                        metavar="RESULTS")
    parser.add_argument("--check", action="store_true", help="change nothing, compare")
    parser.add_argument("--root", type=Path, default=HERE.parent, metavar="DIR",
                        help="where docs/ is")
    wanted = parser.parse_args()
    try:
        filler, documents = filled(wanted.results, wanted.root)
    except reading.Unusable as error:
        sys.exit(f"document: {error}")
    if wanted.check:
        stale = kept.stale(documents, wanted.root)
        sys.exit(f"not what {wanted.results.name} gives: {', '.join(stale)}" if stale else 0)
    write(filler, documents, wanted.root)
    for path in documents:
        print(f"wrote {path}")
    if filler.missing:
        print("the results have nothing for:", *filler.missing, sep="\n  ", file=sys.stderr)


if __name__ == "__main__":
    main()
