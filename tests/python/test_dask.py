"""A real Dask cluster of processes learns what one process learns, also if it loses some."""

import os
import pickle
import signal
import time
import unittest

import numpy as np
from _data import HAS_SKLEARN, Case, noisy, skip_all

import tamis
from tamis._base import NotFittedError

try:
    import dask
    import dask.array
    from distributed import Client, LocalCluster

    from tamis._cluster import ClientRank, Part
    from tamis.dask import RobustNMF
except ImportError as error:
    skip_all(error)

PATIENCE = 120  # seconds after which something hangs; never reached when all is well
dask.config.set({
    "distributed.comm.timeouts.connect": PATIENCE,
    "distributed.deploy.lost-worker-timeout": PATIENCE,  # within which it has to be back
})  # fmt: skip


def learned_alone(blocks, tau, parallel, passes=1, weights=None, **parameters):
    """One process with the mini-batches that the documentation promises."""
    model = tamis.RobustNMF(**parameters)
    for _ in range(passes):
        lanes = []
        for p in range(parallel):
            numbers = [
                (i, slice(first, first + tau))
                for i in range(p, len(blocks), parallel)
                for first in range(0, len(blocks[i]), tau)
            ]
            lanes.append(numbers)
        for step in range(max(map(len, lanes))):
            parts = [lane[step] for lane in lanes if step < len(lane)]
            X = np.concatenate([blocks[i][rows] for i, rows in parts])
            s = weights and np.concatenate([weights[i][rows] for i, rows in parts])
            model.partial_fit(X, sample_weight=s)
    return model


def cut(X, *lengths):
    return np.split(X, np.cumsum(lengths)[:-1])


def array_of(blocks):
    return dask.array.concatenate([dask.array.from_array(b, chunks=b.shape) for b in blocks])


class ClusterCase(Case):
    cluster = client = None  # of all tests

    def setUp(self):
        super().setUp()
        self.X = noisy(576).V

    def assert_same_model(self, one, other, tolerance=1e-10):
        W = other.components_
        self.assertEqual(one.components_.dtype, W.dtype)
        self.assertLessEqual(np.linalg.norm(one.components_ - W), tolerance * np.linalg.norm(W))
        for name in ("lambda_used_", "reconstruction_err_"):
            self.assertAlmostEqual(getattr(one, name) / getattr(other, name), 1, delta=tolerance)
        for name in ("n_steps_", "n_samples_seen_"):
            self.assertEqual(getattr(one, name), getattr(other, name), name)


