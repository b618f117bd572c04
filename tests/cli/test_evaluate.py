"""tamis evaluate: every number against NumPy."""

import itertools
import json
import math
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np


class Evaluate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.random = np.random.default_rng(7)

    def tamis(self, *arguments, **options):
        return subprocess.run([os.environ["TAMIS_BINARY"], *map(str, arguments)],
                              cwd=self.folder, capture_output=True, **options)

    def save(self, name, array):
        np.save(self.folder / name, array)
        return np.asarray(array, dtype=np.float64)

    def evaluate(self, *arguments, **options):
        result = self.tamis("evaluate", *arguments, "--json", **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def refused(self, code, *arguments, words=()):
        result = self.tamis("evaluate", *arguments)
        message = result.stderr.decode()
        self.assertEqual(result.returncode, code, message)
        self.assertEqual(len(message.splitlines()), 1, message)
        for word in words:
            self.assertIn(word, message)

    def text(self, *arguments):
        result = self.tamis("evaluate", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.decode()


class Errors(Evaluate):
    def test_psnr_and_relative_error(self):
        # More than one block
        clean = self.save("clean.npy", self.random.random((3000, 40)).astype(np.float32))
        noise = 0.1 * self.random.standard_normal((3000, 40))
        estimate = self.save("estimate.npy", clean + noise)
        psnr = -10 * math.log10(np.mean((clean - estimate) ** 2))
        told = self.evaluate("psnr", "clean.npy", "estimate.npy")
        self.assertAlmostEqual(told["psnr"], psnr, places=9)
        self.assertEqual((told["samples"], told["features"]), (3000, 40))
        self.assertIn(f"PSNR {psnr:.4f} dB", self.text("psnr", "clean.npy", "estimate.npy"))
        error = np.linalg.norm(clean - estimate) / np.linalg.norm(clean)
        told = self.evaluate("error", "clean.npy", "estimate.npy")
        self.assertAlmostEqual(told["relative_error"], error, places=9)
        self.assertIn(f"relative error {error:.6f}", self.text("error", "clean.npy", "estimate.npy"))
        first = -10 * math.log10(np.mean((clean - estimate)[:500] ** 2))
        told = self.evaluate("psnr", "clean.npy", "estimate.npy", "--limit", 500)
        self.assertAlmostEqual(told["psnr"], first, places=9)

    def test_integers_are_relative_to_their_largest_value(self):
        a = self.save("a.npy", self.random.integers(0, 256, (20, 3, 5), dtype=np.uint8))
        b = self.save("b.npy", self.random.integers(0, 256, (20, 3, 5), dtype=np.uint8))
        self.save("c.npy", b.reshape(20, 15) / 255)
        self.save("d.npy", b.reshape(20, 15))
        psnr = -10 * math.log10(np.mean((a - b) ** 2) / 255 ** 2)
        self.assertAlmostEqual(self.evaluate("psnr", "a.npy", "b.npy")["psnr"], psnr, places=9)
        self.assertAlmostEqual(self.evaluate("psnr", "a.npy", "c.npy")["psnr"], psnr, places=9)
        told = self.evaluate("psnr", "a.npy", "d.npy", "--peak", 255)
        self.assertAlmostEqual(told["psnr"], psnr, places=9)
        note = self.tamis("evaluate", "psnr", "d.npy", "a.npy").stderr.decode()
        self.assertIn("--peak", note)

    def test_equal_data_have_no_error(self):
        self.save("a.npy", self.random.random((4, 3)))
        self.assertEqual(self.evaluate("psnr", "a.npy", "a.npy")["psnr"], "inf")
        self.assertEqual(self.evaluate("error", "a.npy", "a.npy")["relative_error"], 0)
        self.save("zero.npy", np.zeros((4, 3)))
        self.assertEqual(self.evaluate("error", "zero.npy", "zero.npy")["relative_error"], 0)

    def test_reads_a_pipe_and_a_generator(self):
        make = ("generate", "synthetic", "--samples", 300, "--features", 20, "--quiet", "--out")
        self.assertEqual(self.tamis(*make, "V.npy", "--clean", "clean.npy").returncode, 0)
        V, clean = (np.load(self.folder / n).astype(float) for n in ("V.npy", "clean.npy"))
        psnr = -10 * math.log10(np.mean((V - clean) ** 2))
        with open(self.folder / "clean.npy", "rb") as pipe:
            told = self.evaluate("psnr", "-", "V.npy", stdin=pipe)
        self.assertAlmostEqual(told["psnr"], psnr, places=9)
        told = self.evaluate("psnr", "clean.npy", "synthetic:samples=300,features=20")
        self.assertAlmostEqual(told["psnr"], psnr, places=6)

    def test_refuses_what_does_not_fit(self):
        self.save("a.npy", np.ones((4, 3)))
        self.save("wide.npy", np.ones((4, 5)))
        self.save("long.npy", np.ones((6, 3)))
        self.save("nan.npy", np.array([[1, 2, 3], [1, np.nan, 3], [1, 1, 1], [1, 1, 1]]))
        self.save("empty.npy", np.ones((0, 3)))
        for kind in ("psnr", "error", "outliers"):
            self.refused(3, kind, "a.npy", "wide.npy", words=("a.npy", "wide.npy", "3", "5"))
            self.refused(3, kind, "a.npy", "long.npy", words=("a.npy", "long.npy", "4", "6"))
            self.refused(3, kind, "a.npy", "nan.npy", words=("nan.npy", "sample 1", "finite"))
            self.refused(3, kind, "a.npy", "none.npy", words=("none.npy",))
            self.refused(3, kind, "empty.npy", "empty.npy", words=("no samples",))
            self.refused(2, kind, "a.npy", words=("required",))
            self.refused(2, kind, "-", "-", words=("standard input",))
        self.refused(2, words=("--help",))

    def test_pictures_of_another_shape_are_refused(self):
        self.save("lying.npy", np.ones((2, 12, 20)))
        self.save("standing.npy", np.ones((2, 20, 12)))
        self.save("flat.npy", np.ones((2, 240)))
        for kind in ("psnr", "error", "outliers", "ssim"):
            self.refused(3, kind, "lying.npy", "standing.npy", words=("12x20", "20x12"))
        self.assertEqual(self.evaluate("psnr", "lying.npy", "flat.npy")["psnr"], "inf")


class Outliers(Evaluate):
    def test_precision_recall_and_f(self):
        truth = self.random.standard_normal((2500, 30)) * (self.random.random((2500, 30)) < 0.1)
        truth = self.save("truth.npy", truth)
        found = self.save("found.npy", truth + 0.2 * self.random.standard_normal((2500, 30)))
        for threshold in (0, 0.3, 0.5):
            reported, real = abs(found) > threshold, truth != 0
            hits = (reported & real).sum()
            precision, recall = hits / reported.sum(), hits / real.sum()
            told = self.evaluate("outliers", "truth.npy", "found.npy", "--threshold", threshold)
            self.assertAlmostEqual(told["precision"], precision, places=12)
            self.assertAlmostEqual(told["recall"], recall, places=12)
            self.assertAlmostEqual(told["f"], 2 / (1 / precision + 1 / recall), places=12)
            self.assertEqual(told["hits"], hits)
            self.assertEqual(told["false_alarms"], reported.sum() - hits)
            self.assertEqual(told["misses"], real.sum() - hits)
        text = self.text("outliers", "truth.npy", "found.npy", "--threshold", 0.5)
        self.assertIn(f"precision {precision:.4f}  recall {recall:.4f}", text)
        self.refused(2, "outliers", "truth.npy", "found.npy", "--threshold", -1)


class Atoms(Evaluate):
    @staticmethod
    def best(truth, learned):
        """Pairs of the largest sum of cosines, by trying all."""
        def unit(W):
            return W / np.linalg.norm(W, axis=1, keepdims=True)
        cosine = unit(truth) @ unit(learned).T
        K = len(truth)
        partners = max(itertools.permutations(range(len(learned)), K),
                       key=lambda p: sum(cosine[k, p[k]] for k in range(K)))
        return partners, [cosine[k, partners[k]] for k in range(K)]

    def test_the_best_matching(self):
        truth = self.save("truth.npy", self.random.random((4, 30)))
        learned = np.vstack([3 * truth[[2, 0, 3, 1]], self.random.random((2, 30))])
        learned = self.save("learned.npy", learned + 0.3 * self.random.random((6, 30)))
        partners, cosines = self.best(truth, learned)
        told = self.evaluate("atoms", "truth.npy", "learned.npy", "--alike", 0.98)
        self.assertEqual([pair["learned"] for pair in told["pairs"]], list(partners))
        np.testing.assert_allclose([pair["cosine"] for pair in told["pairs"]], cosines, atol=1e-12)
        correlations = [np.corrcoef(truth[k], learned[p])[0, 1] for k, p in enumerate(partners)]
        np.testing.assert_allclose([pair["correlation"] for pair in told["pairs"]], correlations,
                                   atol=1e-12)
        self.assertAlmostEqual(told["mean_cosine"], np.mean(cosines), places=12)
        self.assertAlmostEqual(told["mean_correlation"], np.mean(correlations), places=12)
        self.assertEqual(told["found"], sum(c >= 0.98 for c in cosines))
        self.assertEqual(told["atoms"], 4)
        lines = self.text("atoms", "truth.npy", "learned.npy").splitlines()
        self.assertIn(f"mean cosine {np.mean(cosines):.4f}", lines[0])
        self.assertEqual(len(lines), 2 + 4)
        told = self.evaluate("atoms", "learned.npy", "truth.npy")
        self.assertEqual(sum(pair["learned"] is None for pair in told["pairs"]), 2)

    def test_of_a_model(self):
        swimmers = "swimmer:copies=10"
        made = self.tamis("generate", "swimmer", "--copies", 10, "--out", "V.npy", "--truth", "t",
                          "--dictionary", "limbs.h5")
        self.assertEqual(made.returncode, 0, made.stderr)
        fitted = self.tamis("fit", swimmers, "--rank", 20, "--out", "model.h5", "--quiet")
        self.assertEqual(fitted.returncode, 0, fitted.stderr)
        clean = np.load(self.folder / "t/clean.npy")
        torso = np.flatnonzero(clean.reshape(len(clean), -1).min(axis=0))  # in every figure
        self.assertEqual(len(torso), 12)
        told = self.evaluate("atoms", "limbs.h5", "model.h5", "--ignore",
                             ",".join(map(str, torso)))
        self.assertGreaterEqual(told["found"], 13)
        same = self.evaluate("atoms", "model.h5", "model.h5")
        self.assertEqual(same["found"], 20)
        self.assertAlmostEqual(same["mean_cosine"], 1, places=6)

    def test_refuses_what_does_not_fit(self):
        self.save("a.npy", np.ones((2, 3)))
        self.save("b.npy", np.ones((2, 4)))
        self.save("data.npy", np.ones((5000, 3)))
        self.refused(3, "atoms", "a.npy", "b.npy", words=("a.npy", "b.npy", "3", "4"))
        self.refused(3, "atoms", "a.npy", "none.h5", words=("none.h5",))
        self.refused(3, "atoms", "a.npy", "data.npy", words=("data.npy", "one row per atom"))
        self.refused(3, "atoms", "a.npy", "a.npy", "--ignore", "7", words=("7",))
        self.refused(3, "atoms", "a.npy", "a.npy", "--ignore", "0,1,2", words=("no feature",))
        self.refused(2, "atoms", "a.npy", "a.npy", "--ignore", "x", words=("--ignore",))

    def test_help_has_an_example(self):
        for kind in ("psnr", "error", "atoms", "outliers"):
            text = self.text(kind, "--help")
            self.assertIn(f"tamis evaluate {kind}", text.split("Example:")[1])


if __name__ == "__main__":
    unittest.main()
