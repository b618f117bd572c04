"""Pickles, copies and files; the program and the package use each other's models."""

import copy
import os
import pickle
import subprocess
import sys
import unittest
from unittest import mock

import h5py
import numpy as np
from _data import ALGORITHMS, ONLINE, Case, noisy

from tamis import RobustNMF, _core


def fitted(X, algorithm="fast", **more):
    if algorithm in ("bpgd", "badmm"):
        algorithm += ":tolerance=0.1"
    return RobustNMF(4, algorithm=algorithm, **more).fit(X)


class Copies(Case):
    def setUp(self):
        super().setUp()
        self.X = noisy().V

    def same(self, one, other, go_on=True):
        self.assertEqual(one.get_params(), other.get_params())
        np.testing.assert_array_equal(one.components_, other.components_)
        np.testing.assert_array_equal(one.transform(self.X), other.transform(self.X))
        self.assertEqual(one.settings_, other.settings_)
        if go_on:
            one.partial_fit(self.X[:50])
            other.partial_fit(self.X[:50])
            np.testing.assert_array_equal(one.components_, other.components_)

    def test_pickle_and_deepcopy_have_everything(self):
        for algorithm in ALGORITHMS:
            for type_ in ("f4", "f8") if algorithm == "fast" else ("f8",):
                with self.subTest(algorithm, type=type_):
                    go_on = algorithm in ONLINE
                    model = fitted(self.X.astype(type_), algorithm)
                    self.same(pickle.loads(pickle.dumps(model)), model, go_on)
                    self.same(copy.deepcopy(model), model, go_on)

    def test_every_protocol_of_pickle(self):
        model = fitted(self.X)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with self.subTest(protocol):
                self.same(pickle.loads(pickle.dumps(model, protocol)), model)

    def test_what_has_nothing_to_pickle_says_so(self):
        for there in (_core.EncodeOptions(1e-4, 1, 1), _core.Scene({})):
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                with self.assertRaisesRegex(TypeError, "cannot pickle"):
                    pickle.dumps(there, protocol)

    def test_a_copy_is_independent(self):
        for copied in (copy.deepcopy, copy.copy):
            with self.subTest(copied.__name__):
                model = fitted(self.X)
                before = model.components_
                other = copied(model)
                self.same(other, model, go_on=False)
                other.partial_fit(self.X)
                self.assertFalse((other.components_ == before).all())
                np.testing.assert_array_equal(model.components_, before)
                self.assertEqual(vars(other)["n_features_in_"], 24)

    def test_a_shallow_copy_shares_the_rest(self):
        groups = [list(range(24))]
        model = RobustNMF(4, outlier_groups=groups, outlier_penalty="group")
        self.assertIs(copy.copy(model).outlier_groups, groups)
        self.assertIs(copy.copy(model.fit(self.X)).trace_, model.trace_)

    def test_equal_models_have_equal_pickles(self):
        self.assertEqual(
            pickle.dumps(fitted(self.X)._learned), pickle.dumps(fitted(self.X)._learned)
        )

    def test_not_fitted(self):
        model = RobustNMF(3, lambda_=0.5)
        self.assertEqual(pickle.loads(pickle.dumps(model)).get_params(), model.get_params())

    def test_nothing_is_left_behind(self):
        model = fitted(self.X)
        with mock.patch("tempfile.tempdir", str(self.folder)):
            copy.deepcopy(model)
        self.assertEqual(self.names(), [])

    def test_the_folder_for_temporary_files_is_not_there(self):
        script = (
            "import copy, numpy, tamis; X = numpy.eye(9); "
            "copy.deepcopy(tamis.RobustNMF(2).fit(X)).transform(X)"
        )
        environment = {**os.environ, "TMPDIR": self.path("nowhere")}
        subprocess.run([sys.executable, "-c", script], env=environment, check=True)
        model = fitted(self.X)
        with mock.patch("tempfile.tempdir", self.path("nowhere")), self.assertRaises(OSError):
            copy.deepcopy(model)

    def test_a_damaged_pickle(self):
        model = fitted(self.X)
        state = model._learned.__getstate__()
        with self.assertRaises(OSError):
            type(model._learned).__new__(type(model._learned)).__setstate__(state[:2000])


