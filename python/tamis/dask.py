"""RobustNMF on a Dask cluster."""

from __future__ import annotations

import contextlib
import functools
import json
import numbers
from typing import Any

import numpy as np

try:
    import dask.array
    import distributed
    from dask.delayed import Delayed, delayed
except ImportError as error:
    raise ImportError(
        f"tamis.dask needs dask and distributed ({error}); on Debian: python3-dask, "
        "python3-distributed"
    ) from error

from . import _estimator
from ._blocks import blocks_of, is_list_of_blocks, total
from ._cluster import ClientRank, describe, encode, mini_batches
from ._input import precision
from ._kept import KeptParameter
from ._learned import not_finite
from ._parameters import PARAMETERS, Parameter, constructor_of, documented, our_words
from ._progress import Shown, goes_on

__all__ = ["RobustNMF"]

_PARAMETERS = tuple(p for p in PARAMETERS if p.name not in ("comm", "async_")) + (
    Parameter(
        "parallel_blocks",
        None,
        None,
        "int or None",
        "blocks of rows that are learned from side by side, each by a task. None: as many as the "
        "cluster has workers when ``fit`` begins",
    ),
    Parameter(
        "client",
        None,
        None,
        "distributed.Client or None",
        "connection to the cluster. None: the one that was made last. It stays the same in clones, "
        "and is left out of pickles and copies",
    ),
)


class Progress:
    """How far a fit has come: what a callback gets."""

    def __init__(self, learned: Any, total: int | None) -> None:
        self._learned = learned
        self.samples = learned.samples
        self.total = total
        self.batches = learned.batches
        self.epoch = learned.epochs
        self.lambda_ = learned.lambda_

    @property
    def objective(self) -> float:
        """The objective now; found only when asked for."""
        return self._learned.objective


