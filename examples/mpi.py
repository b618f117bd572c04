"""Several processes, maybe on several machines, learn one model, each from samples of its own.

    mpirun -n 4 python3 -m mpi4py examples/mpi.py

With -m mpi4py a process that fails ends all of them. Needs mpi4py; python3 alone is one process.
"""

import sys

import numpy as np

from tamis import RobustNMF

FEATURES = 300


def samples(number, seed):
    """Samples of twelve parts; some of their entries are wrong."""
    parts = np.random.default_rng(0).random((12, FEATURES))
    parts *= np.random.default_rng(1).random(parts.shape) < 0.15
    random = np.random.default_rng(seed)
    clean = random.random((number, 12)) * (random.random((number, 12)) < 0.4) @ parts
    wrong = random.random(clean.shape) < 0.05
    noisy = np.abs(clean + random.normal(0, 0.01, clean.shape))
    return np.where(wrong, 2 * random.random(clean.shape), noisy), clean


def main():
    try:
        from mpi4py import MPI
    except ImportError:
        sys.exit("skipped: mpi4py is not installed")

    comm = MPI.COMM_WORLD
    X, _ = samples(4000, seed=2 + comm.Get_rank())  # in earnest: this process's files
    model = RobustNMF(n_components=12, max_iter=5, threads=1, comm=comm).fit(X)

    if comm.Get_rank() == 0:  # all have the same model
        new, clean = samples(1000, seed=1000)
        error = np.abs(model.inverse_transform(model.transform(new)) - clean).mean()
        print(f"{model.n_samples_seen_} samples in {comm.Get_size()} processes; mean error of new "
              f"samples: {np.abs(new - clean).mean():.4f} as given, {error:.4f} denoised")  # fmt: skip


if __name__ == "__main__":
    main()
