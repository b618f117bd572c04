"""Samples as users of Dask give them: arrays in blocks of rows, or lists of delayed blocks."""

from __future__ import annotations

from typing import Any, NamedTuple

import dask.array
import distributed
import numpy as np
from dask.delayed import Delayed


class Block(NamedTuple):
    """Samples, and their weights or None: what Dask can compute, or futures of it."""

    number: int
    samples: Any
    weights: Any


def total(X, passes):
    """Samples of all passes over X, if they are known."""
    known = isinstance(X, dask.array.Array) and not np.isnan(X.shape[0])
    return passes * X.shape[0] if known else None


def is_list_of_blocks(X):
    """Whether X is a list of blocks."""
    return (
        isinstance(X, (list, tuple))
        and len(X) > 0
        and all(isinstance(block, (Delayed, distributed.Future)) for block in X)
    )


def _pieces(X, name):
    if is_list_of_blocks(X):
        return list(X)
    if isinstance(X, dask.array.Array):
        if X.ndim == 2:
            X = X.rechunk({1: -1})
        return X.to_delayed().ravel().tolist()
    raise TypeError(
        f"{name}: expected is a dask array, or a list of delayed blocks, not {type(X).__name__}; "
        "for what is in memory there is tamis.RobustNMF"
    )


def _lengths(X):
    """The lengths of the blocks, as far as they are known before they are there."""
    return X.chunks[0] if isinstance(X, dask.array.Array) else ()


def blocks_of(X, sample_weight):
    """The blocks of X, with those of the weights, if there are any."""
    samples = _pieces(X, "X")
    if sample_weight is None:
        return [Block(i, block, None) for i, block in enumerate(samples)]
    weights = _pieces(sample_weight, "sample_weight")
    if len(weights) != len(samples):
        raise ValueError(f"sample_weight has {len(weights)} blocks, X has {len(samples)}")
    for i, (n, s) in enumerate(zip(_lengths(X), _lengths(sample_weight))):
        if n != s and not np.isnan(n + s):
            raise ValueError(f"block {i} of sample_weight has {s} weights, that of X {n} samples")
    return [Block(i, *both) for i, both in enumerate(zip(samples, weights))]
