"""Fits that are killed: every kind of output that can be continued, and every kind of input."""

import os
import shutil
import signal
import subprocess
import time

import h5py
import numpy as np
from _faults import Faulty, in_memory, parts
from _tamis import Planted

SMALL_EFFORT = os.environ.get("TAMIS_TEST_EFFORT") == "small"
SAMPLES = 240

# Every kind of output that can be continued, and every kind of input that can be read again
RUNS = {
    "npy": ["v.npy", "--codes", "H.npy", "--outliers", "R.npy", "--shuffle", "--epochs", 2],
    "text": ["v.npy", "--codes", "H.csv", "--outliers", "R.mtx"],
    "hdf5 and images": ["v.npy", "--codes", "H.h5:/codes", "--outliers", "R/", "--limit", 60],
    "two hdf5": ["v.npy", "--codes", "H.h5", "--outliers", "R.h5"],
    "pipe": ["-", "--codes", "H.npy", "--outliers", "R.npy"],
    "from text": ["v.csv", "--codes", "H.npy", "--shuffle", "--shuffle-window", 50],
    "generator": ["synthetic:features=24,samples=240,rank=4", "--outliers", "R.mtx", "--epochs", 2,
                  "--precision", "double"],
    "all at once": ["v.npy", "--codes", "H.csv", "--outliers", "R.npy", "--algorithm",
                    "bpgd:tolerance=0,iterations=12"],
    "until converged": ["v.npy", "--codes", "H.npy", "--outliers", "R.npy", "--algorithm",
                        "badmm:tolerance=0.01,iterations=100"],
    "buffer": ["v.npy", "--codes", "H.npy", "--algorithm", "onmf"],
}  # fmt: skip


class Killed(Faulty):
    place = in_memory()

    def setUp(self):
        super().setUp()
        V = Planted(samples=SAMPLES).V.astype("f4")
        self.inputs = ["v.csv", "v.npy"]
        self.save("v.npy", V.reshape(SAMPLES, 4, 6))
        np.savetxt(self.path("v.csv"), V, delimiter=",")

    def fit(self, run):
        every = 3 if "epochs" not in str(RUNS[run]) else 6
        flags = ["--rank", 4, "--out", "m.h5", "--threads", 1, "--quiet"]
        if "--algorithm" not in RUNS[run] or "onmf" in RUNS[run]:
            flags += ["--batch-size", 12]
        return ["fit", *RUNS[run], *flags, "--checkpoint", "c.h5", "--checkpoint-every", every]

    def outputs(self):
        """What a run has made, without its checkpoint: {name: content}."""
        found = self.listing()
        return {
            name: content for name, content in found.items()
            if name not in [*self.inputs, "c.h5"] and ".part" not in name
        }  # fmt: skip

    def clear(self):
        for path in self.folder.iterdir():
            if path.name not in self.inputs:
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def leg(self, run, fault="", seconds=None):
        """Begins a run, or goes on with one that was killed; returns its exit code."""
        resume = ["--resume", "c.h5"] if self.path("c.h5").exists() else []
        with open(self.path("v.npy"), "rb") as data:
            process = self.start(*self.fit(run), *resume, stdin=data, env=self.environment(fault))
            if seconds is not None:
                try:
                    process.wait(seconds)
                except subprocess.TimeoutExpired:
                    process.kill()
            result = self.finish(process)
        self.assertIn(result.code, [0, -signal.SIGKILL], f"{run}, {fault}: {result}")
        return result.code

    def check_between(self, run, expected):
        """After a kill: nothing that is not whole has its real name."""
        for name, content in self.outputs().items():
            self.assertEqual(content, expected[name], f"{run}: {name} is there but not whole")
        if self.path("c.h5").exists():
            with h5py.File(self.path("c.h5")) as file:
                self.assertGreater(file["samples"][()], 0)

    def check_end(self, run, expected):
        self.assertEqual(self.outputs(), expected, run)
        self.assertEqual(parts(self.folder), [], f"{run}: left behind")

    def undisturbed(self, run):
        """What it makes, how often it changes files, and how long it takes."""
        begin = time.monotonic()
        with open(self.path("v.npy"), "rb") as data:
            changes = self.changes(*self.fit(run), stdin=data)
        seconds = time.monotonic() - begin
        expected = self.outputs()
        self.assertIn("m.h5", expected)
        self.clear()
        return expected, changes, seconds
