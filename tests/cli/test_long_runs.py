"""Long streams: the memory stays the same, and counters go on beyond 32 bits and 53 bits."""

import os
import signal
import unittest

import h5py
import numpy as np
from _figures import keep_figure
from _memory import Measured

STREAM = "synthetic:features=4,rank=2,nu=0.1,nu-tilde=0.5,noise=0,samples="


class Memory(Measured):
    """Of several runs: what grows with the samples does so in each of them."""

    def fit(self, samples, *flags):
        return ["fit", f"{STREAM}{samples}", "--rank", 2, "--batch-size", 512, "--quiet", "--force",
                "--out", "m.h5", *flags]  # fmt: skip

    def test_ten_million_samples_need_no_more_than_a_hundred_thousand(self):
        few = max(self.peak(*self.fit(10**5)) for _ in range(2))
        many = min(self.peak(*self.fit(10**7)) for _ in range(2))
        self.assertEqual(self.model()["samples"], 10**7)
        self.assertEqual(self.model()["batches"], -(-(10**7) // 512))
        self.assertLess(many, 1.05 * few + 1, f"{few} MB for 10⁵ samples, {many} MB for 10⁷")
        print(f"peak {few:.1f} MB for 1e5 samples, {many:.1f} MB for 1e7", flush=True)
        keep_figure("memory", "memory of `fit` for 10⁵ and for 10⁷ samples",
                    f"{few:.1f} MB, {many:.1f} MB")  # fmt: skip

    def test_nor_with_outputs_and_checkpoints(self):
        kept = ["--codes", "H.npy", "--outliers", "R.mtx", "--checkpoint", "c.h5"]
        few = max(self.peak(*self.fit(10**4, *kept)) for _ in range(2))
        many = min(self.peak(*self.fit(5 * 10**5, *kept)) for _ in range(2))
        self.assertLess(many, 1.05 * few + 1, f"{few} MB for 10⁴ samples, {many} MB for 5·10⁵")

    def test_nor_does_encoding(self):
        self.tamis(*self.fit(1000))
        codes = ["--codes", "H.npy", "--quiet", "--force"]
        few = max(self.peak("encode", "m.h5", f"{STREAM}100000", *codes) for _ in range(2))
        many = min(self.peak("encode", "m.h5", f"{STREAM}1000000", *codes) for _ in range(2))
        self.assertLess(many, 1.05 * few + 1, f"{few} MB for 10⁵ samples, {many} MB for 10⁶")


class Counters(Measured):
    """A checkpoint is changed as if so many samples had been seen before it."""

    BATCH = 16

    def begin(self, samples):
        self.flags = ["fit", f"{STREAM}{samples}", "--rank", 2, "--batch-size", self.BATCH,
                      "--forget", "none", "--constraint", "simplex", "--quiet", "--out", "m.h5"]  # fmt: skip
        kept = ["--checkpoint", "c.h5", "--checkpoint-every", 1]
        process = self.start(*self.flags, *kept)
        self.wait_for("c.h5", process)
        process.send_signal(signal.SIGKILL)
        self.finish(process)

    def pretend(self, seen):
        with h5py.File(self.path("c.h5"), "r+") as file:
            for name in ["samples", "position"]:
                file[name][()] = seen
            file["batches"][()] = seen // self.BATCH
            file["weight"][()] = float(seen)

    def check(self, seen, more):
        self.begin(seen + more)
        self.pretend(seen)
        before = self.model("c.h5")
        told = self.tamis_json(*self.flags, "--resume", "c.h5")
        model = self.model()
        self.assertEqual(told["samples"], more)
        self.assertEqual(model["samples"], seen + more)
        self.assertEqual(model["batches"], seen // self.BATCH + -(-more // self.BATCH))
        self.assertEqual(model["epoch"], 1)
        self.assertEqual(model["position"], 0)
        self.assertAlmostEqual(model["weight"] / (seen + more), 1, places=14)
        for name in ["W", "A", "B"]:
            self.assertTrue(np.isfinite(model[name]).all(), name)
        # So many samples are not moved by a few more.
        np.testing.assert_allclose(model["A"], before["A"], rtol=1e-4)
        self.assertEqual(self.tamis_json("info", "m.h5")["samples"], seen + more)

    def test_beyond_32_bits(self):
        self.check(2**31 - 64, 200)
        for name in ["m.h5", "c.h5"]:
            os.remove(self.path(name))
        self.check(2**32 - 64, 200)

    def test_beyond_what_a_double_counts_exactly(self):
        self.check(2**53 - 64, 201)

    def test_far_beyond(self):
        self.check(2**58, 100)


class Rows(Measured):
    """Codes of sample 2³² + 3: files of which nearly all is a hole."""

    def test_beyond_four_billion(self):
        with open(self.path("probe"), "wb") as file:
            file.truncate(1 << 40)
        if os.stat(self.path("probe")).st_blocks > 100:
            self.skipTest("files cannot have holes here")
        os.remove(self.path("probe"))
        seen, more = 2**32, 40
        source = f"{STREAM}{seen + more}"
        flags = ["fit", source, "--rank", 2, "--batch-size", 16, "--forget", "none", "--out", "m.h5",
                 "--codes", "H.npy", "--quiet"]  # fmt: skip
        process = self.start(*flags, "--checkpoint", "c.h5", "--checkpoint-every", 1)
        self.wait_for("c.h5", process)
        process.send_signal(signal.SIGKILL)
        self.finish(process)
        with h5py.File(self.path("c.h5"), "r+") as file:
            for name in ["samples", "position"]:
                file[name][()] = seen
            file["batches"][()] = seen // 16
            file["weight"][()] = float(seen)
            del file["sink"]
            file["sink"] = np.bytes_(f'{{"codes":"{seen}"}}')
        os.truncate(self.path("H.npy.part"), 128 + seen * 2 * 4)
        self.tamis(*flags, "--resume", "c.h5")
        H = np.load(self.path("H.npy"), mmap_mode="r")
        self.assertEqual(H.shape, (seen + more, 2))
        self.assertTrue((H[seen:] > 0).any(axis=1).all(), "the last rows are empty")
        self.assertLess(os.stat(self.path("H.npy")).st_blocks * 512, 10 << 20)


if __name__ == "__main__":
    unittest.main()
