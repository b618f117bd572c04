"""A Dask cluster that loses workers learns the same; what cannot be learned from is refused."""

import os
import signal
import time
import unittest

import numpy as np
from _dask_cluster import PATIENCE, ClusterCase, array_of, cut, learned_alone, start, stop
from _data import HAS_SKLEARN

import dask
import dask.array
from tamis._base import NotFittedError
from tamis.dask import RobustNMF

setUpModule, tearDownModule = start, stop


class Lost(ClusterCase):
    """Workers that are killed; blocks note whenever they are made."""

    def setUp(self):
        super().setUp()
        self.addCleanup(self.wait_for_new_workers)  # a cluster cannot be closed before
        self.blocks = cut(self.X, 96, 96, 96, 96, 96, 96)
        self.expected = RobustNMF(4, batch_size=8, parallel_blocks=3).fit(array_of(self.blocks))
        self.assert_same_model(self.expected, learned_alone(self.blocks, 8, 3, n_components=4))

    def wait_for_new_workers(self):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                there = sorted(self.client.run(os.getpid).values())
            except (OSError, ValueError, RuntimeError):  # of one that is just being lost
                there = []
            started = [nanny.pid or 0 for nanny in self.cluster.workers.values()]
            if len(there) == 3 and there == sorted(started):
                return
            time.sleep(0.05)
        self.fail("lost workers are not started again")

    def delayed_blocks(self, make):
        folder = str(self.folder)
        return [dask.delayed(make, pure=False)(folder, i, b) for i, b in enumerate(self.blocks)]

    def test_a_worker_that_dies_while_it_makes_a_block(self):
        def make(folder, i, block):
            note = os.path.join(folder, f"died-{i}")
            if i in (2, 3) and not os.path.exists(note):
                open(note, "w").close()
                os.kill(os.getpid(), signal.SIGKILL)
            return block

        model = RobustNMF(4, batch_size=8, parallel_blocks=3).fit(self.delayed_blocks(make))
        self.assertEqual(self.names(), ["died-2", "died-3"])
        np.testing.assert_array_equal(model.components_, self.expected.components_)

    def test_a_worker_that_is_killed_in_the_middle(self):
        def make(folder, i, block):
            open(os.path.join(folder, f"{i}-{os.getpid()}"), "w").close()
            return block

        killed = []

        def kill(progress):
            if progress.batches in (4, 17):
                # The block of the first lane is there, and has been learned from.
                wanted = f"{0 if progress.batches == 4 else 3}-"
                makers = [int(n.split("-")[1]) for n in self.names() if n.startswith(wanted)]
                holder = max(makers, key=lambda pid: os.path.getmtime(self.path(f"{wanted}{pid}")))
                os.kill(holder, signal.SIGKILL)
                killed.append(holder)

        model = RobustNMF(4, batch_size=8, parallel_blocks=3, callback=kill)
        model.fit(self.delayed_blocks(make))
        self.assertEqual(len(killed), 2)
        self.assertGreater(len(self.names()), len(self.blocks))  # some were made again
        np.testing.assert_array_equal(model.components_, self.expected.components_)

    def test_a_worker_that_dies_in_the_middle_of_a_task(self):
        note = str(self.path("died"))

        class Deadly:
            """An array whose rows kill who first looks at the later ones."""

            def __init__(self, X):
                self.X = X

            def __array__(self, dtype=None):
                if os.path.exists(note + "-armed") and not os.path.exists(note):
                    open(note, "w").close()
                    os.kill(os.getpid(), signal.SIGKILL)
                return self.X

        def make(folder, i, block):
            return Deadly(block)

        def arm(progress):
            if progress.batches == 5:
                open(note + "-armed", "w").close()

        model = RobustNMF(4, batch_size=8, parallel_blocks=3, callback=arm)
        model.fit(self.delayed_blocks(make))
        self.assertIn("died", self.names())
        np.testing.assert_array_equal(model.components_, self.expected.components_)


