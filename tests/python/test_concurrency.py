"""Threads and processes: nothing hangs, nothing crashes, the bits are the same."""

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