class Fits(ClusterCase):
    def check(self, X=None, tolerance=1e-10, tau=16, weights=None, **parameters):
        """Uneven blocks, in three lanes."""
        lengths = (100, 40, 60, 96, 1, 279)
        blocks = cut(self.X if X is None else X, *lengths)
        s = None if weights is None else cut(weights, *lengths)
        model = RobustNMF(4, batch_size=tau, parallel_blocks=3, client=self.client, **parameters)
        model.fit(array_of(blocks), sample_weight=None if s is None else array_of(s))
        passes = parameters.pop("max_iter", 1)
        alone = learned_alone(blocks, tau, 3, passes, s, n_components=4, **parameters)
        self.assert_same_model(model, alone, tolerance)
        self.assertEqual(model.n_iter_, passes)
        return model

    def test_blocks_of_one_length_make_up_larger_mini_batches(self):
        X = dask.array.from_array(self.X, chunks=(96, 24))
        model = RobustNMF(4, batch_size=16, max_iter=2, algorithm="oadmm").fit(X)
        lanes = self.X.reshape(2, 3, 6, 16, 24)  # rounds, blocks, mini-batches, samples
        in_order = lanes.swapaxes(1, 2).reshape(self.X.shape)
        alone = tamis.RobustNMF(4, batch_size=48, max_iter=2, algorithm="oadmm").fit(in_order)
        self.assert_same_model(model, alone)
        self.assertEqual(model.n_iter_, 2)
        self.assertEqual(model.fit_info_["status"], "completed")
        self.assertEqual(model.settings_["batch_size"], 16)

    def test_uneven_blocks(self):
        self.check()
        self.check(max_iter=2)

    def test_other_settings(self):
        for parameters in (
            {"algorithm": "orpca"},
            {"algorithm": "opgd"},
            {"init": "nndsvd", "code_penalty": "lasso:0.05"},
            {"lambda_": 0.2, "constraint": "simplex", "normalize": "max"},
        ):
            with self.subTest(parameters):
                self.check(**parameters)

    def test_types(self):
        self.check(X=self.X.astype("f4"), tolerance=1e-4)
        model = self.check(X=np.clip(255 * self.X, 0, 255).astype("u1"), tolerance=1e-4)
        self.assertEqual(model.components_.dtype, np.float32)
        self.check(X=(10 * self.X).astype("i4"))

    def test_missing_entries_and_weights(self):
        random = np.random.default_rng(5)
        self.check(X=np.where(random.random(self.X.shape) < 0.2, np.nan, self.X))
        self.check(weights=random.uniform(0, 2, len(self.X)))

    def test_atoms_that_begin_anew(self):
        X = self.X.copy()
        X[:150] = 0
        X[5:9] = self.X[5:9]
        model = self.check(X=X, init="samples")
        self.assertGreater(model._learned.model_state(False)["reseeded"], 0)

    def test_a_list_of_delayed_blocks(self):
        blocks = cut(self.X, 200, 176, 0, 0, 200)
        model = RobustNMF(4, batch_size=16, parallel_blocks=2)
        model.fit([dask.delayed(block) for block in blocks])
        self.assert_same_model(model, learned_alone(blocks, 16, 2, n_components=4))
        codes = model.transform([dask.delayed(block) for block in blocks])
        np.testing.assert_array_equal(np.vstack(dask.compute(*codes)), model.transform(self.X))

    def test_blocks_of_unknown_length(self):
        X = dask.array.from_array(self.X, chunks=(96, 24))
        X = X[X[:, 0] > np.median(self.X[:, 0])]
        model = RobustNMF(4, parallel_blocks=2).fit(X)
        self.assertEqual(model.n_samples_seen_, 288)
        self.assertEqual(model.transform(X).compute().shape, (288, 4))

    def test_features_in_several_chunks(self):
        X = dask.array.from_array(self.X, chunks=(96, 10))
        model = RobustNMF(4).fit(X)
        np.testing.assert_array_equal(model.transform(X).compute(), model.transform(self.X))

    def test_transform_is_lazy_and_the_same(self):
        X = dask.array.from_array(self.X, chunks=(100, 24))
        model = RobustNMF(4).fit(X)
        H, R = model.transform(X, return_outliers=True)
        self.assertIsInstance(H, dask.array.Array)
        self.assertEqual((H.shape, R.shape), ((576, 4), (576, 24)))
        expected = model.transform(self.X, return_outliers=True)
        for found, there in zip(dask.compute(H, R), expected):
            np.testing.assert_array_equal(found, there)
        np.testing.assert_array_equal(model.transform(X).compute(), expected[0])
        model.partial_fit(self.X[:99])  # what was asked for before stays as it was
        np.testing.assert_array_equal(H.compute(), expected[0])
        again = RobustNMF(4).fit_transform(X.astype("f4"))
        self.assertEqual(again.dtype, np.float32)
        self.assertEqual(again.compute().dtype, np.float32)

    def test_what_was_learned_goes_on_without_a_cluster(self):
        model = RobustNMF(4, client=self.client).fit(dask.array.from_array(self.X, chunks=(96, 24)))
        again = pickle.loads(pickle.dumps(model))
        self.assertIsNone(again.client)
        np.testing.assert_array_equal(again.components_, model.components_)
        again.partial_fit(self.X[:50])
        model.save(self.path("m.h5"))
        plain = tamis.RobustNMF.load(self.path("m.h5"))
        np.testing.assert_array_equal(plain.transform(self.X), model.transform(self.X))


def setUpModule():
    ClusterCase.cluster = LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None
    )
    ClusterCase.client = Client(ClusterCase.cluster)


def tearDownModule():
    ClusterCase.client.close()
    ClusterCase.cluster.close()


class Here:
    """A client whose tasks run at once, in this process."""

    def submit(self, task, *arguments, pure):
        return task(*arguments)

    def gather(self, results):
        return results


class Rounds(unittest.TestCase):
    def test_atoms_that_die_while_others_rest(self):
        # Who lives is decided by A, which tasks know only in later rounds.
        random = np.random.default_rng(0)
        parts = np.kron(np.eye(4), np.ones(6)) * random.uniform(0.5, 1, 24)

        def samples(*active):
            return random.uniform(0.2, 1, (16, len(active))) @ parts[list(active)]

        batches = [[samples(0, 1), samples(0, 1)] for _ in range(2)]
        batches += [[samples(2), samples(2)] for _ in range(3)]
        batches += [[samples(3), samples(1)] for _ in range(2)]
        model = tamis.RobustNMF(6, forget="decay:0.8", lambda_=0.1)
        learned = model._make_core(np.float64)
        rounds = []
        for batch in batches:
            comm = ClientRank(Here(), learned, [Part(X, None, 0, len(X)) for X in batch])
            learned.partial_fit(np.empty((0, 24)), None, comm, comm.counts)
            rounds.append(len(comm._known))
            model.partial_fit(np.concatenate(batch))
        self.assertLess(np.abs(learned.components - model.components_).max(), 1e-10)
        self.assertEqual(min(rounds), 1)
        self.assertGreater(max(rounds[1:]), 1)


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

    def test_parameters_that_cannot_be(self):
        for parameters in (
            {"shuffle": True}, {"keep_outliers": True}, {"parallel_blocks": 0}, {"algorithm": "onmf"},
            {"algorithm": "bpgd"}, {"max_iter": 0},
        ):  # fmt: skip
            with self.subTest(parameters), self.assertRaises(ValueError):
                RobustNMF(4, **parameters).fit(self.D)
        with self.assertRaises(TypeError):
            RobustNMF(4, comm=None)
        with self.assertRaises(NotFittedError):
            RobustNMF(4).transform(self.D)

    def test_a_callback_ends_the_fit(self):
        seen = []

        def stop(progress):
            seen.append((progress.samples, progress.total, progress.objective > 0))
            return progress.batches < 3

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
