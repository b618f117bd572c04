#!/usr/bin/python3
"""Draws the plots of an experiment, as PNG and SVG, from its JSON and pictures alone.

Usage: plot.py OUT/NAME      what `tamis experiment NAME --out OUT` wrote; fills OUT/NAME/plots
"""

import argparse
import sys
from pathlib import Path

import reading
from drawing import drawings


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="OUT/NAME")
    parser.add_argument("--quiet", action="store_true", help="do not list the files")
    wanted = parser.parse_args()
    try:
        experiment = reading.load(wanted.folder)
    except reading.Unusable as error:
        sys.exit(f"plot: {error}")
    plots = wanted.folder / "plots"
    plots.mkdir(exist_ok=True)
    for drawing in drawings(experiment):
        for path in drawing.write(plots):
            if not wanted.quiet:
                print(f"wrote {path}")


if __name__ == "__main__":
    main()
