"""Results made small: few points of a curve, one run for its repetitions, few digits."""

import json

import numpy as np
import reading

DIGITS = 4
CLOSE = 0.002  # of the range of a curve, in logarithms: a deviation that nobody sees
# What a summary keeps of a run.
KEPT = ("id", "data", "algorithm", "label", "case", "status", "samples", "seconds")
OFTEN_EMPTY = ("curves", "pictures", "seeds", "deviations", "measures")


def rounded(value, digits=DIGITS):
    """Floats to a few digits that count, in whatever holds them."""
    if isinstance(value, float):
        short = float(f"{value:.{digits}g}")
        return int(short) if short.is_integer() and abs(short) < 1e15 else short
    if isinstance(value, dict):
        return {key: rounded(entry, digits) for key, entry in value.items()}
    return [rounded(entry, digits) for entry in value] if isinstance(value, list) else value


def important_points(x, y, most):
    """Indices of a polygon near the curve: again and again the point that is farthest from it."""
    kept = sorted({0, len(x) - 1})
    while len(kept) < min(most, len(x)):
        off = np.abs(np.interp(x, x[kept], y[kept]) - y)
        if off.max() <= CLOSE * max(np.ptp(y), 1e-12):
            break
        kept = sorted({*kept, int(off.argmax())})
    return kept


def thinned(curve, most):
    """At most so many points, chosen for logarithmic axes."""
    usable = [i for i, (n, value) in enumerate(zip(curve["samples"], curve["value"]))
              if n is not None and value is not None and n > 0]
    if not usable:
        return None
    value = np.array([curve["value"][i] for i in usable], float)
    y = np.log(value) if value.min() > 0 else value
    x = np.log(np.array([curve["samples"][i] for i in usable], float))
    kept = [usable[i] for i in important_points(x, y, most)]
    return {name: rounded([curve[name][i] for i in kept], digits)
            for name, digits in (("samples", DIGITS), ("seconds", 3), ("value", DIGITS))}


def together(runs):
    """One run for repetitions of the same case: means, and deviations beside them."""
    groups = {}
    for run in runs:
        key = json.dumps([run["data"], run["algorithm"], run.get("label"), run["case"]])
        groups.setdefault(key, []).append(run)
    return [merged(group) for group in groups.values()]


def merged(group):
    first = min(group, key=lambda run: run.get("run", 0))
    found = {name: first[name] for name in KEPT if name in first}
    found |= {name: first[name] for name in OFTEN_EMPTY if first.get(name)}
    found.setdefault("seeds", [run.get("seed") for run in group])
    if len(group) == 1:
        return found
    found["status"] = ", ".join(sorted({run["status"] for run in group}))
    found["measures"], found["deviations"] = {}, {}
    for measure in ["seconds", *dict.fromkeys(name for run in group for name in run["measures"])]:
        if statistics := reading.statistics(group, measure):
            found["measures"][measure], found["deviations"][measure] = statistics
    found["seconds"] = found["measures"].pop("seconds", None)
    return found


def drawn_curves(experiment):
    """(run, curve) of all figures: of objectives, those that nobody draws are not kept."""
    return {(line["run"], figure["curve"]) for figure in experiment.figures
            for line in figure["lines"]}


def summary(experiment, most):
    """The JSON of an experiment, small, in the same format."""
    drawn = drawn_curves(experiment)
    found = {key: value for key, value in experiment.found.items() if key != "runs"}
    # Where the data lay is nobody else's business.
    found["options"] = {key: value for key, value in found.get("options", {}).items()
                        if key != "data"}
    found["settings"] = reading.common_settings(experiment)
    found["runs"] = [rounded(run) for run in together(experiment.finished)]
    for run in found["runs"]:
        curves = {name: thinned(curve, most) for name, curve in run.pop("curves", {}).items()
                  if (run["id"], name) in drawn or not name.endswith("objective")}
        if curves := {name: curve for name, curve in curves.items() if curve}:
            run["curves"] = curves
    found["claims"] = [claim | {"numbers": rounded(claim.get("numbers", {}))}
                       for claim in experiment.claims]
    return found
