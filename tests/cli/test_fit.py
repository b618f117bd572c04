"""tamis fit: what it reads, what it learns, what it writes."""

import json
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
        self.assertEqual(model["format"], "tamis model")
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

    def check_sum(self, V, scale, *flags, error=0.05):
        self.tamis(
            "fit", "v.npy", "--rank", 4, "--out", "m.h5", "--force", "--quiet", "--codes", "H.npy",
            "--outliers", "R.npy", *flags
        )  # fmt: skip
        H, R, W = self.load("H.npy"), self.load("R.npy"), self.model()["W"]
        self.assertEqual(H.shape, (len(V), 4))
        self.assertEqual(R.shape, V.shape)
        self.assertTrue((H >= 0).all())
        V, R = V.reshape(len(V), -1).astype("f8"), R.reshape(len(V), -1)
        relative = np.linalg.norm(V - H @ W - R) / np.linalg.norm(V)
        self.assertLess(relative, error, flags)
        self.assertGreater(np.abs(R).max(), 0.1 * scale)  # there are outliers, in those units
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
            self.check_sum(V, 1, "--epochs", 20, "--algorithm", algorithm, error=0.35)

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


class Repeatable(Case):
    def fit(self, name, *flags):
        self.tamis("fit", "v.npy", "--rank", 4, "--out", name, "--quiet", *flags)
        return self.model(name)

    def test_threads_do_not_change_a_bit(self):
        self.save("v.npy", Planted(samples=1000, features=40).V, "f4")
        for algorithm in ALGORITHMS:
            one, two = f"{algorithm}1.h5", f"{algorithm}2.h5"
            for name, threads in [(one, 1), (two, 2)]:
                self.fit(name, "--threads", threads, "--algorithm", algorithm, "--shuffle")
            self.assert_same_model(one, two)

    def test_threads_do_not_change_codes(self):
        self.save("v.npy", Planted(samples=1500).V, "f4")
        self.fit("m.h5")
        for threads in (1, 2):
            self.tamis("encode", "m.h5", "v.npy", "--codes", f"{threads}.npy", "--threads", threads)
        self.assertEqual(self.path("1.npy").read_bytes(), self.path("2.npy").read_bytes())

    def test_seed_decides(self):
        self.save("v.npy", Planted().V, "f4")
        first, again = self.fit("a.h5", "--seed", 5), self.fit("b.h5", "--seed", 5)
        other = self.fit("c.h5", "--seed", 6)
        self.assertEqual(first["W"].tobytes(), again["W"].tobytes())
        self.assertNotEqual(first["W"].tobytes(), other["W"].tobytes())


