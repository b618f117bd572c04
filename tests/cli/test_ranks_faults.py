"""Ranks that fail or are stopped: the whole job ends, with one message, and can be gone on with."""

import os
import random
import signal
import unittest

from _ranks import HOST, RanksCase, StoppedFit
from _tamis import Planted


class Refused(RanksCase):
    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted(samples=60).V, "f4")

    def refuse(self, code, *arguments, says, ranks=2):
        self.ranks(ranks)
        before = self.listing()
        self.assert_failed(self.run_tamis(*arguments), code, f"rank [0-9] on {HOST}: ", *says)
        self.assertEqual(self.listing(), before)

    def test_what_one_process_has_to_do(self):
        fit = ["fit", "v.npy", "--rank", 3, "--out", "m.h5"]
        for algorithm in ["bpgd", "badmm", "onmf", "fast:warm_start=true"]:
            self.refuse(2, *fit, "--algorithm", algorithm, says=["one process"])
        self.refuse(3, "fit", "-", *fit[2:], says=["pipe", "give a file"])

    def test_other_commands(self):
        self.tamis("fit", "v.npy", "--rank", 3, "--out", "m.h5")
        self.refuse(2, "encode", "m.h5", "v.npy", "--codes", "H.npy", says=["tamis fit"])
        self.refuse(2, "info", "m.h5", says=["tamis fit"])

    def test_mistakes_that_all_make(self):
        self.refuse(3, "fit", "w.npy", "--rank", 3, "--out", "m.h5", says=["w.npy"], ranks=3)
        self.refuse(2, "fit", "v.npy", "--rang", 3, "--out", "m.h5", says=["--rang"], ranks=3)
        self.tamis_alone_makes("m.h5")
        self.refuse(3, "fit", "v.npy", "--rank", 3, "--out", "m.h5", says=["m.h5"], ranks=3)

    def tamis_alone_makes(self, out):
        self.ranks(0)
        self.tamis("fit", "v.npy", "--rank", 3, "--out", out)

    def test_bad_data_of_one_rank(self):
        V = Planted(samples=60).V
        V[33, 2] = -1
        self.save("bad.npy", V)
        self.refuse(3, "fit", "bad.npy", "--rank", 3, "--out", "m.h5", "--batch-size", 5,
                    says=["rank 0 ", "bad.npy", "sample 33"])
        self.refuse(3, "fit", "bad.npy", "--rank", 3, "--out", "m.h5", "--batch-size", 10,
                    says=["rank 1 ", "bad.npy", "sample 33"])

    def test_a_damaged_picture(self):
        self.tamis("generate", "swimmer", "--out", "pictures")
        names = sorted(self.path("pictures").iterdir())
        names[100].write_bytes(b"no picture")
        self.refuse(3, "fit", "pictures", "--rank", 3, "--out", "m.h5", "--batch-size", 16,
                    says=[names[100].name], ranks=3)


class Stopped(StoppedFit):
    def test_by_a_signal_to_any_rank(self):
        for who, late in [(0, []), (1, []), (0, ["--async"]), (1, ["--async"])]:
            self.ranks(2)
            job = self.start(*self.flags("--force", *late))
            self.wait_for("c.h5", job)
            os.kill(sorted(self.processes(job))[who], signal.SIGINT)
            self.assert_failed(self.finish(job), 130, "--resume c.h5")
            self.go_on(3)

    def test_by_bad_data_wherever_it_is(self):
        """While sums are under way, too: one message, with the rank that has the sample."""
        choice = random.Random(2)
        good = Planted(samples=200).V
        for turn in range(8):
            P, sample = choice.choice([2, 3]), choice.randrange(200)
            V = good.copy()
            V[sample, choice.randrange(24)] = -1
            self.save("bad.npy", V)
            self.ranks(P)
            result = self.run_tamis("fit", "bad.npy", "--rank", 3, "--out", "m.h5", "--batch-size",
                                    5, *(["--async"] if turn % 2 else []))
            rank = sample // 5 % P
            self.assert_failed(result, 3, f"rank {rank} on {HOST}: bad.npy: .*sample {sample}\\b")
            self.assertFalse(self.path("m.h5").exists())


if __name__ == "__main__":
    unittest.main()