class Files(Case):
    def setUp(self):
        super().setUp()
        self.X = noisy().V

    def test_save_and_load(self):
        for algorithm in ALGORITHMS:
            for type_ in ("f4", "f8") if algorithm == "fast" else ("f8",):
                with self.subTest(algorithm, type=type_):
                    model = fitted(self.X.astype(type_), algorithm, random_state=7)
                    model.save(self.folder / "m.h5")
                    loaded = RobustNMF.load(self.path("m.h5"))
                    self.assertEqual(loaded.random_state, 7)
                    self.assertEqual(loaded.n_features_in_, 24)
                    np.testing.assert_array_equal(loaded.components_, model.components_)
                    self.assertEqual(loaded.components_.dtype, np.dtype(type_))
                    np.testing.assert_array_equal(loaded.transform(self.X), model.transform(self.X))
                    loaded.set_params(algorithm=model.algorithm).fit(self.X.astype(type_))
                    np.testing.assert_array_equal(loaded.components_, model.components_)

    def test_parameters_come_back(self):
        model = RobustNMF(
            4, constraint="elastic-net:0.1,0.5", max_outlier=np.inf, lambda_=0.3,
            outlier_penalty="group", outlier_groups=[list(range(24))], dictionary_penalty=(0.1, 0),
        ).fit(self.X)  # fmt: skip
        model.save(self.path("m.h5"))
        loaded = RobustNMF.load(self.path("m.h5"))
        self.assertEqual(loaded.constraint, "elastic-net:0.1,0.5")
        self.assertEqual(loaded.max_outlier, np.inf)
        self.assertEqual(loaded.outlier_groups, [list(range(24))])
        loaded.fit(self.X)
        np.testing.assert_array_equal(loaded.components_, model.components_)

    def test_files_that_are_no_models(self):
        with self.assertRaises(FileNotFoundError):
            RobustNMF.load(self.path("none.h5"))
        (self.folder / "text.h5").write_text("no model")
        with self.assertRaisesRegex(OSError, "not a readable HDF5 file"):
            RobustNMF.load(self.folder / "text.h5")
        with h5py.File(self.path("other.h5"), "w") as file:
            file["x"] = 1
        with self.assertRaisesRegex(OSError, "not a tamis model"):
            RobustNMF.load(self.path("other.h5"))
        with self.assertRaises(OSError):
            fitted(self.X).save(self.folder / "no" / "folder.h5")
        with self.assertRaises(TypeError):
            fitted(self.X).save(3)


