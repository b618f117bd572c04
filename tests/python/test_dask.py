"""A real Dask cluster of processes learns what one process learns."""

import pickle
import unittest

import numpy as np
from _dask_cluster import ClusterCase, array_of, cut, learned_alone, start, stop

import dask
import dask.array
import tamis
from tamis._cluster import ClientRank, Part
from tamis.dask import RobustNMF

setUpModule, tearDownModule = start, stop


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

    def test_masked_entries_are_missing(self):
        gone = np.random.default_rng(0).random(self.X.shape) < 0.2
        chunks = (96, 24)
        given = dask.array.from_array(np.ma.masked_array(self.X, gone), chunks=chunks)
        expected = dask.array.from_array(np.where(gone, np.nan, self.X), chunks=chunks)
        a, b = (RobustNMF(4, parallel_blocks=2).fit(D) for D in (given, expected))
        np.testing.assert_array_equal(a.components_, b.components_)
        np.testing.assert_array_equal(a.transform(given).compute(), b.transform(expected).compute())

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


if __name__ == "__main__":
    unittest.main()
