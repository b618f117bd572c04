"""Learning on a Dask cluster, here of two processes on this machine.

    python3 examples/cluster.py

Needs dask and distributed.
"""

import sys

import numpy as np

FEATURES, BLOCK = 200, 1000


def block(seed):
    """Samples of ten parts; some of their entries are wrong. In earnest it is read from a file."""
    parts = np.random.default_rng(0).random((10, FEATURES))
    parts *= np.random.default_rng(1).random(parts.shape) < 0.2
    random = np.random.default_rng(seed)
    clean = random.random((BLOCK, 10)) * (random.random((BLOCK, 10)) < 0.3) @ parts
    wrong = random.random(clean.shape) < 0.05
    noisy = np.abs(clean + random.normal(0, 0.01, clean.shape))
    return np.where(wrong, 2 * random.random(clean.shape), noisy)


def main():
    try:
        import dask
        import dask.array
        from distributed import Client, LocalCluster
    except ImportError:
        sys.exit("skipped: dask or distributed is not installed")
    from tamis.dask import RobustNMF

    blocks = [
        dask.array.from_delayed(dask.delayed(block)(seed), (BLOCK, FEATURES), dtype=float)
        for seed in range(2, 10)
    ]
    X = dask.array.concatenate(blocks)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            model = RobustNMF(n_components=10, max_iter=2, client=client).fit(X)
            H, R = model.transform(X, return_outliers=True)  # not found before they are asked for
            explained = 1 - abs(X - H @ model.components_ - R).mean() / X.mean()
            share = (abs(R) > 0.1).mean()
            explained, share = dask.compute(explained, share)
    print(f"{model.n_samples_seen_} samples in {model.n_steps_} mini-batches; {explained:.4f} of the "
          f"data explained with {share:.4f} of the entries as outliers")  # fmt: skip


if __name__ == "__main__":
    main()
