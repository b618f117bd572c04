"""tamis fit: what it reads and what the files mean that it writes."""

import unittest

import numpy as np
from _tamis import ALGORITHMS, Case, Planted


class Formats(Case):
    """One and the same data, however they are stored."""

    def fit(self, name, *flags):
        self.tamis("fit", name, "--rank", 4, "--out", "m.h5", "--force", "--quiet", *flags)
        return self.model()

    def test_model_has_what_it_promises(self):
        data = Planted()
        self.save("v.npy", data.V, "f4")
        model = self.fit("v.npy")
        self.assertEqual(model["format"], b"tamis model")
        self.assertEqual(model["W"].shape, (4, 24))
        self.assertEqual(model["W"].dtype, np.float32)
        self.assertTrue((model["W"] >= 0).all())
        self.assertTrue((np.linalg.norm(model["W"], axis=1) <= 1 + 1e-5).all())
        self.assertEqual(model["A"].shape, (4, 4))
        self.assertEqual(model["B"].shape, (4, 24))
        self.assertEqual(model["shape"].tolist(), [24])
        self.assertEqual(model["unit"], 1)
        self.assertEqual(model["samples"], 240)
        self.assertEqual(model["batches"], 4)  # 64 at a time
        self.assertEqual(model["epoch"], 1)
        self.assertEqual(model["settings"]["rank"], 4)
        self.assertEqual(model["settings"]["batch_size"], 64)
        self.assertEqual(self.names(), ["m.h5", "v.npy"])

    def test_fortran_order_is_the_same_data(self):
        for shape in [(24,), (4, 6), (2, 4, 3)]:
            V = Planted().V.astype("f4").reshape(240, *shape)
            self.save("c.npy", V)
            np.save(self.path("f.npy"), np.asfortranarray(V))
            c, f = self.fit("c.npy"), self.fit("f.npy")
            self.assertEqual(c["shape"].tolist(), list(shape))
            self.assertEqual(f["shape"].tolist(), list(shape))
            self.assertEqual(c["W"].tobytes(), f["W"].tobytes(), shape)

    def test_trailing_dimensions_are_flattened(self):
        V = Planted().V.astype("f4")
        self.save("flat.npy", V)
        self.save("images.npy", V.reshape(240, 4, 6))
        self.assertEqual(self.fit("flat.npy")["W"].tobytes(), self.fit("images.npy")["W"].tobytes())

    def test_double_is_the_same_data_as_float(self):
        V = Planted().V.astype("f4")
        self.save("f4.npy", V)
        self.save("f8.npy", V.astype("f8"))
        self.assertEqual(self.fit("f4.npy")["W"].tobytes(), self.fit("f8.npy")["W"].tobytes())

    def test_integers_are_divided_by_their_largest_value(self):
        V = Planted().V
        for type, top in [("u1", 255), ("u2", 65535)]:
            integers = self.save("i.npy", np.round(np.clip(V, 0, 1) * top), type)
            self.save("f.npy", integers / np.float32(top), "f4")
            whole, scaled = self.fit("i.npy"), self.fit("f.npy")
            self.assertEqual(whole["unit"], top)
            self.assertEqual(scaled["unit"], 1)
            np.testing.assert_allclose(whole["W"], scaled["W"], rtol=0, atol=1e-5)

    def test_booleans_are_zero_and_one(self):
        self.save("b.npy", Planted().V > 0.2)
        self.assertEqual(self.fit("b.npy")["unit"], 1)

    def test_names_may_have_blanks_and_accents(self):
        self.save("vidéo du 3 août.npy", Planted().V, "f4")
        self.tamis("fit", "vidéo du 3 août.npy", "--out", "modèle 1.h5", "--codes", "c h.npy")
        self.assertEqual(self.names(), ["c h.npy", "modèle 1.h5", "vidéo du 3 août.npy"])