class Choices(Case):
    """Every choice reaches the library and does what its name says."""

    def setUp(self):
        super().setUp()
        self.data = Planted()
        self.save("v.npy", self.data.V, "f4")

    def fit(self, *flags):
        self.tamis(
            "fit", "v.npy", "--rank", 4, "--out", "m.h5", "--force", "--codes", "H.npy",
            "--outliers", "R.npy", "--quiet", *flags
        )  # fmt: skip
        return self.model(), self.load("H.npy"), self.load("R.npy")

    def test_constraints(self):
        W = self.fit("--constraint", "simplex")[0]["W"]
        np.testing.assert_allclose(W.sum(axis=1), 1, atol=1e-5)
        self.assertTrue((W >= 0).all())
        W = self.fit("--constraint", "elastic-net:0.5,1")[0]["W"].astype("f8")
        self.assertTrue((0.5 * W.sum(axis=1) + (W**2).sum(axis=1) / 2 <= 1 + 1e-5).all())
        self.assertTrue((self.fit("--constraint", "nonneg")[0]["W"] >= 0).all())
        self.fit("--constraint", "none")

    def test_penalties(self):
        plain = self.fit()[1]
        for penalty in ["lasso:0.3", "tikhonov:0.3", "group:0.3", "sparse-group:0.3,0.5"]:
            model, H, _ = self.fit("--code-penalty", penalty)
            self.assertLess(H.sum(), plain.sum(), penalty)
            self.assertTrue(model["settings"]["code_penalty"].startswith(penalty.split(":")[0]))
        for penalty in ["tikhonov:0.5", "group", "sparse-group:0.5"]:
            self.fit("--outlier-penalty", penalty)
        dense = self.fit("--constraint", "nonneg")[0]["W"]
        sparse = self.fit("--constraint", "nonneg", "--dictionary-penalty", "0.05,0.1")[0]["W"]
        self.assertLess(sparse.sum(), dense.sum())

    def test_groups_of_outliers(self):
        self.path("blocks.txt").write_text("0 1 2 3 4 5\n6,7,8,9,10,11\n\n" + "12 13 14 15 16 17\n"
                                           "18, 19, 20, 21, 22, 23\n")  # fmt: skip
        for flag in ["--groups", "--outlier-groups"]:
            flags = ["--outlier-penalty", "group", flag, "blocks.txt", "--lambda", 0.1]
            model, _, R = self.fit(*flags)
            self.assertEqual(len(model["settings"]["outlier_groups"]), 4)
            # A block is zero as a whole or not at all.
            blocks = np.abs(R).reshape(240, 4, 6)
            self.assertTrue((blocks.max(axis=2) == 0).any())
            some = blocks[blocks.max(axis=2) > 0]
            self.assertGreater((some > 0).mean(), 0.9)
        _, _, R = self.fit("--outlier-penalty", "group", "--lambda", 0.1)
        whole = np.abs(R).max(axis=1) > 0
        self.assertTrue(whole.any() and not whole.all())

    def test_groups_of_codes(self):
        self.path("pairs.txt").write_text("0 1\n2 3\n")
        for flag in ["--groups", "--code-groups"]:
            model, H, _ = self.fit("--code-penalty", "group:0.4", flag, "pairs.txt")
            self.assertEqual(model["settings"]["code_groups"], [[0, 1], [2, 3]])

    def test_groups_that_do_not_fit(self):
        fit = ["fit", "v.npy", "--rank", 4, "--out", "m.h5"]
        group = ["--outlier-penalty", "group", "--groups"]
        self.path("few.txt").write_text("0 1\n")
        self.refused(2, *fit, *group, "few.txt", says=["outlier_groups", "missing"])
        self.path("word.txt").write_text("0 one\n")
        self.refused(2, *fit, *group, "word.txt", says=["one"])
        self.path("empty.txt").write_text("\n")
        self.refused(3, *fit, *group, "empty.txt", says=["empty.txt"])
        self.refused(3, *fit, *group, "nowhere.txt", says=["nowhere.txt"])
        self.path("pairs.txt").write_text("0 1\n2 3\n")
        self.refused(2, *fit, "--groups", "pairs.txt", says=["--groups"])
        self.refused(2, *fit, *group, "pairs.txt", "--code-penalty", "group", says=["--groups"])

    def test_missing_entries(self):
        holes = np.random.default_rng(1).random(self.data.V.shape) < 0.2
        self.save("v.npy", np.where(holes, np.nan, self.data.V), "f4")
        model, H, R = self.fit("--missing", "nan", "--epochs", 20)
        self.assertTrue(np.isfinite(model["W"]).all() and np.isfinite(H).all())
        self.assertTrue((R[holes] == 0).all())
        error = np.abs(H @ model["W"] - self.data.clean)[holes]
        self.assertLess(np.median(error), 0.05)  # filled in

    def test_outliers_that_only_add(self):
        R = self.fit("--nonneg-outliers")[2]
        self.assertTrue((R >= 0).all())
        self.assertGreater(R.max(), 0)
        self.assertLess(self.fit()[2].min(), 0)

    def test_outliers_switched_off_and_bounded(self):
        for algorithm in ALGORITHMS:
            R = self.fit("--lambda", "inf", "--algorithm", algorithm)[2]
            self.assertTrue((R == 0).all(), algorithm)
        R = self.fit("--max-outlier", 0.25, "--lambda", 0.01)[2]
        self.assertAlmostEqual(np.abs(R).max(), 0.25, places=5)

    def test_lambda(self):
        self.assertAlmostEqual(float(self.fit("--lambda", 0.3)[0]["lambda"]), 0.3)
        self.assertAlmostEqual(float(self.fit("--lambda", "paper")[0]["lambda"]), 24**-0.5)
        model = self.fit("--lambda", "auto:2")[0]
        self.assertAlmostEqual(float(model["lambda"]), 2 * float(model["sigma"]))

    def test_double_precision(self):
        model, H, R = self.fit("--precision", "double")
        for array in (model["W"], H, R):
            self.assertEqual(array.dtype, np.float64)
        self.tamis("encode", "m.h5", "v.npy", "--codes", "E.npy")
        self.assertEqual(self.load("E.npy").dtype, np.float64)

    def test_starts(self):
        for start in ["uniform", "half-normal", "samples", "nndsvd"]:
            self.assertEqual(self.fit("--init", start)[0]["settings"]["init"], start)

    def test_forgetting_and_scaling(self):
        for flags in [["--forget", "none"], ["--forget", "poly:2"], ["--forget", "decay:0.99"],
                      ["--normalize", "max"], ["--no-reseed"]]:  # fmt: skip
            self.fit(*flags)

    def test_negative_data_when_allowed(self):
        self.save("v.npy", self.data.V - 0.2, "f4")
        self.fit("--allow-negative", "--constraint", "none")


