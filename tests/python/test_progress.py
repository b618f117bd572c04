"""A fit can be watched and stopped."""

import io
import signal
import subprocess
import sys
import time
import traceback
import unittest
from contextlib import redirect_stderr
from unittest import mock

import numpy as np
from _data import Case, noisy

import tamis
from tamis import RobustNMF


class Callbacks(Case):
    def setUp(self):
        super().setUp()
        self.X = noisy(640).V

    def test_after_every_mini_batch(self):
        seen = []
        model = RobustNMF(4, callback=lambda p: seen.append((p.samples, p.batches)), max_iter=2)
        model.fit(self.X)
        self.assertEqual(seen, [(64 * (i + 1), i + 1) for i in range(20)])

    def test_what_is_told(self):
        last = []

        def note(progress):
            self.assertIsInstance(progress, tamis.Progress)
            last[:] = [progress.total, progress.epoch, progress.loss, progress.objective,
                       progress.lambda_]  # fmt: skip

        model = RobustNMF(4, callback=note).fit(self.X)
        total, epoch, loss, objective, lambda_ = last
        self.assertEqual((total, epoch), (640, 0))
        self.assertGreater(loss, 0)
        self.assertAlmostEqual(objective, model.reconstruction_err_)
        self.assertEqual(lambda_, model.lambda_used_)

    def test_false_ends_the_fit_there(self):
        model = RobustNMF(4, callback=lambda p: p.batches < 3).fit(self.X)
        self.assertEqual(model.n_samples_seen_, 3 * 64)
        self.assertEqual(model.fit_info_["status"], "interrupted")
        parts = RobustNMF(4)
        for i in range(3):
            parts.partial_fit(self.X[64 * i : 64 * (i + 1)])
        np.testing.assert_array_equal(model.components_, parts.components_)

    def test_whatever_is_false_ends_the_fit_but_not_none(self):
        for answer, batches in ((np.False_, 1), (0, 1), (np.zeros(1), 1), ("", 1),
                                (None, 10), (np.True_, 10), (1, 10)):  # fmt: skip
            for verbose in (0, 1):
                with self.subTest(repr(answer)), redirect_stderr(io.StringIO()):
                    model = RobustNMF(4, callback=lambda p: answer, verbose=verbose).fit(self.X)
                    self.assertEqual(model.n_steps_, batches)
        with self.assertRaisesRegex(ValueError, "truth value"):
            RobustNMF(4, callback=lambda p: np.zeros(2)).fit(self.X)

    def test_what_it_raises_comes_out_and_what_was_learned_stays(self):
        def fail(progress):
            if progress.batches == 3:
                raise LookupError("enough")

        model = RobustNMF(4, callback=fail)
        try:
            model.fit(self.X)
            self.fail("nothing was raised")
        except LookupError as error:
            frames = [frame.name for frame in traceback.extract_tb(error.__traceback__)]
        self.assertEqual(frames[-1], "fail")
        self.assertEqual(model.n_samples_seen_, 3 * 64)
        self.assertEqual(model.transform(self.X).shape, (640, 4))
        model.set_params(callback=None).fit(self.X)

    def test_the_model_may_be_used_meanwhile(self):
        model = RobustNMF(4).fit(self.X)
        shapes = []
        model.set_params(callback=lambda p: shapes.append(model.transform(self.X[:2]).shape))
        model.fit(self.X)
        self.assertEqual(shapes, [(2, 4)] * 10)


class Shown(Case):
    def setUp(self):
        super().setUp()
        self.X = noisy(640).V

    def test_by_tqdm(self):
        try:
            import tqdm  # noqa: F401
        except ImportError:
            self.skipTest("tqdm is not installed")
        with redirect_stderr(io.StringIO()) as shown:
            RobustNMF(4, verbose=1).fit(self.X)
        self.assertIn("640/640", shown.getvalue())
        self.assertIn("objective", shown.getvalue())

    def test_by_lines_without_tqdm(self):
        with mock.patch.dict(sys.modules, {"tqdm": None, "tqdm.auto": None}):
            with redirect_stderr(io.StringIO()) as shown:
                RobustNMF(4, verbose=1).fit(self.X)
        self.assertRegex(shown.getvalue(), r"tamis: \d+ of 640 samples, objective")

    def test_together_with_a_callback(self):
        seen = []
        with redirect_stderr(io.StringIO()) as shown:
            RobustNMF(4, verbose=1, callback=lambda p: seen.append(p.samples)).fit(self.X)
        self.assertEqual(len(seen), 10)
        self.assertTrue(shown.getvalue())

    def test_silent_unless_asked(self):
        with redirect_stderr(io.StringIO()) as shown:
            RobustNMF(4).fit(self.X)
        self.assertEqual(shown.getvalue(), "")


INTERRUPTED = """
import sys, time, signal
import numpy as np
from tamis import RobustNMF
signal.signal(signal.SIGINT, signal.default_int_handler)
what = sys.argv[1]
X = np.random.default_rng(0).random((20_000, 200))
model = RobustNMF(20, {settings})
small = RobustNMF(20, transform_tol=0, transform_max_iter=10_000).fit(X[:1000])
print("begin", flush=True)
try:
    model.fit(X) if what == "fit" else small.transform(X)
    print("ended by itself")
except KeyboardInterrupt:
    print("interrupted", flush=True)
    if what == "fit":
        print(model.n_samples_seen_ > 0, model.transform(X[:5]).shape)
        model.partial_fit(X[:64])
        model.set_params(max_iter=1, algorithm="fast").fit(X[:500])
    small.transform(X[:1])
    print("usable", flush=True)
"""


class Interrupted(Case):
    """Ctrl-C."""

    def interrupt(self, what, settings="max_iter=100_000"):
        process = subprocess.Popen(
            [sys.executable, "-c", INTERRUPTED.format(settings=settings), what],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "begin\n")
        time.sleep(0.5)  # for the work to begin; if it has not, the test is only easier
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.stdout.readline(), "interrupted\n")
        rest = process.stdout.read()
        self.assertEqual(process.wait(60), 0)
        self.assertIn("usable", rest)
        return rest

    def test_a_long_fit(self):
        self.assertIn("True (5, 20)", self.interrupt("fit"))

    def test_a_fit_of_another_algorithm(self):
        self.interrupt("fit", "algorithm='opgd', max_iter=1000")

    def test_a_long_transform(self):
        self.interrupt("transform")


if __name__ == "__main__":
    unittest.main()
