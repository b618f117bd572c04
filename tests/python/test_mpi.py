"""Processes started by mpirun learn what one process learns, by way of mpi4py."""

import importlib.util
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np
from _data import HAS_SKLEARN, Case, noisy, skip_all
from _thread_ranks import PATIENCE, parts

from tamis import RobustNMF

MPIRUN = shutil.which("mpirun")
if MPIRUN is None:
    skip_all("there is no mpirun")
if importlib.util.find_spec("mpi4py") is None:
    skip_all("mpi4py is not installed")


class Processes(Case):
    def setUp(self):
        super().setUp()
        self.X = noisy(570).V

    def mpirun(self, work, shares):
        version = subprocess.run([MPIRUN, "--version"], capture_output=True, text=True).stdout
        flags = ["--allow-run-as-root", "--oversubscribe"] if "Open MPI" in version else []
        for rank, share in enumerate(shares):
            self.save(f"x{rank}.npy", share)
        script = Path(__file__).with_name("_mpi_rank.py")
        # Open MPI cannot start while another job of the same user removes their common folder.
        environment = os.environ | {"OMPI_MCA_orte_tmpdir_base": str(self.folder)}
        return subprocess.run(
            [MPIRUN, *flags, "-n", str(len(shares)), sys.executable, "-B", "-m", "mpi4py", script,
             work, self.folder],
            capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL,
            env=environment,
        )  # fmt: skip

    def learned(self, work, shares):
        """What all ranks have in the end."""
        result = self.mpirun(work, shares)
        self.assertEqual(result.returncode, 0, result.stderr)
        first, *others = (self.load(f"w{rank}.npy") for rank in range(len(shares)))
        for W in others:
            np.testing.assert_array_equal(W, first)
        return first

    def test_fit(self):
        W = self.learned("fit", parts(self.X, 3, 16))
        alone = RobustNMF(4, batch_size=48, max_iter=2).fit(self.X)
        self.assertLessEqual(np.abs(W - alone.components_).max(), 1e-10)

    def test_uneven_shares(self):
        shares = [self.X[:70], self.X[:0], self.X[70:]]
        W = self.learned("fit", shares)
        alone = RobustNMF(4)
        for _ in range(2):
            for first in range(0, 500, 16):
                alone.partial_fit(np.concatenate([share[first : first + 16] for share in shares]))
        self.assertLessEqual(np.abs(W - alone.components_).max(), 1e-10)

    def test_partial_fit(self):
        shares = [self.X[:48], self.X[48:68], self.X[:0]]
        W = self.learned("partial_fit", shares)
        alone = RobustNMF(4)
        for first in range(0, 48, 16):
            alone.partial_fit(np.concatenate([share[first : first + 16] for share in shares]))
        self.assertLessEqual(np.abs(W - alone.components_).max(), 1e-10)

    def test_sums_one_mini_batch_late(self):
        W = [self.learned("late", parts(self.X, size, 48 // size)) for size in (2, 3)]
        self.assertLessEqual(np.abs(W[0] - W[1]).max(), 1e-10)

    @unittest.skipUnless(HAS_SKLEARN, "scikit-learn is not installed")
    def test_a_clone(self):
        shares = parts(self.X, 2, 16)
        np.testing.assert_array_equal(self.learned("clone", shares), self.learned("fit", shares))

    def test_one_rank_that_fails_ends_all(self):
        for work in ("fail", "late_fail"):
            result = self.mpirun(work, parts(self.X, 3, 16))
            self.assertNotEqual(result.returncode, 0)
            self.assertIn("ValueError: feature 5 of sample ", result.stderr)
            self.assertEqual([name for name in self.names() if name.startswith("w")], [])


if __name__ == "__main__":
    unittest.main()
