#!/usr/bin/python3
"""Makes a small summary of all experiments in a folder: the same layout, few points, thumbnails.

Usage: summarize.py OUT RESULTS    what `tamis experiment` wrote → experiments/results
"""

import argparse
import json
import shutil
import sys
from functools import cache
from pathlib import Path

import reading
from PIL import Image
from thinning import summary

POINTS = (60, 45, 30, 20, 12)  # of a curve: the first that makes all small enough
BUDGET = 400_000  # bytes of JSON in all
THUMBNAIL, SHEET = 240, 800  # pixels of the longer side: of a run's picture, of one of many things
PICTURE_BUDGET = 60_000  # bytes


def text_of(found):
    """A run per line: small, and differences can be read."""
    runs = ",\n".join(compact(run) for run in found["runs"])
    rest = {key: value for key, value in found.items() if key != "runs"}
    fields = ",\n".join(f"{compact(key)}: {compact(value)}" for key, value in rest.items())
    return f'{{\n{fields},\n"runs": [\n{runs}\n]}}\n'


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def summaries(experiments):
    """Of all experiments, with as many points as there is room for."""
    for most in POINTS:
        found = [summary(one, most) for one in experiments]
        if sum(len(text_of(one).encode()) for one in found) <= BUDGET:
            return found
    print(f"summarize: more than {BUDGET:,} bytes even with {most} points per curve",
          file=sys.stderr)
    return found


def shrunk(source, target, side):
    """A JPEG that is no larger than a thumbnail may be; returns its path."""
    target = target.with_suffix(".jpg")
    target.parent.mkdir(parents=True, exist_ok=True)
    with Image.open(source) as picture:
        small = picture.convert("RGB")
    while True:
        small.thumbnail((side, side), Image.Resampling.LANCZOS)
        small.save(target, quality=82, optimize=True)
        if target.stat().st_size <= PICTURE_BUDGET:
            return target
        side = side * 4 // 5


def keep_pictures(experiment, found, folder):
    """Those that the summary refers to; references to others are dropped."""
    @cache
    def kept(file, side):
        source = experiment.picture(file)
        return source and str(shrunk(source, folder / file, side).relative_to(folder))

    def side_of(file):
        return THUMBNAIL if file in own else SHEET

    own = {file for run in experiment.runs for file in run.get("pictures", {}).values()}

    for run in found["runs"]:
        pictures = {kind: kept(file, side_of(file))
                    for kind, file in run.pop("pictures", {}).items()}
        if pictures := {kind: file for kind, file in pictures.items() if file}:
            run["pictures"] = pictures
    entries = [entry | {"file": kept(entry["file"], side_of(entry["file"]))}
               for entry in experiment.pictures]
    found["pictures"] = [entry for entry in entries if entry["file"]]


def keep(experiments, results):
    """The summaries of experiments, in a folder with a folder for each."""
    for experiment, found in zip(experiments, summaries(experiments)):
        folder = results / experiment.name
        if (folder / "runs").exists():
            sys.exit(f"summarize: {folder} has all runs; a summary would replace them")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        keep_pictures(experiment, found, folder)
        path = folder / f"{experiment.name}.json"
        path.write_text(text_of(found), encoding="utf-8")
        print(f"wrote {path}, {path.stat().st_size:,} bytes, and "
              f"{len(list(folder.rglob('*.jpg')))} pictures")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("results", type=Path, metavar="RESULTS")
    wanted = parser.parse_args()
    if wanted.results.resolve() == wanted.out.resolve():
        parser.error("RESULTS would replace OUT; name another folder")
    try:
        keep(reading.load_all(wanted.out), wanted.results)
        for again, experiment in reading.load_again(wanted.out).items():
            keep([experiment], wanted.results / again)
    except reading.Unusable as error:
        sys.exit(f"summarize: {error}")


if __name__ == "__main__":
    main()
