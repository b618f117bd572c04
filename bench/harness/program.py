"""tamis itself: its commands as functions, with what they needed."""

import json
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

from harness.measures import psnr_of_codes
from harness.process import measured


@dataclass(frozen=True)
class Fit:
    seconds: dict  # per phase, and "total"
    wall: float  # of the whole process
    peak_mb: float
    samples: int
    batches: int
    settings: dict

    @property
    def learning(self):
        """Seconds without reading and writing files."""
        return sum(self.seconds[phase] for phase in ("encode", "reduce", "update"))


@dataclass(frozen=True)
class Program:
    path: Path
    threads: int
    folder: Path  # for models and codes

    def fit(self, noisy, rank, *flags, model="model.h5", threads=None):
        run = measured([
            self.path, "fit", noisy, "--rank", rank, "--out", self.folder / model, "--json",
            "--quiet", "--force", "--threads", threads or self.threads, *flags])
        found = json.loads(run.output)
        return Fit(found["seconds"], run.seconds, run.peak_mb, found["samples"],
                   found["batches"], found["settings"])

    def encoded_psnr(self, noisy, clean, samples=None, model="model.h5"):
        """PSNR against the clean data of what the model makes of the (first) noisy samples."""
        codes = self.folder / "codes.npy"
        limit = [] if samples is None else ["--limit", samples]
        self.call("encode", self.folder / model, noisy, "--codes", codes, "--threads",
                  self.threads, *limit)
        return self.codes_psnr(noisy, clean, codes, model)

    def codes_psnr(self, noisy, clean, codes, model="model.h5"):
        with h5py.File(self.folder / model) as file:
            atoms = file["W"][()]
        H = np.load(codes, mmap_mode="r")
        return psnr_of_codes(np.load(clean, mmap_mode="r"), H / unit(noisy), atoms)

    def call(self, *arguments):
        return measured([self.path, *arguments, "--quiet", "--force"])

    def version(self):
        return measured([self.path, "--version"]).output.split()[-1]


def unit(path):
    """What 1 is in a file: codes come back in the units of the input."""
    kind = np.load(path, mmap_mode="r").dtype
    return np.iinfo(kind).max if kind.kind == "u" else np.float32(1)


def count_of(settings, name):
    """A whole number among a fit's settings of the algorithm, as in fast:iterations=10,sweeps=2"""
    words = settings["algorithm"].partition(":")[2].split(",")
    return int(dict(word.split("=") for word in words)[name])
