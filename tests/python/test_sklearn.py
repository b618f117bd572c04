"""Beside scikit-learn's own estimators."""

import unittest
import warnings

import numpy as np
from _data import HAS_SKLEARN, noisy, skip_all

from tamis import RobustNMF

if not HAS_SKLEARN:
    skip_all("scikit-learn is not installed")

import joblib
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.validation import check_is_fitted


class Checks(unittest.TestCase):
    def run_checks(self, estimator):
        """All of scikit-learn's checks; none may be skipped."""
        count = 0
        for checked, check in check_estimator(estimator, generate_only=True):
            function = getattr(check, "func", check)
            with self.subTest(function.__name__):
                try:
                    check(checked)
                except unittest.SkipTest as skipped:
                    self.fail(f"skipped: {skipped}")
            count += 1
        self.assertGreater(count, 35)

    def test_check_estimator(self):
        self.run_checks(RobustNMF())

    def test_check_estimator_with_negative_data(self):
        self.run_checks(RobustNMF(constraint="none", allow_negative=True, missing=False))

    def test_tags_tell_what_is_possible(self):
        tags = RobustNMF()._get_tags()
        self.assertTrue(tags["allow_nan"])
        self.assertTrue(tags["requires_positive_X"])
        self.assertFalse(RobustNMF(algorithm="onmf")._get_tags()["allow_nan"])
        self.assertFalse(RobustNMF(missing=False)._get_tags()["allow_nan"])
        self.assertFalse(RobustNMF(allow_negative=True)._get_tags()["requires_positive_X"])
        RobustNMF(constraint="nonsense")._get_tags()

    def test_asking_for_tags_takes_no_random_numbers(self):
        random = np.random.RandomState(1)
        RobustNMF(random_state=random)._get_tags()
        self.assertEqual(random.randint(2**31), np.random.RandomState(1).randint(2**31))


class Together(unittest.TestCase):
    def setUp(self):
        self.X = noisy(300).V

    def test_clone(self):
        model = RobustNMF(3, lambda_=0.2, outlier_groups=[[0, 1]], callback=print)
        self.assertEqual(clone(model).get_params(), model.get_params())
        with self.assertRaises(Exception):
            check_is_fitted(clone(RobustNMF(3).fit(self.X)))

    def test_a_pipeline(self):
        pipeline = make_pipeline(MinMaxScaler(), RobustNMF(4))
        H = pipeline.fit_transform(self.X)
        np.testing.assert_array_equal(H, pipeline.transform(self.X))
        X = pipeline.inverse_transform(H)
        self.assertLess(np.abs(X - self.X).mean(), 0.1)
        pipeline.set_params(robustnmf__lambda_=0.5).fit(self.X)
        self.assertEqual(pipeline[-1].lambda_used_, 0.5)

    def test_a_grid_search_finds_the_rank(self):
        search = GridSearchCV(
            RobustNMF(max_iter=5, threads=1), {"n_components": [1, 2, 4]}, cv=3, n_jobs=2
        )
        search.fit(self.X)
        self.assertEqual(search.best_params_, {"n_components": 4})
        self.assertEqual(search.best_estimator_.n_components_, 4)
        scores = cross_val_score(RobustNMF(4), self.X, cv=3)
        self.assertTrue(np.isfinite(scores).all())

    def test_joblib(self):
        jobs = [joblib.delayed(fitted)(seed, self.X) for seed in range(4)]
        expected = [fitted(seed, self.X).components_ for seed in range(4)]
        for backend in ("loky", "threading", "multiprocessing"):
            with self.subTest(backend):
                found = joblib.Parallel(n_jobs=2, backend=backend)(jobs)
                for model, W in zip(found, expected):
                    np.testing.assert_array_equal(model.components_, W)

    def test_names_of_features(self):
        import pandas

        frame = pandas.DataFrame(self.X, columns=[f"f{i}" for i in range(24)])
        model = RobustNMF(4).fit(frame)
        self.assertEqual(list(model.feature_names_in_), list(frame.columns))
        model.set_output(transform="pandas")
        H = model.transform(frame)
        self.assertEqual(list(H.columns), [f"robustnmf{k}" for k in range(4)])
        self.assertTrue((H.index == frame.index).all())
        H, R = model.transform(frame, return_outliers=True)
        self.assertEqual(H.shape, (300, 4))
        self.assertEqual(R.shape, (300, 24))
        with self.assertRaisesRegex(ValueError, "feature names"):
            model.transform(frame.rename(columns={"f0": "other"}))
        with warnings.catch_warnings(), self.assertRaises(UserWarning):
            warnings.simplefilter("error")
            model.transform(self.X)


def fitted(seed, X):
    return RobustNMF(4, random_state=seed).fit(X)


if __name__ == "__main__":
    unittest.main()
