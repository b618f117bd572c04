"""Pictures, drawn without a screen."""

import subprocess
import sys
import unittest

import numpy as np
from _data import Case, skip_all

from tamis import RobustNMF

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    skip_all("matplotlib is not installed")

from tamis import plot


class Plots(Case):
    def setUp(self):
        super().setUp()
        self.X = np.random.default_rng(0).random((300, 12))
        self.model = RobustNMF(5).fit(self.X)
        self.addCleanup(plt.close, "all")

    def test_tiles(self):
        picture = plot.tiles(np.arange(12).reshape(3, 4), (2, 2), columns=2)
        self.assertEqual(picture.shape, (5, 5))
        np.testing.assert_allclose(picture[:2, :2], np.arange(4).reshape(2, 2) / 3)
        np.testing.assert_allclose(picture[:2, 3:], np.arange(4, 8).reshape(2, 2) / 7)
        np.testing.assert_allclose(picture[3:, :2], np.arange(8, 12).reshape(2, 2) / 11)
        self.assertTrue(np.isnan(picture[2]).all())
        self.assertTrue(np.isnan(picture[3:, 3:]).all())
        self.assertTrue((plot.tiles(np.zeros((1, 4)), (2, 2)) == 0).all())

    def test_basis(self):
        ax = plot.basis(self.model, shape=(3, 4), columns=3)
        image = ax.get_images()[0].get_array()
        self.assertEqual(image.shape, (2 * 4 - 1, 3 * 5 - 1))
        atom = self.model.components_[0].reshape(3, 4)
        np.testing.assert_allclose(image[:3, :4], atom / atom.max())
        given = plt.subplots()[1]
        self.assertIs(plot.basis(self.model, shape=(4, 3), ax=given), given)

    def test_shapes(self):
        with self.assertRaisesRegex(ValueError, "shape"):
            plot.basis(self.model)  # 12 is no square
        with self.assertRaisesRegex(ValueError, "5×5"):
            plot.basis(self.model, shape=(5, 5))
        with self.assertRaisesRegex(ValueError, "height, width"):
            plot.basis(self.model, shape=(2, 2, 3))

    def test_the_shape_that_a_file_remembers(self):
        images = np.random.default_rng(0).random((50, 4, 6), dtype="f4")
        self.save("x.npy", images)
        self.tamis("fit", "x.npy", "--rank", 2, "--out", "m.h5", "--quiet")
        ax = plot.basis(RobustNMF.load(self.path("m.h5")), columns=1)
        self.assertEqual(ax.get_images()[0].get_array().shape, (9, 6))

    def test_the_objective(self):
        ax = plot.objective(self.model, label="a")
        x, y = ax.get_lines()[0].get_data()
        np.testing.assert_array_equal(x, self.model.trace_["samples"])
        np.testing.assert_array_equal(y, self.model.trace_["objective"])
        with self.assertRaisesRegex(ValueError, "history"):
            plot.objective(RobustNMF(5).partial_fit(self.X))

    def test_a_sample_and_what_was_made_of_it(self):
        x = self.X[0].copy()
        x[3] = np.nan
        axes = plot.panel(self.model, x, shape=(3, 4))
        H, R = self.model.transform(x[None], return_outliers=True)
        shown = [ax.get_images()[0].get_array() for ax in axes]
        np.testing.assert_allclose(shown[1].ravel(), self.model.inverse_transform(H)[0])
        np.testing.assert_allclose(shown[2].ravel(), R[0])

    def test_matplotlib_is_imported_only_when_used(self):
        script = "import sys, tamis, tamis.plot; sys.exit('matplotlib' in sys.modules)"
        subprocess.run([sys.executable, "-c", script], check=True)


if __name__ == "__main__":
    unittest.main()