class Trouble(ClusterCase):
    def setUp(self):
        super().setUp()
        self.D = dask.array.from_array(self.X, chunks=(96, 24))

    def test_bad_data(self):
        X = self.X.copy()
        X[300, 7] = -2
        model = RobustNMF(4).fit(self.D)
        W = model.components_
        with self.assertRaisesRegex(ValueError, "feature 7 of sample .* is -2"):
            model.fit(dask.array.from_array(X, chunks=(96, 24)))
        np.testing.assert_array_equal(model.components_, W)

    def test_what_makes_a_block_may_raise(self):
        def broken():
            raise OSError("the disk is gone")

        with self.assertRaisesRegex(OSError, "disk"):
            RobustNMF(4).fit([dask.delayed(self.X), dask.delayed(broken)()])

    def test_what_cannot_be_fitted(self):
        for X, kind, words in (
            (self.X, TypeError, "tamis.RobustNMF"),
            (self.X.tolist(), TypeError, "delayed"),
            ([], TypeError, "delayed"),
            (self.D[:, 0], ValueError, "dimensions"),
            ([dask.delayed(self.X), dask.delayed(self.X[:, :9])], ValueError, "block 1 has 9 feat"),
            ([dask.delayed(self.X), dask.delayed(self.X.astype("f4"))], ValueError, "block 1"),
            ([dask.delayed(self.X[:0])], ValueError, "no samples"),
        ):
            with self.assertRaisesRegex(kind, words):
                RobustNMF(4).fit(X)
        with self.assertRaisesRegex(ValueError, "blocks"):
            RobustNMF(4).fit(self.D, sample_weight=dask.array.ones(576, chunks=200))
        with self.assertRaisesRegex(ValueError, "sample_weight"):
            uneven = dask.array.ones(570, chunks=95)
            RobustNMF(4).fit(self.D, sample_weight=uneven)

    def test_weights_that_are_not_those_of_their_block(self):
        with self.assertRaisesRegex(ValueError, "block 0 of sample_weight has 100 .* 96 samples"):
            RobustNMF(4).fit(self.D, sample_weight=dask.array.ones(600, chunks=100))
        for n in (97, 95):  # only known to who makes it
            weights = [dask.delayed(np.ones)(96)] * 5 + [dask.delayed(np.ones)(n)]
            with self.subTest(n), self.assertRaisesRegex(ValueError, "sample_weight"):
                RobustNMF(4, batch_size=32).fit(self.D, sample_weight=weights)

    def test_parameters_that_cannot_be(self):
        for parameters in (
            {"shuffle": True}, {"keep_outliers": True}, {"parallel_blocks": 0}, {"max_iter": 0},
            {"algorithm": "onmf"},
        ):  # fmt: skip
            with self.subTest(parameters), self.assertRaises(ValueError):
                RobustNMF(4, **parameters).fit(self.D)
        with self.assertRaisesRegex(ValueError, "bpgd needs all .* tamis.RobustNMF"):
            RobustNMF(4, algorithm="bpgd").fit(self.D)
        with self.assertRaises(TypeError):
            RobustNMF(4, comm=None)

        class Tuned(RobustNMF):
            def __init__(self, n_components=4, extra=1):
                super().__init__(n_components, parallel_blocks=2)
                self.extra = extra

        self.assertEqual(Tuned(3).fit(self.D).n_components_, 3)
        with self.assertRaises(NotFittedError):
            RobustNMF(4).transform(self.D)

    def test_a_callback_ends_the_fit(self):
        seen = []

        def stop(progress):
            seen.append((progress.samples, progress.total, progress.objective > 0))
            return np.bool_(progress.batches < 3)

        model = RobustNMF(4, batch_size=16, max_iter=2, parallel_blocks=2, callback=stop)
        model.fit(self.D)
        self.assertEqual(seen, [(32, 1152, True), (64, 1152, True), (96, 1152, True)])
        self.assertEqual(model.fit_info_["status"], "interrupted")
        self.assertEqual(model.n_steps_, 3)

    def test_ctrl_c_keeps_what_was_learned(self):
        def interrupt(progress):
            if progress.batches == 3:
                raise KeyboardInterrupt

        model = RobustNMF(4, batch_size=16, callback=interrupt)
        with self.assertRaises(KeyboardInterrupt):
            model.fit(self.D)
        self.assertEqual(model.n_steps_, 3)
        self.assertEqual(model.transform(self.X).shape, (576, 4))

    @unittest.skipUnless(HAS_SKLEARN, "scikit-learn is not installed")
    def test_clones_have_the_same_client(self):
        from sklearn.base import clone

        model = RobustNMF(4, client=self.client, parallel_blocks=2)
        self.assertIs(clone(model).client, self.client)
        self.assertEqual(clone(model).get_params(), model.get_params())
        self.assertNotIn("comm", model.get_params())


if __name__ == "__main__":
    unittest.main()
