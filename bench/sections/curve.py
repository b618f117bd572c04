"""What the settings of `fast` cost and bring: seconds of the fit, PSNR of its model."""

from harness import table
from harness.measures import interleaved

REPEAT, RANK = 10, 49
KNOBS = {
    "iterations": (1, 2, 3, 4, 5, 6, 8, 10, 15, 20),
    "sweeps": (1, 2, 3),
    "batch size": (16, 32, 64, 128, 256),
}
QUICK = {"iterations": (1, 2), "sweeps": (1, 2), "batch size": (16, 32)}


def flags(knob, value):
    if knob == "batch size":
        return ["--batch-size", value]
    return ["--algorithm", f"fast:{knob}={value}"]


def measure(bench):
    knobs = QUICK if bench.quick else KNOBS
    rows = []
    for setting in (1,) if bench.quick else (1, 3):
        data = bench.data.cbcl(REPEAT, setting)
        for knob, values in knobs.items():
            rows += curve(bench, data, knob, values, setting)
    defaults = bench.program.fit(data.noisy, RANK, "--limit", 64).settings
    return {"rows": rows, "repeat": REPEAT, "rank": RANK, "defaults": defaults}


def curve(bench, data, knob, values, setting):
    def fit(value):
        return lambda: bench.program.fit(data.noisy, RANK, *flags(knob, value),
                                         model=f"curve-{value}.h5").seconds["total"]

    seconds = interleaved({value: fit(value) for value in values}, bench.repeats)
    return [{"setting": setting, "knob": knob, "value": value, "seconds": seconds[value],
             "psnr": bench.program.encoded_psnr(data.noisy, data.clean,
                                                model=f"curve-{value}.h5")}
            for value in values]


def show(section):
    return table.text(["setting", "knob", "value", "seconds", "PSNR"], [
        [row["setting"], row["knob"], row["value"], table.number(row["seconds"]),
         table.decibel(row["psnr"])] for row in section["rows"]])
