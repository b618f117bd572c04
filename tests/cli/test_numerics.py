"""What the precision cannot do is told: by the exit code, in words and in --json."""

import unittest

import numpy as np
from _tamis import Case, Planted


class Numerics(Case):
    def setUp(self):
        super().setUp()
        self.V = Planted().V.astype("f4")

    def fit(self, V, *more):
        np.save(self.path("v.npy"), V)
        return ["fit", "v.npy", "--rank", 4, "--out", "m.h5", *more]

    def test_data_whose_squares_overflow(self):
        huge = self.V * np.float32(1e30)
        self.refused(1, *self.fit(huge), says=["scale", "double"])
        report = self.tamis_json(*self.fit(huge, "--normalize", "max"))
        self.assertEqual(report["status"], "completed")
        self.tamis(*self.fit(huge, "--precision", "double", "--force"))

    def test_data_whose_squares_vanish(self):
        tiny = self.V * np.float32(1e-30)
        self.refused(3, *self.fit(tiny), says=["scale", "double"])
        self.tamis(*self.fit(tiny, "--normalize", "max"))
        self.tamis(*self.fit(tiny, "--precision", "double", "--force"))

    def test_a_sample_that_is_too_large_to_encode(self):
        self.tamis(*self.fit(self.V))
        self.V[9] *= 1e30
        np.save(self.path("new.npy"), self.V)
        encode = ["encode", "m.h5", "new.npy", "--codes", "H.npy"]
        self.refused(3, *encode, says=["new.npy", "sample 9", "scale"])

    def test_codes_that_are_not_accurate(self):
        self.tamis(*self.fit(self.V))
        encode = ["encode", "m.h5", "v.npy", "--codes", "H.npy"]
        self.assertEqual(self.tamis_json(*encode)["unconverged_blocks"], 0)
        few = [*encode, "--force", "--iterations", 2, "--tolerance", 1e-6]
        self.assertGreater(self.tamis_json(*few)["unconverged_blocks"], 0)
        self.assertIn("did not reach the tolerance", self.tamis(*few).err)

    def test_equations_that_had_to_be_regularized(self):
        equal = np.full((32, 9), 1e5, "f4")
        flags = ["--algorithm", "oadmm", "--normalize", "none", "--lambda", "inf"]
        flags += ["--batch-size", 8]
        report = self.tamis_json(*self.fit(equal, *flags))
        self.assertGreater(report["regularized_batches"], 0)
        self.assertIn("regularized", report["message"])
        self.assertIn("regularized", self.tamis(*self.fit(equal, *flags, "--force")).err)
        report = self.tamis_json(*self.fit(self.V, "--force"))
        self.assertEqual(report["regularized_batches"], 0)
        self.assertNotIn("regularized", report["message"])

    def test_a_batch_algorithm_that_did_not_converge(self):
        report = self.tamis_json(*self.fit(self.V, "--algorithm", "bpgd:iterations=3"))
        self.assertEqual(report["status"], "iteration_limit")
        self.assertIn("not converged", report["message"])


if __name__ == "__main__":
    unittest.main()
