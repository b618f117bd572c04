"""Threads and processes: nothing hangs, nothing crashes, the bits are the same."""

import copy
import multiprocessing
import os
import pickle
import signal
import threading
import time
import unittest
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
from _data import Case, noisy

from tamis import RobustNMF

PATIENCE = 120  # seconds after which something hangs; never reached when all is well
X = noisy(400, features=80).V.astype("f4")


def fitted(seed):
    return RobustNMF(4, random_state=seed, batch_size=16).fit(X).components_


def fit_in_child(seed):
    model = RobustNMF(4, random_state=seed, batch_size=16, threads=2).fit(X)
    model.transform(X)
    return model.components_


class Threads(Case):
    def test_many_fits_at_once(self):
        expected = [fitted(seed) for seed in range(8)]
        with ThreadPoolExecutor(4) as pool:
            for found, W in zip(pool.map(fitted, range(8)), expected):
                np.testing.assert_array_equal(found, W)

    def test_other_python_goes_on_during_a_fit(self):
        turns = []
        long = RobustNMF(4, max_iter=1000, callback=lambda p: len(turns) < 20)

        def count():
            while len(turns) < 20:
                turns.append(1)
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        long.fit(np.tile(X, (20, 1)))
        thread.join()
        self.assertEqual(long.fit_info_["status"], "interrupted")

    def test_one_model_used_and_changed_by_many(self):
        model = RobustNMF(4).fit(X)
        alone = model.transform(X)

        def work(i):
            if i % 4 == 0:
                model.partial_fit(X[:64])
            elif i % 4 == 1:
                pickle.dumps(model)
            elif i % 4 == 2:
                model.score(X)
                return model.components_
            return model.transform(X)

        with ThreadPoolExecutor(4) as pool:
            for found in pool.map(work, range(60)):
                self.assertTrue(np.isfinite(found).all() if isinstance(found, np.ndarray) else True)
        self.assertEqual(model.n_samples_seen_, 400 + 15 * 64)
        self.assertEqual(alone.shape, model.transform(X).shape)


class FirstParts(Case):
    """Threads that find an estimator that has learned nothing yet."""

    def together(self, work, threads=4):
        """work(i) in threads that begin at the same time."""
        ready = threading.Barrier(threads, timeout=PATIENCE)

        def begin(i):
            ready.wait()
            return work(i)

        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(begin, range(threads)))

    def test_no_sample_is_lost(self):
        for _ in range(10):
            model = RobustNMF(4)
            self.together(lambda i: [model.partial_fit(X[20 * j : 20 * j + 20]) for j in range(5)])
            self.assertEqual(model.n_samples_seen_, 4 * 5 * 20)

    def test_also_of_copies(self):
        begun = RobustNMF(4)
        with self.assertRaises(ValueError):
            begun.partial_fit(-X)  # from then on it has what threads wait for
        for model in (pickle.loads(pickle.dumps(begun)), copy.deepcopy(begun), copy.copy(begun)):
            self.together(lambda i: [model.partial_fit(X[:20]) for _ in range(5)])
            self.assertEqual(model.n_samples_seen_, 4 * 5 * 20)

    def test_who_fails_takes_nothing_from_the_others(self):
        bad = np.tile(X[:, :30], (100, 1))
        bad[-1, -1] = -1  # found only at the end
        for _ in range(5):
            model = RobustNMF(4)

            def work(i):
                if i % 2 == 0:
                    return model.partial_fit(X[:20])
                with self.assertRaises(ValueError):
                    model.partial_fit(bad)

            self.together(work)
            self.assertEqual((model.n_samples_seen_, model.n_features_in_), (40, 80))

    def test_a_part_does_not_bring_back_what_fit_has_replaced(self):
        inside, leave = threading.Event(), threading.Event()

        class Slow:
            """What was learned, in the middle of a part."""

            def partial_fit(self, *args):
                inside.set()
                leave.wait(PATIENCE)
                return "completed"

        model = RobustNMF(4).partial_fit(X)
        model._learned = Slow()
        thread = threading.Thread(target=model.partial_fit, args=[X])
        thread.start()
        inside.wait(PATIENCE)
        model.fit(X[:64])
        leave.set()
        thread.join()
        self.assertEqual(model.n_samples_seen_, 64)

    def test_a_model_that_is_refitted_is_used_as_it_was(self):
        model = RobustNMF(4).fit(X)
        shapes = []
        model.set_params(callback=lambda p: shapes.append(model.transform(X[:2]).shape))
        model.fit(X[:, :30])
        self.assertEqual(set(shapes), {(2, 4)})
        self.assertEqual(model.n_features_in_, 30)


