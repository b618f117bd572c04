"""Ranks learn together what one process learns, here as threads; test_mpi.py has processes."""

import copy
import pickle
import unittest

import numpy as np
from _data import HAS_SKLEARN, Case, noisy
from _thread_ranks import Meeting, ThreadComm, parts, together

from tamis import RobustNMF


class Fits(Case):
    def setUp(self):
        super().setUp()
        self.X = noisy().V

    def assert_same_model(self, one, other, tolerance=1e-10):
        W = other.components_
        self.assertLessEqual(np.linalg.norm(one.components_ - W), tolerance * np.linalg.norm(W))
        for name in ("lambda_used_", "reconstruction_err_"):
            self.assertAlmostEqual(getattr(one, name) / getattr(other, name), 1, delta=tolerance)
        for name in ("n_steps_", "n_samples_seen_", "n_iter_"):
            self.assertEqual(getattr(one, name), getattr(other, name), name)

    def check_fit(self, size=3, tau=16, tolerance=1e-10, X=None, **parameters):
        X = self.X if X is None else X
        shares = parts(X, size, tau)
        models = together(
            size, lambda c: RobustNMF(4, batch_size=tau, comm=c, **parameters).fit(shares[c.Get_rank()])
        )  # fmt: skip
        for model in models[1:]:
            np.testing.assert_array_equal(model.components_, models[0].components_)
            self.assertEqual(model.fit_info_["samples"], models[0].fit_info_["samples"])
        alone = RobustNMF(4, batch_size=size * tau, **parameters).fit(X)
        self.assert_same_model(models[0], alone, tolerance)
        return models

    def test_ranks_learn_what_one_process_learns(self):
        for size in (1, 2, 3, 4):
            with self.subTest(size):
                self.check_fit(size)

    def test_other_settings(self):
        for parameters in (
            {"max_iter": 3},
            {"algorithm": "orpca"},
            {"init": "samples"},
            {"init": "nndsvd"},
            {"lambda_": 0.2, "constraint": "simplex"},
            {"code_penalty": "lasso:0.05"},
        ):
            with self.subTest(parameters):
                self.check_fit(**parameters)
        for algorithm in ("opgd", "oadmm"):  # whose first codes are drawn for each sample
            with self.subTest(algorithm):
                self.check_fit(X=self.X[:576], algorithm=algorithm)

    def test_sums_one_mini_batch_late(self):
        def learn(size, **more):
            shares = parts(self.X, size, 48 // size)
            return together(size, lambda c: RobustNMF(4, batch_size=48 // size, max_iter=2, comm=c, **more)
                            .fit(shares[c.Get_rank()]))  # fmt: skip

        late = {size: learn(size, async_=True) for size in (2, 3, 4)}
        for models in late.values():
            for model in models:
                np.testing.assert_array_equal(model.components_, models[0].components_)
            self.assert_same_model(models[0], late[2][0])
        in_time = learn(2)[0].components_
        self.assertGreater(np.abs(late[2][0].components_ - in_time).max(), 1e-4)
        alone = RobustNMF(4, batch_size=48, max_iter=2)
        np.testing.assert_array_equal(
            alone.fit(self.X).components_, alone.set_params(async_=True).fit(self.X).components_
        )

    def test_types(self):
        self.check_fit(X=self.X.astype("f4"), tolerance=1e-4)
        bytes_ = np.clip(255 * self.X, 0, 255).astype("u1")
        models = self.check_fit(X=bytes_, tolerance=1e-4)
        self.assertEqual(models[0].components_.dtype, np.float32)

    def test_missing_entries(self):
        X = np.where(np.random.default_rng(5).random(self.X.shape) < 0.2, np.nan, self.X)
        self.check_fit(X=X)

    def test_weights(self):
        weights = np.random.default_rng(6).uniform(0, 2, len(self.X))
        X, s = parts(self.X, 2, 16), parts(weights, 2, 16)
        model, _ = together(
            2, lambda c: RobustNMF(4, batch_size=16, comm=c)
            .fit(X[c.Get_rank()], sample_weight=s[c.Get_rank()])
        )  # fmt: skip
        alone = RobustNMF(4, batch_size=32).fit(self.X, sample_weight=weights)
        self.assert_same_model(model, alone)

    def test_uneven_shares(self):
        shares = [self.X[:100], self.X[100:100], self.X[100:150], self.X[150:390]]
        models = together(
            4, lambda c: RobustNMF(4, batch_size=16, comm=c).fit(shares[c.Get_rank()])
        )
        alone = RobustNMF(4)
        for first in range(0, 240, 16):
            alone.partial_fit(np.concatenate([share[first : first + 16] for share in shares]))
        np.testing.assert_array_equal(models[1].components_, models[3].components_)
        self.assertLess(np.abs(models[0].components_ - alone.components_).max(), 1e-10)
        self.assertEqual(models[1].n_samples_seen_, 390)

    def test_partial_fit(self):
        for algorithm in ("fast", "oadmm"):
            self.check_partial_fit(algorithm=algorithm)
        self.check_partial_fit(init="samples")

    def check_partial_fit(self, **parameters):
        cuts = [(0, 10, 10, 40), (40, 40, 60, 61), (61, 90, 150, 200), (200, 200, 200, 201)]

        def learn(comm):
            rank = comm.Get_rank()
            model = RobustNMF(4, comm=comm, **parameters)
            for cut in cuts:
                model.partial_fit(self.X[cut[rank] : cut[rank + 1]])
            return model

        models = together(3, learn)
        alone = RobustNMF(4, **parameters)
        for cut in cuts:
            alone.partial_fit(self.X[cut[0] : cut[-1]])
        for model in models:
            self.assert_same_model(model, alone)
            np.testing.assert_array_equal(model.components_, models[0].components_)

    def test_codes_and_outliers_are_those_of_a_ranks_own_samples(self):
        shares = [self.X[:50], self.X[50:50], self.X[50:]]

        def learn(comm):
            model = RobustNMF(4, comm=comm, keep_outliers=True)
            return model.fit_transform(shares[comm.Get_rank()]), model.outliers_

        for (H, R), share in zip(together(3, learn), shares):
            self.assertEqual(H.shape, (len(share), 4))
            self.assertEqual(R.shape, share.shape)

    def test_a_seed_of_64_bits(self):
        seed = 2**64 - 1
        made = lambda c: RobustNMF(4, comm=c, random_state=seed).fit(self.X)  # noqa: E731
        for model in together(2, made):
            self.assertEqual(model.settings_["seed"], seed)

    def test_one_random_state_for_all(self):
        W = together(
            2, lambda c: RobustNMF(4, comm=c, random_state=None).fit(self.X).components_
        )
        np.testing.assert_array_equal(*W)

    def test_more_numbers_than_are_added_up_at_once(self):
        X = noisy(40, features=30000, rank=40).V.astype("f4")  # 1.2 million numbers in B
        meetings = []

        def learn(comm):
            meetings.append(comm._meeting)
            return RobustNMF(40, batch_size=20, comm=comm).fit(X).components_

        np.testing.assert_array_equal(*together(2, learn))
        self.assertEqual(max(meetings[0].lengths), 2**20)

    def test_one_rank_ends_the_fit_of_all(self):
        def learn(comm):
            stop = comm.Get_rank() == 1
            model = RobustNMF(4, batch_size=8, max_iter=1000, comm=comm)
            model.callback = (lambda progress: progress.batches < 5) if stop else None
            return model.fit(self.X)

        models = together(2, learn)
        np.testing.assert_array_equal(models[0].components_, models[1].components_)
        for model in models:
            self.assertEqual(model.fit_info_["status"], "interrupted")
            self.assertLess(model.n_steps_, 10)


class Trouble(Case):
    def setUp(self):
        super().setUp()
        self.X = noisy(60).V

    def test_what_allreduce_raises_comes_out(self):
        models = [RobustNMF(4).fit(self.X) for _ in range(2)]
        W = models[0].components_

        def learn(comm, method, calls):
            add_up = comm.Allreduce

            def until_it_breaks(*arrays):
                nonlocal calls
                calls -= 1
                if calls < 0:
                    raise ConnectionError("the network is gone")
                add_up(*arrays)

            if comm.Get_rank() == 1:
                comm.Allreduce = until_it_breaks
            getattr(models[comm.Get_rank()].set_params(comm=comm), method)(self.X)

        for method in ("fit", "partial_fit"):
            for calls in range(3):
                with self.assertRaisesRegex(ConnectionError, "network"):
                    together(2, lambda comm: learn(comm, method, calls))
                for model in models:
                    np.testing.assert_array_equal(model.components_, W)
        models[0].set_params(comm=None).partial_fit(self.X)

    def test_ranks_that_do_not_fit_together(self):
        X = self.X
        for make, word in (
            (lambda r: RobustNMF(4 + r), "rank 1 has other settings"),
            (lambda r: RobustNMF(4, random_state=r), "other settings"),
        ):
            with self.assertRaisesRegex(ValueError, word):
                together(2, lambda c: make(c.Get_rank()).set_params(comm=c).fit(X))
        for kind in (X[:, :-1], X.astype("f4"), (255 * X).clip(0, 255).astype("u1")):
            for method in ("fit", "partial_fit"):
                with self.assertRaisesRegex(ValueError, "rank 1"):
                    together(
                        2, lambda c: getattr(RobustNMF(4, comm=c), method)(kind if c.Get_rank() else X)
                    )  # fmt: skip

    def test_models_that_differ(self):
        models = [RobustNMF(4).fit(self.X), RobustNMF(4).fit(self.X[:40])]
        with self.assertRaisesRegex(ValueError, "another model"):
            together(
                2, lambda c: models[c.Get_rank()].set_params(comm=c).partial_fit(self.X)
            )

    def test_nobody_has_samples(self):
        for method in ("fit", "partial_fit"):
            with self.assertRaisesRegex(ValueError, "no samples"):
                together(2, lambda c: getattr(RobustNMF(4, comm=c), method)(self.X[:0]))
        with self.assertRaisesRegex(ValueError, "0 sample"):
            RobustNMF(4, comm=ThreadComm(0, Meeting(1))).fit(self.X[:0])

    def test_algorithms_that_cannot_be_shared(self):
        for algorithm in ("bpgd", "badmm", "onmf", "fast:warm_start=true"):
            with self.assertRaises(ValueError):
                together(2, lambda c: RobustNMF(4, algorithm=algorithm, comm=c).fit(self.X))

    def test_something_else_than_a_communicator(self):
        with self.assertRaisesRegex(TypeError, "comm: 3 is not a communicator"):
            RobustNMF(4, comm=3).fit(self.X)


class Parameter(Case):
    def setUp(self):
        super().setUp()
        self.comm = ThreadComm(0, Meeting(1))
        self.comm.lock = Meeting(1)  # with locks inside it cannot be copied, as MPI's cannot
        with self.assertRaises(TypeError):
            copy.deepcopy(self.comm)
        self.model = RobustNMF(4, comm=self.comm)

    def test_it_is_one(self):
        self.assertIs(self.model.comm, self.comm)
        self.assertIs(self.model.get_params()["comm"], self.comm)
        self.assertIn("comm=<rank 0>", repr(self.model))
        self.model.set_params(comm=None)
        self.assertIsNone(self.model.comm)
        self.assertIsNone(self.model.get_params(deep=False)["comm"])

    @unittest.skipUnless(HAS_SKLEARN, "scikit-learn is not installed")
    def test_clones_have_the_same(self):
        from sklearn.base import clone

        again = clone(clone(self.model))
        self.assertIs(again.comm, self.comm)
        self.assertEqual(again.get_params(), self.model.get_params())

    def test_pickles_and_copies_have_none(self):
        X = noisy(60).V
        self.model.fit(X)
        for again in (pickle.loads(pickle.dumps(self.model)), copy.deepcopy(self.model)):
            self.assertIsNone(again.comm)
            np.testing.assert_array_equal(again.transform(X), self.model.transform(X))
        self.assertIs(self.model.comm, self.comm)


if __name__ == "__main__":
    unittest.main()