class Meaning(Case):
    """V = HW + R, in the units of the input."""

    def check_sum(self, V, scale, *flags, error=0.05, any_sign=False, outliers=True):
        self.tamis(
            "fit", "v.npy", "--rank", 4, "--out", "m.h5", "--force", "--quiet", "--codes", "H.npy",
            "--outliers", "R.npy", *flags
        )  # fmt: skip
        H, R, W = self.load("H.npy"), self.load("R.npy"), self.model()["W"]
        self.assertEqual(H.shape, (len(V), 4))
        self.assertEqual(R.shape, V.shape)
        self.assertEqual((H < 0).any(), any_sign)
        V, R = V.reshape(len(V), -1).astype("f8"), R.reshape(len(V), -1)
        relative = np.linalg.norm(V - H @ W - R) / np.linalg.norm(V)
        self.assertLess(relative, error, flags)
        if outliers:
            self.assertGreater(np.abs(R).max(), 0.1 * scale)  # in those units
        else:
            self.assertTrue((R == 0).all())
        return H, R, W

    def test_of_a_fit(self):
        V = self.save("v.npy", Planted().V, "f4")
        H, R, _ = self.check_sum(V, 1, "--epochs", 20)
        self.assertEqual((H.dtype, R.dtype), (np.float32, np.float32))

    def test_of_a_fit_with_whole_numbers(self):
        for type, top in [("u1", 255), ("u2", 65535)]:
            V = self.save("v.npy", np.round(Planted().V.clip(0, 1) * top), type)
            H, R, _ = self.check_sum(V, top, "--epochs", 20)
            self.assertEqual((H.dtype, R.dtype), (np.float32, np.float32))

    def test_of_images(self):
        V = self.save("v.npy", np.round(Planted().V.clip(0, 1) * 255).reshape(240, 4, 6), "u1")
        self.check_sum(V, 255, "--epochs", 20)
        self.assertEqual(self.load("R.npy").shape, (240, 4, 6))

    def test_of_every_algorithm(self):
        V = self.save("v.npy", Planted().V, "f4")
        for algorithm in ALGORITHMS:
            self.check_sum(V, 1, "--epochs", 20, "--algorithm", algorithm, error=0.35,
                           any_sign=algorithm == "orpca", outliers=algorithm != "onmf")  # fmt: skip

    def test_finds_the_planted_parts(self):
        data = Planted(samples=2000)
        self.save("v.npy", data.V, "f4")
        self.tamis("fit", "v.npy", "--rank", 4, "--out", "m.h5", "--epochs", 5, "--init", "samples")
        W = self.model()["W"]
        cosines = (W / np.linalg.norm(W, axis=1)[:, None]) @ (
            data.W / np.linalg.norm(data.W, axis=1)[:, None]
        ).T
        self.assertGreater(cosines.max(axis=0).min(), 0.9, np.round(cosines, 2))

    def test_encode_leaves_no_more_than_lambda(self):
        # r = shrink(v − Wh, λ), so that what is left is within λ, entry by entry.
        for type, top in [("f4", 1), ("u1", 255), ("u2", 65535)]:
            V = Planted().V.clip(0, 1) * top
            V = self.save("v.npy", V if top == 1 else np.round(V), type)
            self.tamis("fit", "v.npy", "--rank", 4, "--out", "m.h5", "--force", "--quiet")
            result = self.tamis(
                "encode", "m.h5", "v.npy", "--codes", "H.npy", "--outliers", "R.npy", "--force"
            )
            self.assertEqual(result.out, "")
            model = self.model()
            left = V - self.load("H.npy").astype("f8") @ model["W"] - self.load("R.npy")
            self.assertLessEqual(np.abs(left).max(), top * (model["lambda"] + 1e-4), type)

    def test_encode_accepts_other_integers_than_the_fit_saw(self):
        V = Planted().V.clip(0, 1)
        self.save("bytes.npy", np.round(V * 255), "u1")
        floats = self.save("floats.npy", V, "f4")
        self.tamis("fit", "bytes.npy", "--rank", 4, "--out", "m.h5")
        self.tamis("encode", "m.h5", "floats.npy", "--codes", "H.npy", "--outliers", "R.npy")
        left = floats - self.load("H.npy").astype("f8") @ self.model()["W"] - self.load("R.npy")
        self.assertLessEqual(np.abs(left).max(), self.model()["lambda"] + 1e-4)


class Rows(Case):
    """Row i of what is written belongs to sample i of the input."""

    def setUp(self):
        super().setUp()
        V, self.where = Planted(samples=300).spiked(20)
        self.V = self.save("v.npy", V, "f4")

    def fit(self, *flags):
        self.tamis(
            "fit", "v.npy", "--rank", 4, "--out", "m.h5", "--force", "--codes", "H.npy",
            "--outliers", "R.npy", "--quiet", *flags
        )  # fmt: skip
        return self.load("H.npy"), self.load("R.npy")

    def check(self, *flags, rows=300, cycle=300):
        """The spike that sample i has is the largest outlier in row i."""
        H, R = self.fit("--lambda", 0.1, "--normalize", "none", "--max-outlier", "inf", *flags)
        self.assertEqual((len(H), len(R)), (rows, rows))
        largest = np.argmax(np.abs(R), axis=1)
        np.testing.assert_array_equal(largest, np.resize(self.where[:cycle], rows), str(flags))
        return H, R

    def check_codes(self, *flags):
        """HW is nearer to its own sample than to any other."""
        data = Planted(samples=300, share=0)
        self.save("v.npy", data.V, "f4")
        H, _ = self.fit("--epochs", 20, *flags)
        product = H @ self.model()["W"]
        distance = np.linalg.norm(product[:, None] - data.V[None], axis=2)
        own = np.argmin(distance, axis=1) == np.arange(300)
        self.assertGreater(own.mean(), 0.9, flags)

    def test_in_order(self):
        self.check()
        self.check_codes()

    def test_shuffled(self):
        in_order = self.check()[0]
        shuffled = self.check("--shuffle")[0]
        self.assertFalse(np.array_equal(in_order, shuffled))
        self.check_codes("--shuffle")

    def test_repeated(self):
        self.check("--repeat", 3, rows=900)
        self.check("--repeat", 3, "--shuffle", rows=900)

    def test_of_several_passes_the_last_is_written(self):
        _, once = self.check("--epochs", 1)
        _, twice = self.check("--epochs", 2)
        self.assertFalse(np.array_equal(once, twice))
        self.check("--epochs", 2, "--shuffle", "--repeat", 2, rows=600)

    def test_limited(self):
        _, limited = self.check("--limit", 100, rows=100)
        self.check("--limit", 1000)
        self.check("--limit", 50, "--shuffle", "--repeat", 2, rows=100, cycle=50)
        self.save("v.npy", self.V[:100])
        _, short = self.check(rows=100)
        self.assertEqual(limited.tobytes(), short.tobytes())

    def test_batch_algorithms(self):
        for algorithm in ["bpgd", "badmm"]:
            self.check("--algorithm", algorithm)
            self.check("--algorithm", algorithm, "--shuffle", "--repeat", 2, rows=600)

    def test_one_sample_at_a_time_and_all_at_once(self):
        self.check("--batch-size", 1)
        self.check("--batch-size", 100000)


if __name__ == "__main__":
    unittest.main()