class Processes(Case):
    def test_pools(self):
        expected = [fitted(seed) for seed in range(4)]  # has used threads before it forks
        for method in ("fork", "spawn"):
            with self.subTest(method):
                context = multiprocessing.get_context(method)
                with ProcessPoolExecutor(2, mp_context=context) as pool:
                    for found, W in zip(pool.map(fit_in_child, range(4)), expected):
                        np.testing.assert_array_equal(found, W)

    def in_child(self, work):
        """Runs work in a forked process, which must end well, and soon."""
        child = os.fork()
        if child == 0:
            code = 1
            try:
                work()
                code = 0
            finally:
                os._exit(code)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                self.assertEqual(status, 0)
                return
            time.sleep(0.01)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        self.fail("the forked process hangs")

    def test_a_model_of_the_parent(self):
        model = RobustNMF(4, threads=2).fit(X)
        H = model.transform(X)

        def work():
            np.testing.assert_array_equal(model.transform(X), H)
            model.partial_fit(X[:64])
            pickle.loads(pickle.dumps(model)).fit(X)

        self.in_child(work)
        expected = RobustNMF(4, threads=2).fit(X).partial_fit(X[:64]).components_
        np.testing.assert_array_equal(model.partial_fit(X[:64]).components_, expected)

    def test_a_fork_in_the_middle_of_the_first_part(self):
        model = RobustNMF(4)
        inside, leave = threading.Event(), threading.Event()

        def hold():
            with model._turns:
                inside.set()
                leave.wait(PATIENCE)

        thread = threading.Thread(target=hold)
        thread.start()
        inside.wait()
        self.in_child(lambda: model.partial_fit(X))  # which does not have the thread
        leave.set()
        thread.join()
        self.assertEqual(model.partial_fit(X).n_samples_seen_, 400)

    def test_a_child_of_a_child(self):
        RobustNMF(4, threads=2).fit(X)
        self.in_child(lambda: self.in_child(lambda: fit_in_child(0)))

    def test_forks_while_other_threads_fit(self):
        stop = threading.Event()
        shared = RobustNMF(4).fit(X)

        def busy():
            while not stop.is_set():
                fit_in_child(0)
                shared.transform(X)

        threads = [threading.Thread(target=busy) for _ in range(3)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(20):
                self.in_child(lambda: (fit_in_child(1), shared.transform(X)))
        finally:
            stop.set()
            for thread in threads:
                thread.join()

    def test_a_fork_in_the_middle_of_a_change(self):
        # The child's copy is torn; it must say so instead of waiting for a thread it does not have.
        model = RobustNMF(4, batch_size=8)
        big = np.tile(X, (400, 1))
        model.partial_fit(X)
        started = threading.Event()

        def change():
            started.set()
            model.partial_fit(big)

        thread = threading.Thread(target=change)
        thread.start()
        started.wait()
        time.sleep(0.05)

        def work():
            try:
                model.transform(X)
            except RuntimeError as error:
                assert "forked" in str(error)

        self.in_child(work)
        thread.join()
        model.transform(X)


if __name__ == "__main__":
    unittest.main()
