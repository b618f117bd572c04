"""Samples that disappear while they are read: an error that names them, and a checkpoint that holds."""

import errno
import os
import shutil
import signal
import unittest

import h5py
import numpy as np
from _faults import Faulty, in_memory
from _tamis import STATISTICS, Planted
from PIL import Image


class Lost(Faulty):
    place = in_memory()

    def setUp(self):
        super().setUp()
        self.V = np.round(Planted(samples=600).V.reshape(600, 4, 6) * 255).astype("u1")

    def make(self, name):
        if name.endswith(".npy"):
            V = self.V.astype("f4")
            np.save(self.path(name), np.asfortranarray(V) if name == "fortran.npy" else V)
        elif name.endswith(".csv"):
            np.savetxt(self.path(name), self.V.reshape(600, 24), delimiter=",", fmt="%d")
        elif name.endswith(".mtx"):
            with open(self.path(name), "w", encoding="ascii") as file:
                file.write("%%MatrixMarket matrix coordinate real general\n")
                rows, columns = np.nonzero(self.V.reshape(600, 24))
                file.write(f"600 24 {len(rows)}\n")
                for i, j in zip(rows, columns):
                    file.write(f"{i + 1} {j + 1} {self.V.reshape(600, 24)[i, j]}\n")
        elif name.endswith(".h5"):
            with h5py.File(self.path(name), "w") as file:
                # More than the library keeps in memory
                file.create_dataset("data", data=np.tile(self.V, (60, 1, 1)).astype("f4"),
                                    chunks=(100, 4, 6))  # fmt: skip
        else:
            self.path(name).mkdir()
            for i, image in enumerate(self.V):
                Image.fromarray(image).save(self.path(f"{name}/{i:03}.pgm"))

    def fit(self, name, *flags):
        # Twice as much as is read ahead: who reads must not have all of it before it is lost.
        repeat = 3 if name == "v.h5" else 150
        return ["fit", name, "--rank", 4, "--batch-size", 20, "--repeat", repeat, "--threads", 1,
                "--quiet", "--out", "m.h5", *flags]  # fmt: skip

    def lose(self, name):
        """As if somebody had cleaned up."""
        if self.path(name).is_dir():
            shutil.rmtree(self.path(name))
        else:
            os.truncate(self.path(name), 500)

    def check_lost(self, name, whole):
        fit = self.fit(name)
        kept = [*fit, "--checkpoint", "c.h5", "--checkpoint-every", 10]
        named = [n for n, change in enumerate(self.changes(*kept), 1) if change[-1] == "c.h5"]
        for output in ["m.h5", "c.h5"]:
            self.path(output).unlink(missing_ok=True)
        process = self.start_and_stop(named[0] + 1, *kept)
        self.lose(name)
        process.send_signal(signal.SIGCONT)
        result = self.finish(process)
        self.assertEqual(result.code, 3, f"{name}: {result}")  # not a signal such as SIGBUS
        self.assert_one_line(result.err, name)
        self.assertEqual(self.names(), sorted(["c.h5", name, whole]) if self.path(name).exists()
                         else sorted(["c.h5", whole]))  # fmt: skip
        self.make(name)
        self.tamis(*fit, "--resume", "c.h5")
        self.assert_same_model("m.h5", whole, STATISTICS)

    def test_cut_or_removed(self):
        for name in ["v.npy", "fortran.npy", "v.csv", "v.mtx", "v.h5", "images"]:
            with self.subTest(name):
                self.make(name)
                self.tamis(*self.fit(name))
                self.path("m.h5").rename(self.path("whole.h5"))
                self.check_lost(name, "whole.h5")
                for path in self.folder.iterdir():
                    shutil.rmtree(path) if path.is_dir() else path.unlink()

    def test_a_disk_that_cannot_be_read(self):
        for name in ["v.npy", "fortran.npy", "v.csv", "v.mtx", "v.h5", "images"]:
            self.make(name)
            before = self.listing()
            for number in [1, 2, 8]:
                with self.subTest(name=name, read=number):
                    fault = f"fail:read:{number}:{errno.EIO}"
                    result = self.run_faulty(fault, *self.fit(name), "--codes", "H.npy")
                    if result.code == 0 and name == "v.csv":
                        self.path("m.h5").unlink()  # all of it was read at once
                        self.path("H.npy").unlink()
                        continue
                    self.assertEqual(result.code, 3, result)
                    self.assert_one_line(result.err, name)
                    self.assertEqual(self.listing(), before)

    def test_a_model_that_cannot_be_read(self):
        self.make("v.npy")
        self.tamis(*self.fit("v.npy"))
        before = self.listing()
        for number in [1, 2, 3]:
            fault = f"fail:read:{number}:{errno.EIO}"
            result = self.run_faulty(fault, "encode", "m.h5", "v.npy", "--codes", "H.npy")
            self.assertEqual(result.code, 3, result)
            self.assert_one_line(result.err, "m.h5")
            self.assertEqual(self.listing(), before)


if __name__ == "__main__":
    unittest.main()