class TheProgram(Case):
    """Models go both ways, bit for bit."""

    def setUp(self):
        super().setUp()
        self.data = noisy()

    def flags(self, algorithm, type_):
        flags = ["--rank", 4, "--algorithm", algorithm, "--seed", 3]
        flags += [] if algorithm.startswith("onmf") else ["--missing", "nan"]
        return [*flags, "--precision", "double" if type_ == "f8" else "float", "--quiet"]

    def samples(self, type_):
        top = np.iinfo(type_).max if type_[0] == "u" else 1
        X = (np.minimum(self.data.V, 1) * top).astype(type_)
        return self.save("x.npy", X)

    def test_both_learn_the_same_and_find_the_same_codes(self):
        for algorithm in ALGORITHMS:
            for type_ in ("f4", "f8", "u1", "u2") if algorithm == "fast" else ("f4",):
                with self.subTest(algorithm, type=type_):
                    X = self.samples(type_)
                    model = fitted(X, algorithm, random_state=3)
                    self.tamis("fit", "x.npy", "--out", "m.h5", "--force",
                               *self.flags(model.algorithm, type_))  # fmt: skip
                    file = self.model("m.h5")
                    np.testing.assert_array_equal(file["W"], model.components_)
                    self.assertEqual(file["settings"], model.settings_)
                    H, R = model.transform(X, return_outliers=True)
                    model.save(self.path("ours.h5"))
                    for name in ("m.h5", "ours.h5"):
                        self.tamis("encode", name, "x.npy", "--codes", "H.npy", "--outliers",
                                   "R.npy", "--force", "--quiet")  # fmt: skip
                        np.testing.assert_array_equal(self.load("H.npy"), H)
                        np.testing.assert_array_equal(self.load("R.npy"), R)
                    loaded = RobustNMF.load(self.path("m.h5"))
                    np.testing.assert_array_equal(loaded.transform(X), H)

    def test_a_model_of_the_program_goes_on_learning(self):
        X = self.samples("f4")
        for algorithm in ("fast", "opgd", "oadmm", "orpca"):
            with self.subTest(algorithm):
                model = fitted(X, algorithm, random_state=3)
                self.tamis("fit", "x.npy", "--out", "m.h5", "--force",
                           *self.flags(algorithm, "f4"))  # fmt: skip
                loaded = RobustNMF.load(self.path("m.h5"))
                for one in (model, loaded):
                    one.partial_fit(X[:64]).partial_fit(X[64:128])
                np.testing.assert_array_equal(loaded.components_, model.components_)

    def test_it_knows_what_the_samples_were(self):
        X = self.samples("u1")
        fitted(X).save(self.path("whole.h5"))
        RobustNMF(4).partial_fit(X).save(self.path("part.h5"))
        for name in ("whole.h5", "part.h5"):
            file = self.model(name)
            self.assertEqual((list(file["shape"]), file["unit"]), ([24], 255), name)

    def test_the_program_goes_on_from_a_fit_of_ours_that_was_stopped(self):
        X = self.samples("f4")
        flags = self.flags("fast", "f4")
        stopped = fitted(X, random_state=3, callback=lambda p: p.batches < 3)
        stopped.save(self.path("stopped.h5"))
        self.tamis("info", "stopped.h5")
        self.tamis("fit", "x.npy", "--out", "m.h5", "--resume", "stopped.h5", *flags)
        whole = fitted(X, random_state=3)
        np.testing.assert_array_equal(self.model("m.h5")["W"], whole.components_)

    def test_what_the_program_cannot_go_on_with(self):
        # Samples would be skipped, or nothing be learned at all.
        X = self.samples("f4")
        parts = fitted(X, callback=lambda p: p.batches < 3).partial_fit(X[:7])
        for model in (RobustNMF(4).partial_fit(X[:50]), parts, fitted(X),
                      RobustNMF(4, algorithm="bpgd:tolerance=0,iterations=2").fit(X),
                      fitted(X).partial_fit(X[:50])):  # fmt: skip
            model.save(self.path("m.h5"))
            result = self.run_tamis("fit", "x.npy", "--out", "n.h5", "--resume", "m.h5")
            self.assertEqual(result.code, 3, result)
            self.assert_one_line(result.err, "partial_fit")

    def test_both_denoise_alike(self):
        X = self.save("x.npy", noisy(1500, features=400, rank=40).V, "f4")
        model = RobustNMF(40).fit(X)
        model.save(self.path("m.h5"))
        self.tamis("denoise", "m.h5", "x.npy", "--out", "clean.npy", "--quiet")
        np.testing.assert_array_equal(self.load("clean.npy"), model.denoise(X))

    def test_both_denoise_bytes_alike(self):
        X = self.samples("u1")
        model = fitted(X)
        model.save(self.path("m.h5"))
        self.tamis("denoise", "m.h5", "x.npy", "--out", "clean.npy", "--quiet")
        ours = np.clip(np.round(model.denoise(X)), 0, 255)
        self.assertLessEqual(np.abs(self.load("clean.npy") - ours).max(), 1)


if __name__ == "__main__":
    unittest.main()