class Output(Case):
    def setUp(self):
        super().setUp()
        self.save("v.npy", Planted().V, "f4")
        self.fit = ["fit", "v.npy", "--rank", 4, "--out", "m.h5"]

    def test_says_what_it_did(self):
        result = self.tamis(*self.fit)
        self.assertEqual(result.out, "")
        self.assertEqual(len(result.err.splitlines()), 1, result.err)
        for word in ["240 samples", "4 atoms", "24 features", "objective", "m.h5"]:
            self.assertIn(word, result.err)

    def test_is_silent_when_asked(self):
        result = self.tamis(*self.fit, "--quiet")
        self.assertEqual((result.out, result.err), ("", ""))

    def test_json(self):
        for algorithm in ALGORITHMS:
            result = self.tamis(*self.fit, "--force", "--json", "--quiet", "--algorithm", algorithm)
            self.assertEqual(result.err, "")
            object = json.loads(result.out)  # one, and nothing else
            self.assertIn(object["status"], ["completed", "converged", "iteration_limit"])
            self.assertEqual(object["settings"], self.model()["settings"])
            for count in ["samples", "batches", "epochs", "reseeded", "unconverged_batches"]:
                self.assertIsInstance(object[count], int)
            self.assertEqual((object["features"], object["rank"]), (24, 4))
            self.assertEqual(
                set(object["seconds"]), {"read", "encode", "reduce", "update", "write", "total"}
            )
            self.assertGreater(object["objective"], 0)
            self.assertTrue(object["trace"])
            for point in object["trace"]:
                self.assertEqual(
                    set(point), {"samples", "objective", "change", "lambda", "seconds"}
                )
            self.assertEqual(object["trace"][-1]["samples"], object["samples"])
            self.assertEqual(object["model"], "m.h5")

    def test_json_of_an_error(self):
        for code, arguments in [(2, ["fit", "v.npy", "--rank", 0, "--out", "m.h5"]),
                                (2, ["fit", "v.npy", "--rnak", 4, "--out", "m.h5"]),
                                (3, ["fit", "nowhere.npy", "--out", "m.h5"])]:  # fmt: skip
            result = self.run_tamis(*arguments, "--json")
            self.assertEqual(result.code, code)
            object = json.loads(result.out)
            self.assertEqual(object["status"], "error")
            self.assertEqual(object["exit_code"], code)
            self.assertEqual(result.err, f"tamis: {object['message']}\n")

    def test_json_of_infinity_is_valid(self):
        def refuse(word):
            raise ValueError(word)

        result = self.tamis(*self.fit, "--lambda", "inf", "--json")
        json.loads(result.out, parse_constant=refuse)

    def test_flags_may_have_an_equals_sign_and_come_twice(self):
        self.tamis("fit", "--rank=3", "v.npy", "--out=m.h5", "--rank=5")
        self.assertEqual(self.model()["W"].shape, (5, 24))

    def test_codes_to_standard_output(self):
        self.tamis(*self.fit, "--codes", "H.npy")
        result = self.tamis(*self.fit, "--force", "--codes", "-", "--quiet")
        self.path("piped.npy").write_bytes(result.bytes)
        np.testing.assert_array_equal(self.load("piped.npy"), self.load("H.npy"))

    def test_json_and_codes_cannot_share_standard_output(self):
        before = self.listing()
        result = self.run_tamis(*self.fit, "--codes", "-", "--json")
        self.assertEqual(result.code, 2, result)
        self.assertEqual(self.listing(), before)


if __name__ == "__main__":
    unittest.main()
