"""Everyone who is compared. To add one: a line in CONTENDERS (and, for a peer, its function)."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from harness.machine import core_type
from harness.process import measured

PACKAGE_FOLDER = Path(__file__).resolve().parents[1]
FACE_WORK = 361 * 49  # features × rank that the rates below belong to
WIDE = 10_000  # features from which on a sample is a frame rather than a face
BATCH = 64
PATIENCE = 120  # seconds


@dataclass(frozen=True)
class Task:
    """One data set with what is asked for."""

    name: str
    title: str
    data: object
    rank: int
    batch: int = BATCH
    allowance: float = 15  # seconds that a contender should take; with fewer samples if need be
    quality: int = 12_145  # samples that the PSNR is taken of, at most
    repeats: int = 1
    without: tuple = ()


@dataclass(frozen=True)
class Contender:
    name: str
    run: Callable  # (bench, task, samples, judge) → row
    rate: float  # samples/s to be expected of faces; only to choose how many samples it gets
    wide_rate: float  # the same for frames, in units of a face's work
    needs: str = ""  # Python module

    @property
    def installed(self):
        return not self.needs or find_spec(self.needs) is not None

    def samples(self, task):
        """As many as it should be able to fit in the time it has."""
        samples, features = task.data.shape
        rate = self.wide_rate if features >= WIDE else self.rate
        possible = task.allowance * rate * FACE_WORK / (features * task.rank)
        return max(2, min(samples, int(possible)))


def tamis(algorithm):
    """Published algorithms keep their mini-batch rule, whose N is that of the whole set."""

    def run(bench, task, samples, judge):
        batch = task.batch
        if algorithm != "fast" and batch == BATCH:
            batch = max(1, round(5e-5 * task.data.shape[0]))
        fit = bench.program.fit(task.data.for_tamis, task.rank, "--algorithm", algorithm,
                                "--batch-size", batch, "--normalize", "none", "--limit", samples)
        row = {"seconds": fit.seconds["total"], "wall": fit.wall, "peak_mb": fit.peak_mb,
               "samples": fit.samples, "phases": fit.seconds, "batches": fit.batches,
               "settings": fit.settings}
        if judge:
            row["psnr"] = bench.program.encoded_psnr(
                task.data.for_tamis, task.data.clean, min(samples, task.quality))
        return row

    return run


def peer(name):
    def run(bench, task, samples, judge):
        job = {"name": name, "noisy": str(task.data.noisy), "clean": str(task.data.clean),
               "rank": task.rank, "batch": task.batch, "limit": samples,
               "quality": min(samples, task.quality) if judge else 0}
        done = measured([sys.executable, "-B", "-m", "harness.peers", json.dumps(job)],
                        env=peer_environment(bench.threads), timeout=PATIENCE)
        return json.loads(done.output.splitlines()[-1]) | {"wall": done.seconds}

    return run


def peer_environment(threads):
    """tamis corrects OpenBLAS's idea of an unknown processor by itself; here it is done for peers."""
    found = {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads),
             "PYTHONPATH": str(PACKAGE_FOLDER)}
    return found | ({"OPENBLAS_CORETYPE": core_type()} if core_type() else {})


CONTENDERS = (
    Contender("tamis", tamis("fast"), 60_000, 20_000),
    Contender("tamis opgd", tamis("opgd"), 7_000, 1_000),
    Contender("tamis oadmm", tamis("oadmm"), 4_500, 1_000),
    Contender("gensim Nmf", peer("gensim_nmf"), 4_300, 2_400, "gensim"),
    Contender("scikit-learn MiniBatchNMF", peer("minibatch_nmf"), 60_000, 15_000, "sklearn"),
    Contender("scikit-learn MiniBatchNMF, fresh restarts", peer("minibatch_nmf_restarts"), 6_000,
              3_000, "sklearn"),
    Contender("scikit-learn MiniBatchDictionaryLearning", peer("dictionary_learning"), 3_000,
              8_000, "sklearn"),
    Contender("scikit-learn NMF (batch)", peer("batch_nmf"), 2_500, 600, "sklearn"),
    Contender("HyperSpy ORNMF", peer("hyperspy_ornmf"), 13, 200, "hyperspy"),
)
FAST = CONTENDERS[0].name
