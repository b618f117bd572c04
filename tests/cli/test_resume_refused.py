"""What a stopped fit cannot go on with."""

import os
import shutil
import unittest

import h5py
import numpy as np
from _tamis import LongFit


class Refused(LongFit):
    def setUp(self):
        super().setUp()
        fit = self.flags("fast", "m.h5", "--codes", "H.npy", "--quiet")
        self.stopped(*fit, "--checkpoint", "c.h5", "--checkpoint-every", 2, when="c.h5")
        self.fit = [*fit, "--resume", "c.h5"]

    def refused(self, *arguments, **words):
        """As always, and the next check finds the same files if this one fails."""
        files = {path: path.read_bytes() for path in self.folder.iterdir()}
        try:
            super().refused(*arguments, **words)
        finally:
            for path in self.folder.iterdir():
                path.unlink()
            for path, content in files.items():
                path.write_bytes(content)

    def test_what_was_decided_before(self):
        for flag, value in [("--rank", 5), ("--seed", 7), ("--lambda", 0.5), ("--epochs", 2),
                            ("--algorithm", "opgd"), ("--batch-size", 17),
                            ("--constraint", "nonneg"), ("--precision", "double")]:  # fmt: skip
            with self.subTest(flag):
                self.refused(2, *self.fit, flag, value, says=[flag, "c.h5"])
        for flag in ["--shuffle", "--nonneg-outliers"]:
            with self.subTest(flag):
                self.refused(2, *self.fit, flag, says=[flag, "c.h5"])
        self.path("groups.txt").write_text("0 1\n2 3\n")
        with self.subTest("--groups"):
            self.refused(
                2, *self.fit, "--code-penalty", "group", "--groups", "groups.txt", says=["c.h5"]
            )

    def test_other_data(self):
        V = self.load("v.npy")
        for name, other in [("short.npy", V[:299]), ("long.npy", np.vstack([V, V])),
                            ("narrow.npy", V[:, :23]), ("bytes.npy", V.astype("u1"))]:  # fmt: skip
            self.save(name, other)
            with self.subTest(name):
                arguments = [name if word == "v.npy" else word for word in self.fit]
                self.refused(3, *arguments, says=[name])
        with self.subTest("repetitions"):
            self.refused(3, *self.fit, "--repeat", 3, says=["v.npy"])
        with self.subTest("limit"):
            self.refused(3, *self.fit, "--limit", 100, says=["v.npy"])

    def test_not_a_checkpoint(self):
        fit = self.flags("fast", "m.h5")
        self.refused(3, *fit, "--resume", "nowhere.h5", says=["nowhere.h5"])
        self.path("noise.h5").write_bytes(os.urandom(5000))
        self.refused(3, *fit, "--resume", "noise.h5", says=["noise.h5"])
        content = self.path("c.h5").read_bytes()
        self.path("half.h5").write_bytes(content[: len(content) // 2])
        self.refused(3, *fit, "--resume", "half.h5", says=["half.h5"])

    def test_a_finished_model(self):
        # It has learned all there was: nothing is left to go on with.
        self.tamis("fit", "v.npy", "--rank", 4, "--out", "done.h5")
        self.refused(
            3, "fit", "v.npy", "--out", "n.h5", "--resume", "done.h5", says=["done.h5"]
        )

    def test_a_state_of_a_complete_fit(self):
        # Python saves such ones.
        with h5py.File(self.path("c.h5"), "r+") as file:
            file["epoch"][()] = 1
            file["position"][()] = 0
        self.refused(3, *self.fit, says=["c.h5", "complete", "partial_fit", "--resume"])

    def test_a_state_that_learned_by_parts(self):
        with h5py.File(self.path("c.h5"), "r+") as file:
            file["samples_per_pass"][()] = -2
        self.refused(3, *self.fit, says=["partial_fit", "begin anew"])

    def test_codes_that_the_stopped_run_did_not_write(self):
        self.refused(3, *self.fit, "--outliers", "R.npy", says=["outliers"])

    def test_codes_that_are_lost(self):
        self.path("H.npy.part").unlink()
        self.refused(3, *self.fit, says=["H.npy.part"])

    def test_a_damaged_state_of_the_codes(self):
        shutil.copy(self.path("v.npy"), self.path("H.npy.part"))
        with open(self.path("H.npy.part"), "r+b") as file:
            file.truncate(100)
        self.refused(3, *self.fit, says=["H.npy.part"])


if __name__ == "__main__":
    unittest.main()
