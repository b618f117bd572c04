"""Peak memory of a fit against the number of samples: from a generator, a pipe and a file."""

import subprocess

from harness import table
from harness.process import measured

SHAPE = {"features": 64, "rank": 8, "noise": 0.1}
SIZES = (10**5, 10**7)


def measure(bench):
    sizes = (2_000, 4_000) if bench.quick else SIZES
    rows = []
    for name, run in (("generator", generator), ("pipe", pipe), ("file", file)):
        for samples in sizes:
            done = run(bench, samples)
            rows.append({"input": name, "samples": samples, "peak_mb": done.peak_mb,
                         "seconds": done.seconds})
    return {"rows": rows, "shape": SHAPE}


def fit(bench, source, *flags, stdin=None):
    return measured(
        [bench.program.path, "fit", source, "--rank", SHAPE["rank"], "--out",
         bench.folder / "memory.h5", "--quiet", "--force", "--threads", bench.threads, *flags],
        stdin=stdin)


def generate(bench, samples, out):
    shape = [word for name, value in SHAPE.items() for word in (f"--{name}", str(value))]
    return [str(bench.program.path), "generate", "synthetic", *shape, "--samples", str(samples),
            "--out", str(out), "--quiet", "--force"]


def generator(bench, samples):
    shape = ",".join(f"{name}={value}" for name, value in SHAPE.items())
    return fit(bench, f"synthetic:{shape},samples={samples}")


def pipe(bench, samples):
    with subprocess.Popen(generate(bench, samples, "-"), stdout=subprocess.PIPE) as source:
        return fit(bench, "-", stdin=source.stdout)


def file(bench, samples):
    """Shuffled, and codes are written too: rows come and go, nothing is kept."""
    data, codes = bench.folder / "memory.npy", bench.folder / "memory-codes.npy"
    subprocess.run(generate(bench, samples, data), check=True)
    done = fit(bench, data, "--codes", codes, "--shuffle")
    data.unlink()
    codes.unlink()
    return done


def growth(section):
    """Input → largest peak divided by the smallest."""
    peaks = {}
    for row in section["rows"]:
        peaks.setdefault(row["input"], []).append(row["peak_mb"])
    return {name: max(found) / min(found) for name, found in peaks.items()}


def show(section):
    return table.text(["input", "samples", "peak MB", "seconds"], [
        [row["input"], f"{row['samples']:,}", f"{row['peak_mb']:.1f}", f"{row['seconds']:.1f}"]
        for row in section["rows"]])
