#!/usr/bin/python3
"""Peak memory of `tamis fit` against the number of samples, from a generator and through a pipe.

Usage: memory.py TAMIS [SAMPLES ...]      default: 100000 10000000

Prints a table and writes it as JSON beside the program.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

SHAPE = "features=64,rank=8,noise=0.1"
FIT = ["--rank", "8", "--quiet", "--threads", "2"]


def peak_of(process):
    """Seconds are taken by the caller; kilobytes as the kernel counted them for this process."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"failed with {process.returncode}: {process.args}")
    return usage.ru_maxrss


def generator(tamis, samples, folder):
    command = [tamis, "fit", f"synthetic:{SHAPE},samples={samples}", "--out", f"{folder}/m.h5"]
    return peak_of(subprocess.Popen(command + FIT))


def file(tamis, samples, folder):
    """Codes are written too: rows appended, nothing kept."""
    data = f"{folder}/data.npy"
    flags = [word for pair in SHAPE.split(",") for word in ("--" + pair).split("=")]
    subprocess.run(
        [tamis, "generate", "synthetic", *flags, "--samples", str(samples), "--out", data,
         "--quiet"],
        check=True,
    )
    command = [tamis, "fit", data, "--out", f"{folder}/m.h5", "--codes", f"{folder}/H.npy",
               "--shuffle"]
    return peak_of(subprocess.Popen(command + FIT))


def pipe(tamis, samples, folder):
    flags = [word for pair in SHAPE.split(",") for word in ("--" + pair).split("=")]
    source = subprocess.Popen(
        [tamis, "generate", "synthetic", *flags, "--samples", str(samples), "--out", "-",
         "--quiet"],
        stdout=subprocess.PIPE,
    )
    fit = subprocess.Popen(
        [tamis, "fit", "-", "--out", f"{folder}/m.h5"] + FIT, stdin=source.stdout
    )
    source.stdout.close()
    peak = peak_of(fit)
    peak_of(source)
    return peak


def main():
    tamis = sys.argv[1]
    sizes = [int(float(word)) for word in sys.argv[2:]] or [10**5, 10**7]
    rows = []
    print(f"{'input':<12}{'samples':>12}{'peak MB':>10}{'seconds':>10}")
    for measure in (generator, pipe, file):
        for samples in sizes:
            with tempfile.TemporaryDirectory() as folder:
                start = time.monotonic()
                peak = measure(tamis, samples, folder)
                seconds = time.monotonic() - start
            rows.append({"input": measure.__name__, "samples": samples, "peak_kb": peak,
                         "seconds": seconds})
            print(f"{measure.__name__:<12}{samples:>12,}{peak / 1024:>10.1f}{seconds:>10.1f}",
                  flush=True)
        peaks = [row["peak_kb"] for row in rows if row["input"] == measure.__name__]
        print(f"{'':<12}largest / smallest: {max(peaks) / min(peaks):.3f}")
    with open(f"{tamis}-memory.json", "w", encoding="utf-8") as out:
        json.dump(rows, out, indent=2)


if __name__ == "__main__":
    main()
