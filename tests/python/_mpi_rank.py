"""What a rank of test_mpi.py does: python3 -m mpi4py _mpi_rank.py WORK FOLDER."""

import sys
from pathlib import Path

import numpy as np
from mpi4py import MPI

from tamis import RobustNMF

COMM = MPI.COMM_WORLD
RANK = COMM.Get_rank()


def fit(X):
    return RobustNMF(4, batch_size=16, max_iter=2, comm=COMM).fit(X)


def late(X):
    return RobustNMF(4, batch_size=48 // COMM.Get_size(), max_iter=2, comm=COMM, async_=True).fit(X)


def late_fail(X):
    if RANK == 1:
        X[100, 5] = -1
    return late(X)


def partial_fit(X):
    model = RobustNMF(4, comm=COMM)
    for first in range(0, 48, 16):
        model.partial_fit(X[first : first + 16])
    return model


def clone(X):
    from sklearn.base import clone

    model = clone(RobustNMF(4, batch_size=16, max_iter=2, comm=COMM))
    assert model.comm is COMM
    return model.fit(X)


def fail(X):
    if RANK == 1:
        X[40, 5] = -1
    return fit(X)


if __name__ == "__main__":
    work, folder = globals()[sys.argv[1]], Path(sys.argv[2])
    model = work(np.load(folder / f"x{RANK}.npy"))
    np.save(folder / f"w{RANK}.npy", model.components_)
