"""One mini-batch on a Dask cluster: its parts are ranks that live in tasks.

A task gets the model and what all ranks have added up so far in this mini-batch, does what a rank
does up to the first sums that are not known yet, and returns what it brings to them. So tasks
remember nothing and may run again, anywhere, if a worker is lost. Nearly always there is one round
of tasks per mini-batch; the first one, and one in which an atom has died, need a few more.
"""

from __future__ import annotations

import itertools
import json
import warnings
from typing import Any, NamedTuple

import numpy as np

from . import _core, _input
from ._blocks import Block


class Part(NamedTuple):
    """Rows of a block, of which futures are there: what one task has of a mini-batch."""

    samples: Any
    weights: Any
    first: int
    last: int


class Kind(NamedTuple):
    """What all blocks have to have in common."""

    features: int
    dtype: str


def samples_in(block):
    """A block as an array that the library can read."""
    X = np.asarray(_input.plain(block))
    if X.ndim != 2:
        raise ValueError(f"a block has {X.ndim} dimensions; expected are rows, one per sample")
    if X.dtype not in _input.READ_IN_PLACE:
        X = X.astype(np.float64)
    return _input.aligned(X)


def describe(block):
    """The task that tells how many samples a block has, and their kind."""
    X = np.asanyarray(block)  # which may have a mask
    few = samples_in(X[:1])
    return len(X), Kind(few.shape[1], few.dtype.str)


def lane(client, blocks, kind, tau):
    """Parts of at most τ samples, of one block after another. The next block is made meanwhile."""
    ahead = [_begun(client, block) for block in blocks[:1]]
    for i in range(len(blocks)):
        (block, description), ahead = ahead[0], []
        samples, found = description.result()
        if found != kind:
            raise ValueError(
                f"block {block.number} has {found.features} features of type {found.dtype}, "
                f"block 0 has {kind.features} of type {kind.dtype}"
            )
        ahead = [_begun(client, following) for following in blocks[i + 1 : i + 2]]
        for first in range(0, samples, tau):
            yield Part(block.samples, block.weights, first, min(first + tau, samples))


def _begun(client, block):
    samples = client.compute(block.samples)
    weights = None if block.weights is None else client.compute(block.weights)
    return Block(block.number, samples, weights), client.submit(describe, samples)


def mini_batches(client, blocks, kind, tau, parallel):
    """The parts of each mini-batch of a pass."""
    lanes = [lane(client, blocks[p::parallel], kind, tau) for p in range(parallel)]
    while parts := [part for one in lanes for part in itertools.islice(one, 1)]:
        yield parts


class Brought(Exception):
    """Ends the work of a task: what it brings to the next sums."""

    def __init__(self, numbers):
        super().__init__()
        self.numbers = numbers


class TaskRank:
    """The communicator of a task."""

    numbers_at_once = 2**62  # every piece would be a round

    def __init__(self, rank, size, known):
        self._rank, self._size = rank, size
        self._known = iter(known)

    def Get_rank(self):
        return self._rank

    def Get_size(self):
        return self._size

    def Allreduce(self, mine, sums):
        found = next(self._known, None)
        if found is None:
            raise Brought(mine)
        sums[:] = found


def at_work(state):
    """The estimator of a state. Who runs tasks side by side needs no threads beside them."""
    settings = json.loads(state["settings"])
    settings["threads"] = settings["threads"] or 1
    core = _core.Estimator32 if state["W"].dtype == np.float32 else _core.Estimator64
    return core.from_model_state({**state, "settings": json.dumps(settings)})


def encode(block, state, options, outliers):
    """The task of a lazy transform: codes, and outliers, if they are wanted, as more columns."""
    H, R, _ = at_work(state).transform(samples_in(block), outliers, _core.EncodeOptions(*options))
    return np.hstack([H, R]) if outliers else H


def bring(state, known, samples, weights, first, last, rank, counts):
    """The task: rows first to last of a block are the part of a mini-batch that this rank has."""
    block = np.asanyarray(samples)
    X = samples_in(block[first:last])
    s = None if weights is None else _input.weights(weights, len(block))[first:last]
    try:
        at_work(state).partial_fit(X, s, TaskRank(rank, len(counts), known), counts)
    except Brought as brought:
        return brought.numbers
    raise AssertionError("a task has no sums left to bring")


def identity(value):
    """A task that only has its argument."""
    return value


class ClientRank:
    """The communicator of the client, rank 0, who has no samples: its sums are those of tasks."""

    numbers_at_once = TaskRank.numbers_at_once

    def __init__(self, client, learned, parts):
        self._client, self._parts = client, parts
        self.counts = [0] + [part.last - part.first for part in parts]
        self._state = learned.model_state(True)  # of now: meanwhile it changes
        self._known = []

    def Get_rank(self):
        return 0

    def Get_size(self):
        return len(self.counts)

    def Allreduce(self, mine, sums):
        tasks = self._tasks()
        sums[:] = mine
        for brought in self._client.gather(tasks):  # added up in their order: the same bits again
            sums += brought
        self._known.append(sums.copy())

    def _tasks(self):
        state, known = self._state, []
        if self._known:
            known = self._sent(self._known)
        else:  # A and B are used after the first round
            state = {name: value for name, value in state.items() if name not in ("A", "B")}
        state = self._sent(state)
        return [
            self._client.submit(bring, state, known, *part, rank, self.counts, pure=False)
            for rank, part in enumerate(self._parts, start=1)
        ]

    def _sent(self, value):
        """On the cluster, once; as a task it is there again if the worker that has it is lost."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Large object")
            return self._client.submit(identity, value, pure=False)
