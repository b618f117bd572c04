"""What samples may come in, and that they are not copied."""

import subprocess
import sys
import unittest

import numpy as np
from _data import HAS_SKLEARN, Case, noisy

from tamis import RobustNMF


class Kinds(Case):
    def setUp(self):
        super().setUp()
        self.X = noisy().V
        self.W = RobustNMF(4).fit(self.X).components_
        self.H = RobustNMF(4).fit(self.X).transform(self.X)

    def same(self, X):
        model = RobustNMF(4).fit(X)
        np.testing.assert_array_equal(model.components_, self.W)
        np.testing.assert_array_equal(model.transform(X), self.H)
        parts = RobustNMF(4)
        for i in range(0, len(self.X), 64):
            parts.partial_fit(X[i : i + 64])
        np.testing.assert_array_equal(parts.components_, self.W)

    def test_lists(self):
        self.same(self.X.tolist())

    def test_any_layout(self):
        wide = np.zeros((1200, 50))
        wide[::2, 1:49:2] = self.X
        backwards = self.X[::-1, ::-1].copy()
        for X in (
            np.asfortranarray(self.X),
            wide[::2, 1:49:2],
            backwards[::-1, ::-1],
            self.X.T.copy().T,
            self.X.astype(">f8"),
        ):
            self.same(X)

    def test_entries_that_are_not_aligned(self):
        records = np.zeros(600, dtype=[("flag", "u1"), ("x", "f8", 24)])
        records["x"] = self.X
        self.same(records["x"])

    def test_a_memory_mapped_file(self):
        self.save("x.npy", self.X)
        mapped = np.load(self.path("x.npy"), mmap_mode="r")
        self.same(mapped)

    def test_masked_entries_are_missing(self):
        gone = np.random.default_rng(0).random(self.X.shape) < 0.2
        for type_ in ("f8", "f4", "i4", ">f8"):
            with self.subTest(type_):
                X = (self.X * 100).astype(type_)
                masked = np.ma.masked_array(X, gone)
                expected = np.where(gone, np.nan, X).astype("f4" if type_ == "f4" else "f8")
                for learn in ("fit", "partial_fit"):
                    a = getattr(RobustNMF(4), learn)(masked)
                    b = getattr(RobustNMF(4), learn)(expected)
                    np.testing.assert_array_equal(a.components_, b.components_)
                    self.assertEqual(a.components_.dtype, expected.dtype)
                for use in (a.transform, a.denoise, a.score):
                    np.testing.assert_array_equal(use(masked), use(expected))

    def test_a_mask_that_hides_nothing(self):
        self.same(np.ma.masked_array(self.X))
        self.same(np.ma.masked_array(self.X, np.zeros(self.X.shape, bool)))
        X = (self.X * 100).astype("u1")
        W = RobustNMF(4).fit(X).components_
        np.testing.assert_array_equal(RobustNMF(4).fit(np.ma.masked_array(X)).components_, W)

    def test_read_only(self):
        X = self.X.copy()
        X.flags.writeable = False
        self.same(X)

    def test_what_can_be_made_an_array(self):
        class Wrapper:
            def __init__(self, X):
                self.X = X

            def __array__(self, dtype=None):
                return np.asarray(self.X, dtype)

            def __len__(self):
                return len(self.X)

            def __getitem__(self, key):
                return Wrapper(self.X[key])

        self.same(Wrapper(self.X))

    def test_data_frames(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = pandas.DataFrame(self.X)
        model = RobustNMF(4).fit(frame)
        np.testing.assert_array_equal(model.components_, self.W)
        np.testing.assert_array_equal(model.transform(frame), self.H)

    def test_precision(self):
        for given, computed in (
            ("f4", "f4"), ("f8", "f8"), ("u1", "f4"), ("u2", "f4"), ("i8", "f8"), ("f2", "f8"),
            ("?", "f8"), (">f4", "f4"), (">u2", "f4"),
        ):  # fmt: skip
            with self.subTest(given):
                X = (self.X * 200).astype(given)
                model = RobustNMF(4).fit(X)
                H, R = model.transform(X, return_outliers=True)
                for array in (model.components_, H, R, model.inverse_transform(H)):
                    self.assertEqual(array.dtype, np.dtype(computed))

    def test_another_precision_than_the_model_has(self):
        model = RobustNMF(4).fit(self.X.astype("f4"))
        H = model.transform(self.X)
        self.assertEqual(H.dtype, np.float32)
        np.testing.assert_array_equal(H, model.transform(self.X.astype("f4")))
        model.partial_fit(self.X[:64])

    def test_integers_are_divided_by_their_largest_value_and_results_are_in_their_units(self):
        bytes_ = np.round(self.X / self.X.max() * 255).astype("u1")
        words = bytes_.astype("u2") * 257  # the same numbers between 0 and 1
        numbers = bytes_.astype("f4") / np.float32(255)
        a, b, c = (RobustNMF(4, lambda_=0.1).fit(X) for X in (bytes_, words, numbers))
        for one in (a, b):
            np.testing.assert_allclose(one.components_, c.components_, atol=1e-5)
        H, R = a.transform(bytes_, return_outliers=True)
        rest = bytes_ - H @ a.components_ - R
        self.assertLess(np.abs(rest).max(), 0.1 * 255 * 1.001)
        np.testing.assert_allclose(H, 255 * a.transform(numbers), rtol=1e-3, atol=0.1)
        self.assertAlmostEqual(a.score(bytes_), a.score(numbers), places=5)
        self.assertLess(np.abs(a.denoise(bytes_, 0) - H @ a.components_).max(), 1e-3)

    def test_the_byte_order_does_not_matter(self):
        for type_ in ("u2", "f4", "f8"):
            with self.subTest(type_):
                X = (np.minimum(self.X, 1) * 65535).astype(type_)
                model = RobustNMF(4, lambda_=0.1).fit(X)
                other = RobustNMF(4, lambda_=0.1).fit(X.astype(">" + type_))
                np.testing.assert_array_equal(other.components_, model.components_)
                for R, expected in zip(
                    other.transform(X.astype(">" + type_), return_outliers=True),
                    model.transform(X, return_outliers=True),
                ):
                    np.testing.assert_array_equal(R, expected)
                np.testing.assert_array_equal(
                    other.denoise(X.astype(">" + type_), 3.0), model.denoise(X, 3.0)
                )

    def test_what_is_in_which_units(self):
        """As docs/python.md has it: the model's are those that are computed with."""
        bytes_ = np.round(np.minimum(self.X, 1) * 255).astype("u1")
        numbers = bytes_ / np.float32(255)
        a = RobustNMF(4, max_outlier=0.2).fit(bytes_)
        b = RobustNMF(4, max_outlier=0.2).fit(numbers)
        for name in ("lambda_used_", "noise_scale_", "reconstruction_err_"):
            self.assertAlmostEqual(getattr(a, name) / getattr(b, name), 1, delta=1e-3, msg=name)
        np.testing.assert_allclose(a.components_, b.components_, atol=1e-3)
        H, R = a.transform(bytes_, return_outliers=True)
        self.assertLessEqual(np.abs(R).max(), 0.2 * 255 * 1.001)
        self.assertGreater(np.abs(R).max(), 1)
        np.testing.assert_allclose(
            a.denoise(bytes_, threshold=25.5), 255 * a.denoise(numbers, threshold=0.1), atol=0.1
        )
        # Floats are computed with as they are, whatever the model was learned from.
        self.assertFalse(np.allclose(a.transform(bytes_.astype("f4")), H, rtol=0.1))


class Refused(Case):
    def test_what_is_no_matrix_of_numbers(self):
        from tamis import RobustNMF

        X = noisy(100).V
        model = RobustNMF(4).fit(X)
        for bad in (X[0], X.reshape(10, 10, 24), np.array([["a", "b"]]), X + 1j, X[:0], X[:, :0]):
            for use in (RobustNMF(4).fit, model.transform, RobustNMF(4).partial_fit):
                with self.subTest(bad.shape), self.assertRaises(ValueError):
                    use(bad)
        with self.assertRaisesRegex(ValueError, "7 features"):
            model.transform(X[:, :7])
        with self.assertRaisesRegex(ValueError, "feature 3 of sample 70 is inf"):
            X[70, 3] = np.inf
            RobustNMF(4).fit(X)

    def test_masks_that_cannot_be_told(self):
        X = np.ma.masked_greater(np.arange(60).reshape(12, 5), 50)
        for type_, top in (("u1", "255"), (">u2", "65535")):
            with self.assertRaisesRegex(ValueError, f"masked.* X / {top}$"):
                RobustNMF(2).fit(X.astype(type_))
        with self.assertRaisesRegex(ValueError, "masked"):
            RobustNMF(2, missing=None).fit(X.data, sample_weight=X[-2:].ravel().repeat(6)[:12])

    @unittest.skipUnless(HAS_SKLEARN, "scikit-learn is not installed")
    def test_sparse_matrices(self):
        import scipy.sparse

        with self.assertRaisesRegex(TypeError, "[Ss]parse"):
            RobustNMF(4).fit(scipy.sparse.csr_matrix(np.eye(5)))


MEASURE = """
import resource, sys, warnings
warnings.simplefilter("ignore")
import numpy as np
from tamis import RobustNMF

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # MB

def made(layout):
    shape = (40_000, 1000)
    if layout == "bytes":
        return np.tile(np.arange(100, dtype="u1"), (4 * 40_000, 10))
    X = np.zeros(shape, "f4", order="F" if layout == "fortran" else "C")
    X += np.linspace(0, 1, 1000, dtype="f4")
    return X

layout = sys.argv[1]
small = np.random.default_rng(0).random((300, 1000), dtype="f4")
# What the work itself needs, whatever the data's size
model = RobustNMF(4, lambda_=0.1, transform_max_iter=2, threads=1).fit(small)
model.transform(small)
model.score(small)
X = made(layout)
before = peak()
model.fit(X[:: 2] if layout == "strided" else X)
model.transform(X)
model.score(X)
model.partial_fit(X[:64])
print(peak() - before)
"""


class Memory(Case):
    def growth(self, layout):
        found = subprocess.run(
            [sys.executable, "-c", MEASURE, layout], capture_output=True, text=True, check=True
        )
        return float(found.stdout)

    def test_160_mb_of_samples_are_used_where_they_are(self):
        for layout in ("c", "fortran", "strided", "bytes"):
            with self.subTest(layout):
                self.assertLess(self.growth(layout), 60)


if __name__ == "__main__":
    unittest.main()
