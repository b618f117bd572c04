"""Ranks that learn one model together, each with samples of its own, by way of mpi4py."""

from __future__ import annotations

from typing import Any

import numpy as np


def several(comm: Any) -> bool:
    """Whether there are others. Raises TypeError for what cannot be used as a communicator."""
    if comm is None:
        return False
    if not all(hasattr(comm, name) for name in ("Get_rank", "Get_size", "Allreduce")):
        raise TypeError(f"comm: {comm!r} is not a communicator of mpi4py, nor an object with its "
                        "Get_rank, Get_size and Allreduce")  # fmt: skip
    return comm.Get_size() > 1


def of_first(comm: Any, number: int) -> int:
    """The number that rank 0 has; all ranks ask for it."""
    mine = np.array([number if comm.Get_rank() == 0 else 0], dtype=np.uint64)
    found = np.empty_like(mine)
    comm.Allreduce(mine, found)
    return int(found[0])
