"""The estimator does what the library does: every algorithm, the same bits."""

import unittest
import warnings

import numpy as np
from _data import ALGORITHMS, ONLINE, Case, matched, noisy

from tamis import RobustNMF
from tamis._base import ConvergenceWarning, NotFittedError


class Learning(Case):
    def setUp(self):
        super().setUp()
        self.data = noisy()
        self.X = self.data.V

    def test_it_finds_the_parts_and_the_gross_errors(self):
        model = RobustNMF(n_components=4, random_state=1, max_iter=5).fit(self.X)
        self.assertTrue((matched(model.components_, self.data.W) > 0.99).all())
        H, R = model.transform(self.X, return_outliers=True)
        error = np.abs(H @ model.components_ - self.data.clean)
        self.assertLess(error.mean(), 0.02)
        off = np.abs(self.data.V - self.data.clean) > 0.2
        self.assertGreater(np.abs(R[off]).mean(), 0.15)
        self.assertLess(np.abs(R[~self.data.wrong]).mean(), 0.01)

    def test_every_algorithm_by_name(self):
        for algorithm in ALGORITHMS:
            with self.subTest(algorithm), warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                model = RobustNMF(4, algorithm=algorithm, random_state=0).fit(self.X)
                self.assertEqual(model.components_.shape, (4, 24))
                self.assertEqual(model.transform(self.X).shape, (600, 4))
                self.assertEqual(model.settings_["algorithm"].split(":")[0], algorithm)
                self.assertGreaterEqual(model.n_iter_, 1)

    def test_outliers_are_kept_only_when_asked_for(self):
        model = RobustNMF(4).fit(self.X)
        self.assertFalse(hasattr(model, "outliers_"))
        model.set_params(keep_outliers=True)
        H = model.fit_transform(self.X)
        expected = model.transform(self.X, return_outliers=True)
        np.testing.assert_array_equal(H, expected[0])
        np.testing.assert_array_equal(model.outliers_, expected[1])
        np.testing.assert_array_equal(model.fit(self.X).outliers_, expected[1])
        self.assertFalse(hasattr(model.partial_fit(self.X), "outliers_"))
        self.assertTrue(hasattr(model.fit(self.X), "outliers_"))
        self.assertFalse(hasattr(model.set_params(keep_outliers=False).fit(self.X), "outliers_"))

    def test_the_seed(self):
        fit = lambda seed: RobustNMF(4, random_state=seed).fit(self.X).components_  # noqa: E731
        np.testing.assert_array_equal(fit(3), fit(3))
        np.testing.assert_array_equal(fit(3), fit(np.int64(3)))
        self.assertFalse((fit(3) == fit(4)).all())
        random = lambda: np.random.RandomState(5)  # noqa: E731
        np.testing.assert_array_equal(fit(random()), fit(random()))
        self.assertFalse((fit(None) == fit(None)).all())
        fit(np.random.default_rng(0))
        with self.assertRaisesRegex(ValueError, "random_state"):
            fit("seed")

    def test_threads_change_no_bits(self):
        one = RobustNMF(4, threads=1).fit(self.X)
        two = RobustNMF(4, threads=2).fit(self.X)
        np.testing.assert_array_equal(one.components_, two.components_)
        np.testing.assert_array_equal(one.transform(self.X), two.transform(self.X))


class Parts(Case):
    """partial_fit."""

    def setUp(self):
        super().setUp()
        self.X = noisy().V

    def parts(self, model, X, size, weights=None):
        for i in range(0, len(X), size):
            w = None if weights is None else weights[i : i + size]
            self.assertIs(model.partial_fit(X[i : i + size], sample_weight=w), model)
        return model

    def test_many_parts_are_one_fit_bit_for_bit(self):
        weights = np.random.default_rng(0).uniform(0.1, 2, len(self.X))
        for algorithm in ONLINE:
            for type_ in ("f4", "f8", "u1"):
                for w in (None, weights):
                    with self.subTest(algorithm, type=type_, weighted=w is not None):
                        X = (self.X * 100 if type_ == "u1" else self.X).astype(type_)
                        model = RobustNMF(4, algorithm=algorithm, batch_size=32)
                        whole = model.fit(X, sample_weight=w)
                        parts = self.parts(RobustNMF(**model.get_params()), X, 32, w)
                        np.testing.assert_array_equal(parts.components_, whole.components_)
                        self.assertEqual(parts.reconstruction_err_, whole.reconstruction_err_)
                        self.assertEqual(parts.n_steps_, whole.n_steps_)

    def test_it_goes_on_after_fit_and_fit_begins_anew(self):
        model = RobustNMF(4).fit(self.X)
        first = model.components_
        model.partial_fit(self.X[:64])
        self.assertEqual(model.n_samples_seen_, len(self.X) + 64)
        self.assertFalse((model.components_ == first).all())
        np.testing.assert_array_equal(model.fit(self.X).components_, first)

    def test_a_part_that_is_refused_changes_nothing(self):
        model = self.parts(RobustNMF(4), self.X[:128], 64)
        before = model.components_
        for bad in (self.X[:64, :5], -self.X[:64], self.X[:0], np.full((3, 24), np.inf)):
            with self.assertRaises(ValueError):
                model.partial_fit(bad)
        np.testing.assert_array_equal(model.components_, before)
        self.assertEqual(model.n_features_in_, 24)
        fresh = RobustNMF(4)
        with self.assertRaises(ValueError):
            fresh.partial_fit(-self.X)
        self.assertFalse(hasattr(fresh, "n_features_in_"))
        self.parts(fresh, self.X[:, :7], 100)

    def test_batch_algorithms_refuse_parts(self):
        with self.assertRaisesRegex(ValueError, "all samples at once"):
            RobustNMF(4, algorithm="bpgd").partial_fit(self.X)


