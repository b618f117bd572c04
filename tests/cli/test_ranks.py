"""The same command under mpirun: P ranks with mini-batches of n learn what one process learns with
mini-batches of P·n."""

import json
import unittest

import numpy as np

from _ranks import RanksCase
from _tamis import Planted


class Equivalence(RanksCase):
    def setUp(self):
        super().setUp()
        self.V = self.save("v.npy", Planted(samples=203).V, "f8")

    def fit(self, ranks, *more, batch=6, out="m.h5", input="v.npy"):
        """As so many ranks, or alone with one mini-batch for all of theirs"""
        self.ranks(0 if ranks < 0 else ranks)
        result = self.tamis(
            "fit", input, "--rank", 4, "--precision", "double", "--out", out, "--force",
            "--batch-size", batch * max(-ranks, 1), *more,
        )
        self.ranks(0)
        return result

    def check(self, ranks, *more, input="v.npy"):
        codes = lambda name: ["--codes", f"H{name}.npy", "--outliers", f"R{name}.npy"]
        self.fit(ranks, *codes(1), *more, out="1.h5", input=input)
        self.fit(-ranks, *codes(2), *more, out="2.h5", input=input)
        self.assert_close("1.h5", "2.h5")
        for name in "HR":
            self.assert_near(self.load(f"{name}1.npy"), self.load(f"{name}2.npy"))

    def test_any_number_of_ranks(self):
        for ranks in [1, 2, 3, 4]:
            self.check(ranks)

    def test_shuffled_and_repeated_passes(self):
        self.check(3, "--shuffle", "--epochs", 2, "--repeat", 2)

    def test_every_algorithm_that_can_be_shared(self):
        for algorithm in ["opgd", "oadmm", "orpca"]:
            self.check(2, "--algorithm", algorithm)

    def test_other_formats(self):
        np.savetxt(self.path("v.csv"), self.V, delimiter=",", fmt="%.17g")
        self.check(3, input="v.csv")
        self.check(2, "--shuffle", "--shuffle-window", 20, input="v.csv")
        self.check(2, "--limit", 50, "--repeat", 3, input="v.npy")

    def test_text_is_written_in_order(self):
        self.fit(3, "--codes", "1.csv", out="1.h5")
        self.fit(-3, "--codes", "2.csv", out="2.h5")
        self.assert_near(*[np.loadtxt(self.path(f"{i}.csv"), delimiter=",") for i in "12"])

    def test_pictures_as_bytes(self):
        images = (np.clip(self.V, 0, 1) * 255).astype("u1").reshape(-1, 4, 6)
        self.save("i.npy", images)
        self.check(2, input="i.npy")

    def test_fewer_exchanges(self):
        self.fit(2, "--sync-every", 3, out="1.h5")
        self.fit(-2, batch=18, out="2.h5")
        self.assert_close("1.h5", "2.h5")
        self.fit(2, "--wire", "float", out="3.h5")
        self.fit(-2, out="4.h5")
        self.assert_close("3.h5", "4.h5", 1e-5)

    def test_sums_one_mini_batch_late(self):
        for more in ([], ["--shuffle", "--epochs", 2], ["--wire", "float"], ["--algorithm", "oadmm"]):
            for ranks in [2, 3]:
                self.fit(ranks, "--async", "--codes", f"H{ranks}.npy", *more,
                         batch=12 // ranks, out=f"{ranks}.h5")
            tolerance = 1e-4 if "--wire" in more else 1e-10
            self.assert_close("2.h5", "3.h5", tolerance)
            self.assert_near(self.load("H2.npy"), self.load("H3.npy"), tolerance)
        self.fit(2, out="1.h5")
        difference = self.model("1.h5")["W"] - self.model("2.h5")["W"]
        self.assertGreater(np.linalg.norm(difference), 1e-3)
        self.fit(2, "--async", "--sync-every", 3, batch=2, out="1.h5")
        self.fit(3, "--async", batch=4, out="2.h5")
        self.assert_close("1.h5", "2.h5")
        self.fit(-1, "--async", out="1.h5")
        self.fit(-1, out="2.h5")
        self.assert_same_model("1.h5", "2.h5")

    def test_several_files(self):
        for number, part in enumerate(np.split(self.V, [70, 71, 150]), start=8):
            self.save(f"part{number}.npy", part)
            np.savetxt(self.path(f"part{number}.csv"), part, delimiter=",", fmt="%.17g")
        for more in ([], ["--shuffle", "--epochs", 2]):
            self.fit(-1, *more, out="1.h5")
            self.fit(-1, *more, out="2.h5", input="part*.npy")
            self.assert_same_model("1.h5", "2.h5")
            self.check(3, *more, input="part*.npy")
        self.fit(-1, out="1.h5")
        self.fit(-1, out="2.h5", input="part*.csv")
        self.assert_same_model("1.h5", "2.h5")
        self.check(2, input="part*.csv")

    def test_one_rank_speaks_for_all(self):
        result = self.fit(3)
        self.assertEqual(result.err.count("the model is in"), 1, result)
        result = json.loads(self.fit(3, "--json", "--quiet").out)
        self.assertEqual(result["ranks"], 3)
        self.assertEqual(result["samples"], 203)
        self.assertEqual(result["batches"], 12)
        self.assertEqual(json.loads(self.fit(-1, "--json", "--quiet").out)["ranks"], 1)


if __name__ == "__main__":
    unittest.main()
