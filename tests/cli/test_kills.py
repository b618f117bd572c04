"""Killed at any moment, a fit goes on from its checkpoint and ends with the same bits."""

import os
import random
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

import h5py
import numpy as np
from _faults import Faulty, in_memory, parts
from _tamis import PATIENCE, Planted

KILLS = 40 if os.environ.get("TAMIS_TEST_EFFORT") == "small" else 200
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

# Those that differ in how outputs are made whole and named
NAMING = ["npy", "text", "hdf5 and images", "two hdf5", "all at once", "until converged"]


class Kills(Faulty):
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

    def killed_again_and_again(self, run, chance):
        """Until it comes to its end; returns how often."""
        expected, changes, seconds = self.undisturbed(run)
        kills = 0
        while not self.path("m.h5").exists():
            kind = chance.choice(["kill", "half", "half", "time"])
            if kind == "time":
                code = self.leg(run, seconds=chance.uniform(0, seconds))
            else:
                code = self.leg(run, f"{kind}:write:{chance.randint(1, len(changes) // 3)}")
            kills += code != 0
            self.check_between(run, expected)
        self.check_end(run, expected)
        self.clear()
        return kills

    def test_at_random_moments(self):
        chance = random.Random(20)
        kills = 0
        deadline = time.monotonic() + 4 * PATIENCE
        while kills < 2 * KILLS // 3:
            for run in RUNS:
                kills += self.killed_again_and_again(run, chance)
                self.assertLess(time.monotonic(), deadline, f"only {kills} kills")
        print(f"{kills} kills at random moments", flush=True)

    def moments(self, changes):
        """A checkpoint that gets its name, and all but writing that happens after the last of them."""
        ends = [i for i, c in enumerate(changes) if c[0] == "rename" and c[-1] == "c.h5"]
        telling = [i for i, c in enumerate(changes) if c[0] != "write" and i > ends[-1]]
        return sorted({ends[0] - 1, ends[0], ends[-1] - 1, ends[-1], *telling})

    def test_while_files_get_their_names(self):
        kills = 0
        for run in NAMING:
            expected, changes, _ = self.undisturbed(run)
            for i in self.moments(changes):
                with self.subTest(run=run, after=changes[i]):
                    kills += self.leg(run, f"half:write:{i + 1}") != 0
                    self.check_between(run, expected)
                    if not self.path("m.h5").exists():
                        self.assertEqual(self.leg(run), 0)
                    self.check_end(run, expected)
                self.clear()
        self.assertGreaterEqual(kills, KILLS // 3)
        print(f"{kills} kills while files got their names", flush=True)

    def test_going_on_without_a_named_checkpoint(self):
        """After Ctrl-C the state has a default name, and no checkpoint was asked for."""
        fit = ["fit", "v.npy", "--repeat", 400, "--rank", 4, "--out", "m.h5", "--threads", 1,
               "--codes", "H.npy", "--outliers", "R.npy", "--quiet"]  # fmt: skip
        self.tamis(*fit)
        expected = self.outputs()
        self.clear()
        process = self.start(*fit)
        self.wait_for("R.npy.part", process)
        process.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(process).code, 130)
        stopped = Path(shutil.copytree(self.folder, f"{self.folder}.stopped"))
        self.addCleanup(shutil.rmtree, stopped)
        fit += ["--resume", "m.checkpoint.h5"]
        changes = self.changes(*fit)
        self.assertEqual(self.names(), ["H.npy", "R.npy", "m.h5", *self.inputs])
        moments = [i for i, change in enumerate(changes) if change[0] != "write"]
        for i in moments[-8:]:
            with self.subTest(changes[i]):
                self.clear()
                shutil.copytree(stopped, self.folder, dirs_exist_ok=True)
                self.run_faulty(f"half:write:{i + 1}", *fit)
                if not self.path("m.h5").exists():
                    self.tamis(*fit)
                found = self.outputs()
                found.pop("m.checkpoint.h5", None)
                self.assertEqual(found, expected)


if __name__ == "__main__":
    unittest.main()
