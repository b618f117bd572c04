"""What `tamis experiment` has written, whole or summarised: the same layout, the same names."""

import json
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev

NAMES = ("convergence", "sensitivity", "basis", "denoising", "shadow", "separation")
# Folders of an output that have an experiment once more, with more repetitions of fewer samples
AGAIN = {"initialisations": "denoising"}

LISTS = ("runs", "figures", "tables", "claims", "pictures", "missing", "algorithms")


class Unusable(Exception):
    """Nothing can be made of a folder; the message says why."""


@dataclass(frozen=True, eq=False)
class Experiment:
    folder: Path
    found: dict  # the JSON

    @property
    def name(self):
        return self.found["experiment"]

    @property
    def title(self):
        return self.found.get("title") or self.name

    def __getattr__(self, key):
        """Lists that are missing are empty."""
        if key in LISTS:
            return self.found.get(key) or []
        raise AttributeError(key)

    @property
    def finished(self):
        """Runs that have results; others may have failed or not have been made."""
        return [run for run in self.runs if run.get("measures") or run.get("curves")]

    def picture(self, file):
        """Path of a picture that is there, or None."""
        path = self.folder / file
        return path if path.is_file() else None


def load(folder):
    """One experiment, from its own folder."""
    folder = Path(folder)
    path = folder / f"{folder.resolve().name}.json"
    if not path.is_file():
        raise Unusable(f"{path} is not there; "
                       "`tamis experiment NAME --out DIR` writes DIR/NAME/NAME.json")
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise Unusable(f"{path} is no JSON: {error}") from error
    if not isinstance(found, dict) or "experiment" not in found:
        raise Unusable(f"{path} is not the result of an experiment: it has no field 'experiment'")
    return Experiment(folder, found)


def load_all(out):
    """Every experiment of an output folder, in the order of the study."""
    out = Path(out)
    there = [out / name for name in NAMES if has_results(out / name)]
    if not there:
        raise Unusable(f"{out} has no results; `tamis experiment all --out {out}` makes them")
    return [load(folder) for folder in there]


def load_again(out):
    """Folder of AGAIN → what it has, if it is there."""
    folders = {again: Path(out) / again / name for again, name in AGAIN.items()}
    return {again: load(folder) for again, folder in folders.items() if has_results(folder)}


def has_results(folder):
    return (folder / f"{folder.name}.json").is_file()


def values(runs, key):
    """The distinct values of run[key], or of its case, in their order."""
    found = {run["case"].get(key) if key in run.get("case", {}) else run.get(key) for run in runs}
    found.discard(None)
    return sorted(found, key=lambda value: (isinstance(value, str), value))


def matching(runs, **wanted):
    """Runs whose own fields or whose case have these values."""
    return [run for run in runs
            if all(run.get("case", {}).get(key, run.get(key)) == value
                   for key, value in wanted.items())]


def has(runs, measure):
    return any(value_of(run, measure) is not None for run in runs)


def value_of(run, measure):
    """`seconds` is a field of the run itself; what does not exist is None."""
    value = run.get("seconds") if measure == "seconds" else run.get("measures", {}).get(measure)
    return value if isinstance(value, (int, float)) else None


def statistics(runs, measure):
    """Mean and standard deviation over runs that have the measure; None if there are none.

    A run of a summary stands for its repetitions and brings their deviation with it.
    """
    there = [run for run in runs if value_of(run, measure) is not None]
    if not there:
        return None
    if len(there) == 1:
        return value_of(there[0], measure), there[0].get("deviations", {}).get(measure, 0.0)
    numbers = [value_of(run, measure) for run in there]
    return fmean(numbers), stdev(numbers)


def mean(runs, measure):
    found = statistics(runs, measure)
    return found and found[0]


def labelled(runs, label):
    """Runs of an algorithm in one of its variants."""
    return [run for run in runs if (run.get("label") or run["algorithm"]) == label]


def common_settings(experiment):
    """Label of runs → the settings that they share; a summary has them ready."""
    if "settings" in experiment.found:
        return experiment.found["settings"]
    found = {}
    for run in experiment.runs:
        settings, label = run.get("settings", {}), run.get("label") or run["algorithm"]
        known = found.setdefault(label, settings)
        found[label] = {key: value for key, value in known.items()
                        if key in settings and settings[key] == value}
    return found
