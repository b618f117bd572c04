"""The baselines orpca and onmf from the command line: what they compute, what they refuse."""

import unittest

import numpy as np
from _tamis import Case, Planted


class Baselines(Case):
    def setUp(self):
        super().setUp()
        self.data = Planted()
        self.V = self.save("v.npy", self.data.V, "f4").astype("f8")

    def fit(self, algorithm, *flags):
        self.tamis(
            "fit", "v.npy", "--rank", 4, "--algorithm", algorithm, "--out", "m.h5", "--force",
            "--quiet", *flags
        )  # fmt: skip
        return self.model()

    def encode(self, *flags):
        self.tamis(
            "encode", "m.h5", "v.npy", "--codes", "H.npy", "--outliers", "R.npy", "--force",
            "--quiet", *flags
        )  # fmt: skip
        return self.load("H.npy").astype("f8"), self.load("R.npy").astype("f8")

    def test_encode_with_a_model_of_orpca(self):
        model = self.fit("orpca", "--normalize", "none", "--precision", "double")
        W, weight = model["W"], 24**-0.5
        H, R = self.encode("--tolerance", 1e-9, "--iterations", 10000)
        self.assertTrue((H < 0).any())
        rest = self.V - H @ W - R
        np.testing.assert_allclose(rest @ W.T, weight * H, atol=1e-6)  # the ridge's condition
        shrunk = np.sign(self.V - H @ W) * np.maximum(np.abs(self.V - H @ W) - weight, 0)
        np.testing.assert_allclose(R, shrunk, atol=1e-6)

    def test_encode_with_a_model_of_onmf(self):
        model = self.fit("onmf", "--normalize", "none", "--precision", "double")
        W = model["W"]
        np.testing.assert_allclose(W.sum(axis=1), 1, atol=1e-9)
        self.assertTrue((W >= 0).all())
        H, R = self.encode("--tolerance", 1e-9, "--iterations", 10000)
        self.assertTrue((R == 0).all())
        self.assertTrue((H >= 0).all())
        gradient = (H @ W - self.V) @ W.T
        self.assertGreater(gradient.min(), -1e-6)
        np.testing.assert_allclose(gradient * H, 0, atol=1e-5)

    def test_parameters(self):
        model = self.fit("orpca:lambda1=2,unit_columns=true")
        np.testing.assert_allclose(np.linalg.norm(model["W"], axis=1), 1, atol=1e-5)
        self.assertIn("orpca:lambda1=2,", model["settings"]["algorithm"])
        model = self.fit("onmf:buffer=50,steps=5")
        self.assertIn("onmf:buffer=50,steps=5,", model["settings"]["algorithm"])
        self.assertEqual(model["settings"]["constraint"], "simplex")

    def test_the_buffer_is_in_the_checkpoint(self):
        self.fit("onmf:buffer=50", "--checkpoint", "c.h5", "--checkpoint-every", 1)
        state = self.model("c.h5")
        self.assertEqual(state["buffer_V"].shape, (50, 24))
        self.assertEqual(state["buffer_filled"], 50)
        newest = self.V[-50:] / self.V[-50:].max(axis=1)[:, None]
        order = (np.arange(50) + int(state["buffer_next"])) % 50  # the oldest first
        np.testing.assert_allclose(state["buffer_V"][order], newest, atol=1e-6)

    def test_refusals(self):
        for algorithm, flags, word in [
            ("orpca", ["--constraint", "ball"], "constraint"),
            ("orpca", ["--code-penalty", "lasso:0.1"], "code"),
            ("orpca", ["--dictionary-penalty", "0,0.1"], "dictionary"),
            ("onmf", ["--constraint", "nonneg"], "constraint"),
            ("onmf", ["--lambda", "0.1"], "lambda"),
            ("onmf", ["--lambda", "auto"], "lambda"),
            ("onmf", ["--code-penalty", "tikhonov:0.1"], "code"),
            ("onmf", ["--missing", "nan"], "missing"),
        ]:
            with self.subTest(f"{algorithm} {flags}"):
                fit = ["fit", "v.npy", "--rank", 4, "--out", "m.h5", "--algorithm", algorithm]
                self.refused(2, *fit, *flags, says=[algorithm, word])
                self.assertFalse(self.path("m.h5").exists())


if __name__ == "__main__":
    unittest.main()
