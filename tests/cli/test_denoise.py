"""tamis denoise: gross errors replaced, the rest left alone."""

import unittest

import numpy as np
from _tamis import ALGORITHMS, Case, Planted, psnr


class Denoise(Case):
    def setUp(self):
        super().setUp()
        self.data = Planted(samples=1500, features=48, rank=5, share=0.08)
        self.V = self.save("v.npy", self.data.V, "f4")

    def learn(self, *flags, name="v.npy"):
        fit = ["fit", name, "--rank", 5, "--epochs", 10, "--out", "m.h5", "--force", "--quiet"]
        self.once("m.h5", *fit, *flags)

    def denoise(self, *arguments):
        self.tamis("denoise", *arguments, "--out", "c.npy", "--force", "--quiet")
        return self.load("c.npy")

    def product(self, name="v.npy"):
        """WH, in the units of the input."""
        self.tamis("encode", "m.h5", name, "--codes", "H.npy", "--force", "--quiet")
        return self.load("H.npy").astype("f8") @ self.model()["W"]

    def test_without_a_model(self):
        clean = self.denoise("v.npy", "--rank", 5, "--epochs", 10)
        self.assertEqual((clean.shape, clean.dtype), (self.V.shape, np.float32))
        before, after = psnr(self.data.clean, self.V), psnr(self.data.clean, clean)
        self.assertGreater(after, before + 5, f"{before:.1f} dB before, {after:.1f} dB after")
        self.assertEqual(self.names(), ["c.npy", "v.npy"])  # the model is not kept

    def test_with_a_model(self):
        self.learn()
        clean = self.denoise("m.h5", "v.npy")
        self.assertGreater(psnr(self.data.clean, clean), psnr(self.data.clean, self.V) + 5)

    def test_equals_learning_first(self):
        self.learn("--seed", 3)
        flags = ["--rank", 5, "--epochs", 10, "--seed", 3]
        two_steps, one_step = self.denoise("m.h5", "v.npy"), self.denoise("v.npy", *flags)
        np.testing.assert_array_equal(two_steps, one_step)

    def test_every_algorithm(self):
        for algorithm in ALGORITHMS:
            flags = ["--rank", 5, "--epochs", 10, "--algorithm", algorithm]
            clean = self.denoise("v.npy", *flags)
            self.assertGreater(psnr(self.data.clean, clean), psnr(self.data.clean, self.V))

    def test_intact_entries_are_left_alone(self):
        self.learn()
        object = self.tamis_json("denoise", "m.h5", "v.npy", "--out", "c.npy")
        threshold = object["threshold"]
        self.assertAlmostEqual(threshold, 3 * float(self.model()["sigma"]), places=6)
        clean, product = self.load("c.npy"), self.product()
        distance = np.abs(self.V - product)
        sure = np.abs(distance - threshold) > 1e-4  # beyond doubts of rounding
        kept = (distance <= threshold) & sure
        replaced = (distance > threshold) & sure
        self.assertGreater(kept.mean(), 0.7)
        self.assertGreater(replaced.mean(), 0.01)
        np.testing.assert_array_equal(clean[kept], self.V[kept])
        np.testing.assert_allclose(clean[replaced], product[replaced], atol=1e-5)

    def test_threshold(self):
        self.learn()
        product = self.product()
        all_replaced = self.denoise("m.h5", "v.npy", "--threshold", 0)
        np.testing.assert_allclose(all_replaced, product, atol=1e-5)
        np.testing.assert_array_equal(self.denoise("m.h5", "v.npy", "--threshold", 1e9), self.V)
        some = self.denoise("m.h5", "v.npy", "--threshold", 0.3)
        sure = np.abs(np.abs(self.V - product) - 0.3) > 1e-4
        expected = np.where(np.abs(self.V - product) <= 0.3, self.V, product)
        np.testing.assert_allclose(some[sure], expected[sure], atol=1e-5)

    def test_threshold_is_in_units_of_the_input(self):
        V = self.save("i.npy", np.round(self.data.V.clip(0, 1) * 255), "u1")
        self.learn(name="i.npy")
        product = self.product("i.npy")
        clean = self.denoise("m.h5", "i.npy", "--threshold", 40)
        distance = np.abs(V - product)
        kept = distance < 39.9
        np.testing.assert_array_equal(clean[kept], V[kept])
        self.assertTrue((clean[distance > 42] != V[distance > 42]).all())
        object = self.tamis_json("denoise", "m.h5", "i.npy", "--out", "d.npy", "--threshold", 40)
        self.assertAlmostEqual(object["threshold"], 40)

    def test_threshold_of_scaled_samples_is_in_units_of_the_input(self):
        V = self.save("big.npy", 100 * self.data.V, "f4")
        self.learn("--normalize", "max", name="big.npy")
        product = self.product("big.npy")
        clean = self.denoise("m.h5", "big.npy", "--threshold", 30)
        distance = np.abs(V - product)
        kept, replaced = distance < 29.9, distance > 30.1
        self.assertGreater(replaced.sum(), 100)
        np.testing.assert_array_equal(clean[kept], V[kept])
        np.testing.assert_allclose(clean[replaced], product[replaced], rtol=1e-4)
        told = self.tamis_json("denoise", "m.h5", "big.npy", "--out", "d.npy")
        self.assertNotIn("threshold", told)  # it differs from sample to sample
        self.assertLess(told["threshold_of_maximum"], 1)

    def test_numbers_for_a_model_of_bytes_are_doubted(self):
        V = np.round(self.data.V.clip(0, 1) * 255)
        for name, type in (("i.npy", "u1"), ("same.npy", "f4")):
            self.save(name, V, type)
        self.save("divided.npy", V / 255, "f4")
        self.learn(name="i.npy")
        for name, doubted in (("i.npy", False), ("same.npy", True), ("divided.npy", False)):
            for command in (["denoise", "--out", "c.npy"], ["encode", "--codes", "h.npy"]):
                said = self.tamis(command[0], "m.h5", name, *command[1:], "--force").err
                self.assertEqual("divided by 255" in said, doubted, (name, said))

    def test_pictures_of_another_shape_are_not_the_models(self):
        self.save("p.npy", self.V.reshape(-1, 6, 8))
        self.save("turned.npy", self.V.reshape(-1, 8, 6))
        self.learn(name="p.npy")
        for command in (["denoise", "--out", "c.npy"], ["encode", "--codes", "h.npy"]):
            self.refused(3, command[0], "m.h5", "turned.npy", *command[1:], says=["8x6", "6x8"])
            self.tamis(command[0], "m.h5", "v.npy", *command[1:])  # without a shape

    def test_reconstruction(self):
        self.learn()
        whole = self.denoise("m.h5", "v.npy", "--reconstruction")
        np.testing.assert_allclose(whole, self.product(), atol=1e-5)
        self.assertEqual(whole.dtype, np.float32)

    def test_integers_stay_integers(self):
        for type, top in [("u1", 255), ("u2", 65535)]:
            V = np.round(self.data.V.clip(0, 1) * top).reshape(1500, 6, 8)
            self.save("i.npy", V, type)
            clean = self.denoise("i.npy", "--rank", 5, "--epochs", 10)
            self.assertEqual((clean.dtype, clean.shape), (np.dtype(type), (1500, 6, 8)))
            truth = self.data.clean.reshape(V.shape) * top
            self.assertGreater(psnr(truth, clean, top), psnr(truth, V, top) + 5)

    def test_reconstruction_of_integers_is_rounded_and_clipped(self):
        self.save("i.npy", np.round(self.data.V.clip(0, 1) * 255), "u1")
        self.learn(name="i.npy")
        whole = self.denoise("m.h5", "i.npy", "--reconstruction")
        expected = self.product("i.npy").clip(0, 255)
        self.assertLessEqual(np.abs(whole - expected).max(), 0.51)

    def test_double_stays_double(self):
        V = self.save("d.npy", self.data.V, "f8")
        self.learn("--precision", "double", name="d.npy")
        clean = self.denoise("m.h5", "d.npy")
        self.assertEqual(clean.dtype, np.float64)
        kept = clean == V
        self.assertGreater(kept.mean(), 0.7)

    def test_double_without_a_model(self):
        # What is left alone is left alone to the last bit.
        V = self.save("d.npy", self.data.V, "f8")
        clean = self.denoise("d.npy", "--rank", 5, "--epochs", 10)
        self.assertEqual(clean.dtype, np.float64)
        self.assertGreater((clean == V).mean(), 0.7)

    def test_shape_and_order_of_rows(self):
        V = self.V.reshape(1500, 2, 4, 6)
        np.save(self.path("f.npy"), np.asfortranarray(V))
        self.save("c4.npy", V)
        self.learn()
        one, other = self.denoise("m.h5", "f.npy"), self.denoise("m.h5", "c4.npy")
        self.assertEqual(one.shape, V.shape)
        np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(one.reshape(1500, 48), self.denoise("m.h5", "v.npy"))

    def test_missing_entries_are_filled(self):
        holes = np.random.default_rng(3).random(self.V.shape) < 0.1
        self.save("h.npy", np.where(holes, np.nan, self.V))
        clean = self.denoise("h.npy", "--rank", 5, "--epochs", 10, "--missing", "nan")
        self.assertTrue(np.isfinite(clean).all())
        self.assertLess(np.median(np.abs(clean - self.data.clean)[holes]), 0.05)

    def test_limit_and_repeat(self):
        self.learn()
        whole = self.denoise("m.h5", "v.npy")
        limited = self.denoise("m.h5", "v.npy", "--limit", 70)
        self.assertEqual(limited.shape, (70, 48))
        self.assertLess((np.abs(limited - whole[:70]) > 1e-3).mean(), 0.01)
        twice = self.denoise("m.h5", "v.npy", "--limit", 70, "--repeat", 2)
        self.assertEqual(twice.shape, (140, 48))
        self.assertLess((np.abs(twice - np.tile(whole[:70], (2, 1))) > 1e-3).mean(), 0.01)

    def test_shuffling_while_learning_keeps_the_order(self):
        clean = self.denoise("v.npy", "--rank", 5, "--epochs", 10, "--shuffle")
        self.assertGreater(psnr(self.data.clean, clean), psnr(self.data.clean, self.V) + 5)

    def test_other_units_than_the_model(self):
        # The model was learned from bytes; samples in [0, 1] are the same samples.
        self.save("i.npy", np.round(self.data.V.clip(0, 1) * 255), "u1")
        self.learn(name="i.npy")
        clean = self.denoise("m.h5", "v.npy")
        self.assertGreater(psnr(self.data.clean, clean), psnr(self.data.clean, self.V) + 5)

    def test_samples_scaled_each_by_its_own_maximum(self):
        # Some are a hundred times as bright; the threshold is relative to a sample's size.
        gain = np.where(np.arange(1500) % 3 == 0, 100.0, 1.0)[:, None]
        self.save("g.npy", self.data.V * gain, "f4")
        clean = self.denoise("g.npy", "--rank", 5, "--epochs", 10, "--normalize", "max") / gain
        self.assertGreater(psnr(self.data.clean, clean), psnr(self.data.clean, self.V) + 3)

    def test_samples_that_tell_nothing_come_first(self):
        """The threshold is found in the first samples that have residuals."""
        self.learn("--missing", "nan")
        alone = self.denoise("m.h5", "v.npy")
        for name, silent in {"black": 0, "missing": np.nan}.items():
            rows = np.full((1024, self.V.shape[1]), silent)
            self.save(f"{name}.npy", np.vstack([rows, self.V]), "f4")
            np.testing.assert_array_equal(self.denoise("m.h5", f"{name}.npy")[1024:], alone)

    def test_json(self):
        object = self.tamis_json("denoise", "v.npy", "--rank", 5, "--out", "c.npy", "--quiet")
        self.assertEqual(object["status"], "completed")
        self.assertEqual((object["samples"], object["out"]), (1500, "c.npy"))
        self.assertGreater(object["threshold"], 0)

    def test_existing_output(self):
        self.learn()
        self.path("c.npy").write_text("precious")
        for arguments in [["m.h5", "v.npy"], ["v.npy"]]:
            self.refused(3, "denoise", *arguments, "--out", "c.npy", says=["c.npy", "--force"])
        self.denoise("m.h5", "v.npy")


if __name__ == "__main__":
    unittest.main()
