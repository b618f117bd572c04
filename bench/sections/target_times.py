"""The targets that are ratios of times, or frames per second; each yields the arguments of a row.

Times are the least of repeats in turns, because machines are noisy.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from harness.measures import interleaved
from harness.table import number

RANK = 49
WIDE = 256  # samples in a large mini-batch
SHORT = 4  # times as many repeats of runs so short that a ratio of them would be noise
VIDEOS = (((1920, 1080), 48, 30), ((640, 480), 64, 150))  # size, frames, frames/s to be reached
PASSES = 4  # over the frames: a run should be long beside its first mini-batch, which takes memory
BUSY = "import os\nos.sched_setaffinity(0, {%d})\nwhile True: pass"


def fit_seconds(bench, *flags, program=None, **more):
    """A function that fits the faces ×50 and returns the seconds."""
    data = bench.data.cbcl(50, 1)
    return lambda: (program or bench.program).fit(
        data.noisy, RANK, *flags, **more).seconds["total"]


def outliers(bench):
    seconds = interleaved({"with": fit_seconds(bench),
                           "without": fit_seconds(bench, "--lambda", "inf")}, SHORT * bench.repeats)
    yield ("time with outliers over time without (--lambda inf)", "×", "≤", 2,
           seconds["with"] / seconds["without"], said(seconds))


def threads(bench):
    """Faces, whose mini-batches take a third of a millisecond, and frames."""
    video = bench.data.video(*((64, 48, 16) if bench.quick else (640, 480, 64)))
    works = {
        "faces": fit_seconds,
        f"faces, τ = {WIDE}": lambda bench, **more: fit_seconds(
            bench, "--batch-size", WIDE, **more),
        "video 640×480, K = 5": lambda bench, **more: lambda: bench.program.fit(
            video.frames, 5, "--batch-size", 8, "--epochs", PASSES, **more).learning,
    }
    for name, work in works.items():
        title = f"two threads faster than one: {name}"
        if len(os.sched_getaffinity(0)) < 2:
            yield title, "×", "≥", 1.7, None, "one core only"
            continue
        one = work(bench, threads=1)
        seconds = interleaved({"one": one, "two": work(bench, threads=2),
                               "two runs at once": at_once(one, work(
                                   bench, threads=1, model="beside.h5"))},
                              SHORT * bench.repeats)
        possible = 2 * seconds["one"] / seconds["two runs at once"]
        yield (title, "×", "≥", 1.7, seconds["one"] / seconds["two"],
               f"{said(seconds)}; two separate runs side by side get {possible:.2f}×")


def at_once(*runs):
    """A function that makes them run at the same time and returns the mean of their seconds."""
    def both():
        with ThreadPoolExecutor() as pool:
            return sum(pool.map(lambda run: run(), runs)) / len(runs)
    return both


def frames(bench):
    """Of learning alone: frames come from a camera or a decoder, not from a file of numbers."""
    for (width, height), count, bound in VIDEOS:
        if bench.quick:
            width, height, count = 64, 48, 16
        data = bench.data.video(width, height, count)
        seconds = interleaved({"fit": lambda: bench.program.fit(
            data.frames, 5, "--batch-size", 8).learning}, SHORT * bench.repeats)
        yield (f"video {width}×{height}, K = 5: encode, reduce and update", "frames/s", "≥", bound,
               count / seconds["fit"], f"{count} frames, τ = 8")


@contextmanager
def busy_core():
    """Another process that never rests, on the last of our cores."""
    core = max(os.sched_getaffinity(0))
    process = subprocess.Popen([sys.executable, "-S", "-c", BUSY % core])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def occupied(bench):
    work = "time with one core occupied over time without"
    if len(os.sched_getaffinity(0)) < 2:
        yield work, "×", "≤", 2.2, None, "one core only"
        return
    fit = fit_seconds(bench)

    def beside():
        with busy_core():
            return fit()

    seconds = interleaved({"free": fit, "occupied": beside}, SHORT * bench.repeats)
    yield work, "×", "≤", 2.2, seconds["occupied"] / seconds["free"], said(seconds)


def portable(bench):
    """In one thread: what compilers made of the code is compared, not how threads met."""
    work = "portable program's time over that of one built for this machine"
    if bench.native is None:
        yield work, "×", "≤", 1.1, None, "the other one is not built"
        return
    seconds = interleaved({"portable": fit_seconds(bench, threads=1),
                           "native": fit_seconds(bench, program=bench.native, threads=1)},
                          SHORT * bench.repeats)
    yield work, "×", "≤", 1.1, seconds["portable"] / seconds["native"], said(seconds)


def said(seconds):
    return ", ".join(f"{name}: {number(value)} s" for name, value in seconds.items())


TIMES = (outliers, threads, frames, occupied, portable)
