"""What the tests of tamis.dask share: a cluster of processes, and what one process learns."""

import numpy as np
from _data import Case, noisy, skip_all

import tamis

try:
    import dask
    import dask.array
    from distributed import Client, LocalCluster

    import tamis.dask  # noqa: F401
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


def start():
    ClusterCase.cluster = LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None
    )
    ClusterCase.client = Client(ClusterCase.cluster)


def stop():
    ClusterCase.client.close()
    ClusterCase.cluster.close()
