#!/usr/bin/env python3
"""Holds two streams under load: samples as fast as they are taken, readers that are slow and stop now
and then. Says whether everything came through, and what memory it took.

Usage: soak.py [SECONDS] [--tamis build/release/tamis] [--json FILE]      an hour unless told
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "cli"))

from _stream import SlowReader, Writer, endless_header  # noqa: E402
from _tamis import Planted  # noqa: E402

FEATURES, RANK = 256, 8
BLOCK = 1024  # samples: what the program encodes at a time, so that equal blocks have equal codes
DISTINCT = 16  # blocks, which come again and again
BURST = 4 << 20  # bytes that a reader takes before it waits until the writer is held up


def memory(process, name="VmHWM"):
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        return int(next(line for line in file if line.startswith(name)).split()[1]) / 1024


class Pipeline(threading.Thread):
    """One program between a fast writer and a slow reader."""

    def __init__(self, name, command, seconds, expected=None):
        super().__init__()
        self.name, self.command, self.seconds, self.expected = name, command, seconds, expected
        self.found = {"name": name}
        self.problem = None

    def blocks(self, V):
        end = time.monotonic() + self.seconds
        i = 0
        while time.monotonic() < end:
            yield V[i % DISTINCT]
            i += 1
        self.sent = i

    def run(self):
        try:
            self.hold()
        except Exception as problem:
            self.problem = problem

    def hold(self):
        process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        writer = Writer(process.stdin, endless_header(FEATURES), self.blocks(SAMPLES))
        begin = time.monotonic()
        writer.start()
        rows = most = 0
        early = peak = None
        for array in SlowReader(process.stdout, writer, BURST).arrays():
            self.check(array, rows)
            rows += len(array)
            most = max(most, writer.written - rows * FEATURES * 4)
            if process.poll() is None:
                peak = memory(process)
                if early is None and time.monotonic() - begin > self.seconds / 20:
                    early = peak
        if process.wait() != 0 or writer.problem:
            raise RuntimeError(f"{self.name}: exit code {process.returncode}, {writer.problem}")
        if rows != self.sent * BLOCK:
            raise RuntimeError(f"{self.name}: {self.sent * BLOCK} samples went in, {rows} came out")
        self.found |= {
            "samples": rows,
            "gigabytes": writer.written / 1e9,
            "seconds": time.monotonic() - begin,
            "most_on_the_way_mb": most / 2**20,
            "peak_after_a_twentieth_mb": early,
            "peak_mb": peak,
        }

    def check(self, array, first):
        if self.expected is None:
            return
        expected = self.expected[first // BLOCK % DISTINCT]
        if len(array) != BLOCK or array.tobytes() != expected.tobytes():
            raise RuntimeError(f"{self.name}: rows {first}… are not what they should be")


SAMPLES = np.ascontiguousarray(
    Planted(BLOCK * DISTINCT, FEATURES, RANK, seed=5).V.reshape(DISTINCT, BLOCK, FEATURES), "f4"
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seconds", nargs="?", type=float, default=3600)
    parser.add_argument("--tamis", default=str(ROOT / "build" / "release" / "tamis"))
    parser.add_argument("--json")
    options = parser.parse_args()
    tamis = os.path.abspath(options.tamis)
    record = Path(options.json).resolve() if options.json else None  # before the folder changes
    with tempfile.TemporaryDirectory(prefix="tamis-soak-") as folder:
        os.chdir(folder)
        np.save("v.npy", SAMPLES.reshape(-1, FEATURES))
        fit = [tamis, "fit", "--rank", str(RANK), "--quiet", "--out"]
        subprocess.run([*fit, "m.h5", "v.npy"], check=True)
        encode = [tamis, "encode", "m.h5", "--quiet", "--outliers"]
        subprocess.run([*encode, "R.npy", "v.npy"], check=True)
        expected = np.load("R.npy").reshape(SAMPLES.shape)
        pipelines = [
            Pipeline("fit", [*fit, "long.h5", "-", "--codes", "-"], options.seconds),
            Pipeline("encode", [*encode, "-", "-"], options.seconds, expected),
        ]
        for pipeline in pipelines:
            pipeline.start()
        for pipeline in pipelines:
            pipeline.join()
    for pipeline in pipelines:
        if pipeline.problem:
            sys.exit(f"soak: {pipeline.problem}")
        print(json.dumps(pipeline.found))
        early, late = pipeline.found["peak_after_a_twentieth_mb"], pipeline.found["peak_mb"]
        if early and late > 1.05 * early + 2:
            sys.exit(f"soak: {pipeline.name}: its memory grew from {early:.0f} to {late:.0f} MB")
    if record:
        record.write_text(json.dumps([p.found for p in pipelines], indent=2) + "\n")
    print("soak: everything came through, in memory that did not grow")


if __name__ == "__main__":
    main()