@functools.partial(documented, parameters=_PARAMETERS)
class RobustNMF(_estimator.RobustNMF):
    """:class:`tamis.RobustNMF` that learns on a Dask cluster.

    ``fit`` takes a dask array in blocks of rows, or a list of delayed blocks. With P
    ``parallel_blocks`` there are P lanes: lane p has blocks p, p + P, p + 2P, … (counted from 0),
    one after another. A mini-batch has the next ``batch_size`` samples of each lane, fewer where a
    block ends and none where no block is left. What is learned is what one process learns from the
    same mini-batches, up to rounding; if all blocks have the same number of samples, a multiple of
    ``batch_size``, these are mini-batches of P·``batch_size`` samples.

    Tasks encode the samples where they are and return sums; the client adds them up and updates the
    dictionary. A task can run again elsewhere, and so can what makes a block: the loss of a worker
    is survived, to the same bits. At most two blocks of each lane are kept in the memory of the
    cluster, and made again in every pass unless ``X`` was persisted.

    ``transform`` of a dask array is lazy. All other methods, ``partial_fit`` too, work in the
    client, as those of :class:`tamis.RobustNMF`.

    {parameters}

    Attributes
    ----------
    components_ and all others
        As of :class:`tamis.RobustNMF`; of ``fit_info_`` status, samples, batches, epochs and
        objective. There is no ``trace_``.

    Examples
    --------
    >>> import dask.array
    >>> from distributed import Client
    >>> from tamis.dask import RobustNMF
    >>> X = dask.array.random.random((600, 30), chunks=(100, 30))
    >>> with Client(n_workers=1, processes=False, dashboard_address=None) as client:
    ...     model = RobustNMF(n_components=3, parallel_blocks=2).fit(X)
    ...     H = model.transform(X)
    ...     H.shape, H[:5].compute().shape
    ((600, 3), (5, 3))
    """

    client = KeptParameter("submit")
    parallel_blocks: int | None

    __init__ = constructor_of(_PARAMETERS)  # type: ignore[assignment]

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> RobustNMF:
        """Learns from all samples, in ``max_iter`` passes, forgetting what was learned before.

        Ctrl-C stops it; what was learned until then is kept.

        Parameters
        ----------
        X : dask array of shape (n_samples, n_features), or list of delayed arrays
            Samples, in blocks of rows; NaN marks a missing entry.
        y : None
            Ignored.
        sample_weight : dask array of shape (n_samples,), or list of delayed arrays, optional
            Weights of the samples, in blocks of the same lengths.

        Returns
        -------
        self : RobustNMF
        """
        if self.shuffle:
            raise ValueError("shuffle: rows cannot change places on a cluster; shuffle X before")
        if self.keep_outliers:
            raise ValueError("keep_outliers: ask transform for them, with return_outliers=True")
        client = self.client or distributed.default_client()
        blocks = blocks_of(X, sample_weight)
        first = client.compute(blocks[0].samples)  # also keeps it until it is learned from
        _, kind = client.submit(describe, first).result()
        learned = self._make_core(precision(np.empty(0, kind.dtype)))
        try:
            completed = self._learn_from(blocks, kind, learned, client, total(X, self.max_iter))
        except KeyboardInterrupt:
            if learned.batches > 0:
                self._keep(learned, "interrupted")
            raise
        self._keep(learned, "completed" if completed else "interrupted")
        return self

    def fit_transform(
        self, X: Any, y: Any = None, sample_weight: Any = None, return_outliers: bool = False
    ) -> Any:
        """Learns from the samples, then returns their codes, as ``fit`` and ``transform`` do.

        Parameters
        ----------
        X : dask array of shape (n_samples, n_features), or list of delayed arrays
            Samples, in blocks of rows; NaN marks a missing entry.
        y : None
            Ignored.
        sample_weight : dask array of shape (n_samples,), or list of delayed arrays, optional
            Weights of the samples, in blocks of the same lengths.
        return_outliers : bool, default=False
            Whether to return the outliers, too.

        Returns
        -------
        H : dask array of shape (n_samples, n_components), or list of delayed arrays
        R : dask array of shape (n_samples, n_features), or list of delayed arrays
            Only if ``return_outliers``.
        """
        return self.fit(X, sample_weight=sample_weight).transform(X, return_outliers)

    def transform(self, X: Any, return_outliers: bool = False) -> Any:
        """Codes of samples; the model does not change.

        Parameters
        ----------
        X : dask array of shape (n_samples, n_features), list of delayed arrays, or array-like
            Samples; NaN marks a missing entry.
        return_outliers : bool, default=False
            Whether to return the outliers, too.

        Returns
        -------
        H : dask array of shape (n_samples, n_components), list of delayed arrays, or ndarray
            Of the kind of X; what is of Dask is found when it is asked for.
        R : dask array of shape (n_samples, n_features), list of delayed arrays, or ndarray
            Only if ``return_outliers``; 0 where an entry is missing.
        """
        self._check_fitted()
        if not is_list_of_blocks(X) and not isinstance(X, dask.array.Array):
            return super().transform(X, return_outliers)
        self._options()  # says what is wrong with them here, not on the cluster
        K, F, dtype = self.n_components_, self.n_features_in_, self._learned.dtype
        work = {
            "state": delayed(self._learned.model_state(False), traverse=False),
            "options": (self.transform_tol, self.transform_max_iter, self.threads or 1),
            "outliers": bool(return_outliers),
        }
        if is_list_of_blocks(X):
            found = [delayed(encode)(block, **work) for block in X]
            codes = [both[:, :K] for both in found]
            return (codes, [both[:, K:] for both in found]) if return_outliers else codes
        if X.ndim != 2 or X.shape[1] != F:
            raise ValueError(f"X has the shape {X.shape}, expected (n_samples, {F})")
        X = X.rechunk({1: -1})
        chunks = (X.chunks[0], (K + F if return_outliers else K,))
        meta = np.empty((0, 0), dtype)
        both = X.map_blocks(encode, **work, chunks=chunks, dtype=dtype, meta=meta)
        return (both[:, :K], both[:, K:]) if return_outliers else both

    # Learning

    def _learn_from(self, blocks, kind, learned, client, total):
        """All passes; False if a callback ended them."""
        settings = json.loads(learned.settings)
        tau = settings["batch_size"]
        if not tau:
            name = settings["algorithm"].split(":")[0]
            raise ValueError(
                f"algorithm: {name} needs all samples at once, and a cluster has them in parts; "
                "use an online algorithm, or tamis.RobustNMF"
            )
        parallel = _parallel(self.parallel_blocks, client)
        nothing = np.empty((0, kind.features), kind.dtype)
        with _watched(self.callback, self.verbose) as watch:
            for _ in range(self.max_iter):
                for parts in mini_batches(client, blocks, kind, tau, parallel):
                    comm = ClientRank(client, learned, parts)
                    with our_words():
                        status = learned.partial_fit(nothing, None, comm, comm.counts)
                    if status == "diverged":
                        raise not_finite(learned)
                    if not goes_on(watch(Progress(learned, total))):
                        return False
                if learned.batches == 0:
                    raise ValueError("the data have no samples")
                learned.end_pass()
        return True

    def _keep(self, learned, status):
        with self._turns:
            for name in ("outliers_", "trace_", "feature_names_in_"):
                self.__dict__.pop(name, None)
            self._learned = learned
            self.n_features_in_ = learned.features
            self.fit_info_ = {
                "status": status,
                "samples": learned.samples,
                "batches": learned.batches,
                "epochs": learned.epochs,
                "objective": learned.objective,
            }


@contextlib.contextmanager
def _watched(callback, verbose):
    """What is to be called after each mini-batch."""
    if callback is not None and not callable(callback):
        raise TypeError(f"callback: {callback!r} cannot be called")
    shown = Shown() if verbose else None

    def watch(progress):
        if shown is not None:
            shown(progress)
        return None if callback is None else callback(progress)

    try:
        yield watch
    finally:
        if shown is not None:
            shown.close()


def _parallel(blocks, client):
    if blocks is None:
        return max(1, len(client.scheduler_info()["workers"]))
    if not isinstance(blocks, numbers.Integral) or blocks < 1:
        raise ValueError(f"parallel_blocks = {blocks!r}, must be a whole number, at least 1")
    return int(blocks)