class Using(Case):
    def setUp(self):
        super().setUp()
        self.data = noisy()
        self.X = self.data.V
        self.model = RobustNMF(4, max_iter=3).fit(self.X)

    def test_transform_does_not_change_the_model(self):
        before = (self.model.components_, self.model.n_steps_, self.model.lambda_used_)
        self.model.transform(self.X * 3)
        self.model.score(self.X * 3)
        self.model.denoise(self.X * 3)
        after = (self.model.components_, self.model.n_steps_, self.model.lambda_used_)
        np.testing.assert_array_equal(before[0], after[0])
        self.assertEqual(before[1:], after[1:])

    def test_what_is_handed_out_is_not_the_model_itself(self):
        H = self.model.transform(self.X)
        self.model.components_[:] = 7
        np.testing.assert_array_equal(self.model.transform(self.X), H)

    def test_codes_and_outliers_add_up(self):
        H, R = self.model.transform(self.X, return_outliers=True)
        WH = self.model.inverse_transform(H)
        np.testing.assert_allclose(WH, H @ self.model.components_, rtol=1e-12)
        rest = np.abs(self.X - WH - R)
        self.assertLessEqual(rest.max(), self.model.lambda_used_ * (1 + 1e-6))
        self.assertTrue((H >= 0).all())

    def test_codes_do_not_depend_on_the_company(self):
        X = np.tile(self.X, (3, 1))  # more than one block
        H = self.model.transform(X)
        np.testing.assert_array_equal(H[601:602], self.model.transform(X[601:602]))

    def test_accuracy_of_the_codes(self):
        exact = RobustNMF(**self.model.get_params() | {"transform_tol": 1e-12}).fit(self.X)
        rough = RobustNMF(**self.model.get_params() | {"transform_max_iter": 1}).fit(self.X)
        H = exact.transform(self.X)
        self.assertLess(np.abs(self.model.transform(self.X) - H).max(), 1e-2)
        for use in (rough.transform, rough.denoise, rough.score):
            with self.subTest(use.__name__):
                with self.assertWarns(ConvergenceWarning) as told:
                    use(self.X)
                self.assertEqual(told.filename, __file__)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for use in (exact.transform, exact.denoise, exact.score):
                use(self.X)

    def test_a_fit_that_did_not_converge_warns(self):
        with self.assertWarnsRegex(ConvergenceWarning, "not converged after 3 passes"):
            model = RobustNMF(4, algorithm="bpgd:iterations=3").fit(self.X)
        self.assertEqual(model.fit_info_["status"], "iteration_limit")

    def test_equations_that_had_to_be_regularized_warn(self):
        equal = np.full((32, 9), 1e5, "f4")
        model = RobustNMF(4, algorithm="oadmm", normalize="none", lambda_="inf", batch_size=8)
        with self.assertWarnsRegex(RuntimeWarning, "regularized"):
            model.fit(equal)
        self.assertGreater(model.fit_info_["regularized_batches"], 0)

    def test_score(self):
        H = self.model.transform(self.X)
        error = np.abs(self.X - H @ self.model.components_)
        expected = 1 - error.sum() / self.X.sum()
        self.assertAlmostEqual(self.model.score(self.X), expected, places=10)
        w = np.random.default_rng(0).random(len(self.X))
        expected = 1 - (w @ error).sum() / (w @ self.X).sum()
        self.assertAlmostEqual(self.model.score(self.X, sample_weight=w), expected, places=10)
        self.assertGreater(self.model.score(self.X), RobustNMF(1).fit(self.X).score(self.X))
        self.assertEqual(self.model.score(np.zeros((2, 24))), 1)

    def test_denoise_by_a_threshold_in_the_units_of_the_samples(self):
        X = 100 * self.X
        for normalize in ("none", "max"):
            model = RobustNMF(4, normalize=normalize).fit(X)
            distance = np.abs(X - model.inverse_transform(model.transform(X)))
            threshold = np.quantile(distance, 0.9)
            changed = model.denoise(X, threshold) != X
            np.testing.assert_array_equal(changed, distance > threshold, normalize)

    def test_denoise(self):
        clean = self.model.denoise(self.X)
        before = np.abs(self.X - self.data.clean).mean()
        self.assertLess(np.abs(clean - self.data.clean).mean(), 0.6 * before)
        reconstruction = self.model.inverse_transform(self.model.transform(self.X))
        np.testing.assert_allclose(self.model.denoise(self.X, 0), reconstruction, atol=1e-12)
        np.testing.assert_array_equal(self.model.denoise(self.X, 1e9), self.X)

    def test_a_threshold_that_cannot_be(self):
        for bad, kind, words in (
            (-1, ValueError, "^threshold = -1.0, must be at least 0"),
            (np.nan, ValueError, "^threshold = nan"),
            ("x", TypeError, "^threshold: 'x' is not a number"),
            ([1], TypeError, "^threshold"),
        ):
            with self.assertRaisesRegex(kind, words):
                self.model.denoise(self.X, bad)
        np.testing.assert_array_equal(self.model.denoise(self.X, np.inf), self.X)
        np.testing.assert_array_equal(
            self.model.denoise(self.X, np.float32(0.5)), self.model.denoise(self.X, 0.5)
        )

    def test_missing_entries(self):
        gone = np.random.default_rng(3).random(self.X.shape) < 0.3
        X = np.where(gone, np.nan, self.X)
        model = RobustNMF(4, max_iter=5).fit(X)
        H, R = model.transform(X, return_outliers=True)
        self.assertTrue((R[gone] == 0).all())
        filled = model.denoise(X)
        self.assertTrue(np.isfinite(filled).all())
        self.assertLess(np.abs(filled - self.data.clean)[gone].mean(), 0.05)
        self.assertTrue(np.isfinite(model.score(X)))
        with self.assertRaisesRegex(ValueError, "feature .* of sample .* is nan"):
            RobustNMF(4, missing=False).fit(X)
        with self.assertRaisesRegex(ValueError, "nan"):  # it cannot do with them
            RobustNMF(4, algorithm="onmf").fit(X)

    def test_weights(self):
        # A sample of weight 2 counts as two; λ is given because σ̂ counts entries.
        one = RobustNMF(4, lambda_=0.1, batch_size=1200)
        twice = one.fit(np.repeat(self.X, 2, axis=0)).components_
        weighted = one.fit(self.X, sample_weight=np.full(len(self.X), 2.0)).components_
        np.testing.assert_allclose(weighted, twice, atol=1e-9)
        number = one.fit(self.X, sample_weight=2).components_
        np.testing.assert_array_equal(number, weighted)
        for bad, words in (
            (np.ones(3), "expected"),
            (np.ones((len(self.X), 1)), "1D"),
            (-np.ones(len(self.X)), "negative"),
        ):
            with self.assertRaisesRegex(ValueError, words):
                one.fit(self.X, sample_weight=bad)

    def test_weights_belong_to_their_samples_also_when_shuffled(self):
        junk = np.random.default_rng(0).random(self.X.shape)
        weights = np.repeat([1.0, 0.0], len(self.X))
        model = RobustNMF(4, shuffle=True, max_iter=5, lambda_=0.05, reseed=False)
        model.fit(np.concatenate([self.X, junk]), sample_weight=weights)
        self.assertTrue((matched(model.components_, self.data.W) > 0.99).all())

    def test_attributes(self):
        model = self.model
        self.assertEqual(model.n_components_, 4)
        self.assertEqual(model.n_features_in_, 24)
        self.assertEqual(model.n_iter_, 3)
        self.assertEqual(model.n_steps_, 3 * 10)
        self.assertEqual(model.n_samples_seen_, 1800)
        self.assertAlmostEqual(model.lambda_used_, 1.345 * model.noise_scale_)
        self.assertEqual(model.fit_info_["status"], "completed")
        self.assertEqual(model.fit_info_["samples"], 1800)
        self.assertEqual(set(model.trace_), {"samples", "objective", "change", "lambda", "seconds"})
        self.assertEqual(model.trace_["samples"][-1], 1800)
        self.assertAlmostEqual(model.trace_["objective"][-1], model.reconstruction_err_)
        self.assertEqual(model.settings_["rank"], 4)
        names = model.get_feature_names_out()
        self.assertEqual(list(names), [f"robustnmf{k}" for k in range(4)])

    def test_before_fit(self):
        for use in ("transform", "inverse_transform", "score", "denoise", "save"):
            with self.assertRaises(NotFittedError):
                getattr(RobustNMF(), use)(self.X)
        for name in ("components_", "n_iter_", "reconstruction_err_", "n_features_in_"):
            self.assertFalse(hasattr(RobustNMF(), name))

    def test_codes_by_either_name(self):
        H = self.model.transform(self.X)
        X = self.model.inverse_transform(H)
        np.testing.assert_array_equal(self.model.inverse_transform(X=H), X)
        np.testing.assert_array_equal(self.model.inverse_transform(H=H), X)
        for wrong in ({}, {"X": H, "H": H}):
            with self.assertRaisesRegex(TypeError, "as X, or as H"):
                self.model.inverse_transform(**wrong)

    def test_codes_of_another_shape_are_refused(self):
        for bad in (np.ones((3, 5)), np.ones(4)):
            with self.assertRaisesRegex(ValueError, "expected"):
                self.model.inverse_transform(bad)


if __name__ == "__main__":
    unittest.main()
