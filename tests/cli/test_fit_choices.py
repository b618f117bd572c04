"""tamis fit: its choices, what it says, the same bits again."""

import json
import re
import unittest
from pathlib import Path

import numpy as np
from _tamis import ALGORITHMS, Case, Planted


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

    def test_groups_as_the_page_writes_them(self):
        for flag, written in [("--code-groups", "0,1;2,3"), ("--groups", "0, 1; 2, 3")]:
            model, _, _ = self.fit("--code-penalty", "group:0.4", flag, written)
            self.assertEqual(model["settings"]["code_groups"], [[0, 1], [2, 3]])
        # A file of that name is a file.
        self.path("01").write_text("0 2\n1 3\n")
        model, _, _ = self.fit("--code-penalty", "group:0.4", "--code-groups", "01")
        self.assertEqual(model["settings"]["code_groups"], [[0, 2], [1, 3]])
        fit = ["fit", "v.npy", "--rank", 4, "--out", "n.h5", "--code-penalty", "group:0.4"]
        self.refused(2, *fit, "--code-groups", "0,1;2", says=["code_groups", "missing"])
        self.refused(2, *fit, "--code-groups", "0,1;;2,3", says=["code_groups", "empty"])

    def test_the_form_of_groups_is_told(self):
        for text in [self.tamis("fit", "--help").out, self.tamis("man").out]:
            text = " ".join(text.split())
            self.assertIn("a line of indices per group, or 0,1;2,3", text)

    def test_mini_batches_are_those_that_the_page_tells(self):
        page = (Path(__file__).parents[2] / "docs/settings.md").read_text(encoding="utf-8")
        few, unknown = re.search(r"`opgd`.* (\d+) for 20,000 .*; (\d+) if their", page).groups()
        np.savetxt(self.path("v.csv"), self.data.V, delimiter=",")
        for data, size in [("synthetic:samples=20000,features=4,rank=2", few), ("v.csv", unknown)]:
            fit = ["fit", data, "--rank", 2, "--algorithm", "opgd", "--out", "n.h5", "--force"]
            self.assertEqual(self.tamis_json(*fit)["settings"]["batch_size"], int(size))

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
        # Not two groups of one line, as it would be in a setting
        self.path("semicolon.txt").write_text("0 1;2 3\n")
        self.refused(3, *fit, *group, "semicolon.txt", says=["semicolon.txt", '";"', "line"])
        self.path("zeros.txt").write_bytes(b"0 1\n\0\0\n")
        self.refused(3, *fit, *group, "zeros.txt", says=["zeros.txt", "not text"])
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
