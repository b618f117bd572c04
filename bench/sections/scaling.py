"""Seconds of a fit against the number of samples N, features F, atoms K and the mini-batch τ."""

from harness import table
from harness.measures import exponent, interleaved

SAMPLES, FEATURES, RANK, BATCH = 12_500, 400, 49, 64  # of the sizes that are not varied
SWEEPS = {
    "N": (12_500, 25_000, 50_000, 100_000),
    "F": (200, 400, 800, 1_600, 3_200),
    "K": (10, 20, 40, 80, 160),
    "τ": (16, 32, 64, 128, 256, 512),
}
QUICK = {"N": (500, 1_000), "F": (50, 100), "K": (5, 10), "τ": (32, 64)}


def measure(bench):
    sweeps = QUICK if bench.quick else SWEEPS
    rows = []
    for size, values in sweeps.items():
        runs = {value: fit_of(bench, size, value, max(sweeps["N"])) for value in values}
        seconds = interleaved(runs, bench.repeats)
        rows.append({"size": size, "values": list(values),
                     "seconds": [seconds[value] for value in values],
                     "exponent": exponent(values, [seconds[value] for value in values])})
    return {"rows": rows, "samples": SAMPLES, "features": FEATURES, "rank": RANK, "batch": BATCH}


def fit_of(bench, size, value, most):
    """A function that fits with one size changed and returns the seconds."""
    sizes = {"N": SAMPLES, "F": FEATURES, "K": RANK, "τ": BATCH} | {size: value}
    if bench.quick and size != "N":
        sizes["N"] = most
    # One file for all but F, of which a part is read.
    data = bench.data.synthetic(most if size != "F" else sizes["N"], sizes["F"])
    return lambda: bench.program.fit(data.noisy, sizes["K"], "--batch-size", sizes["τ"],
                                     "--limit", sizes["N"]).seconds["total"]


def show(section):
    rows = [[row["size"], f"{value:,}", table.number(seconds),
             f"{row['exponent']:.2f}" if i == 0 else ""]
            for row in section["rows"]
            for i, (value, seconds) in enumerate(zip(row["values"], row["seconds"]))]
    return table.text(["size", "value", "seconds", "exponent"], rows)
