"""The estimator."""

from __future__ import annotations

import contextlib
import warnings
from typing import Any

from numpy.typing import ArrayLike

from . import _input
from ._base import (
    HAS_SKLEARN,
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ConvergenceWarning,
    TransformerMixin,
)
from ._learned import Learned, not_finite, tell_unless
from ._parameters import documented, in_our_words, our_words
from ._progress import Both, Shown
from ._ranks import several


@documented
class RobustNMF(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Learned, BaseEstimator):
    """Online nonnegative matrix factorization with outliers, X ≈ HW + R.

    Learns a dictionary W of nonnegative parts (``components_``) from samples that may have gross
    errors and missing entries. What no combination of parts explains is sieved out into R.
    Memory does not grow with the number of samples: ``X`` may be a memory-mapped file, and
    ``partial_fit`` takes samples as they arrive.

    Samples of 8 and 16 bits (uint8, uint16) are divided by 255 and 65535 to compute with. In the
    units of the samples given are codes, outliers, what ``denoise`` returns, and its threshold. In
    those that are computed with, 0 to 1, are the parameters ``lambda_``, ``max_outlier`` and other
    penalties, and ``lambda_used_``, ``noise_scale_``, ``reconstruction_err_`` and ``trace_``. A
    float is never divided: a model of bytes is used with bytes, or with floats divided by 255.
    float32 stays float32, and arrays are read where they lie.

    {parameters}

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        The dictionary W, one atom per row.
    n_components_ : int
        Number of atoms.
    n_features_in_ : int
        Number of features of a sample.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if X had names that are all strings.
    n_iter_ : int
        Passes over the data.
    n_steps_ : int
        Mini-batches seen.
    n_samples_seen_ : int
        Samples seen, each as often as it was.
    reconstruction_err_ : float
        Mean loss of the samples, with the codes they had on arrival: what is minimised. Of uint8
        and uint16 in units in which the largest is 1.
    lambda_used_ : float
        The outlier penalty λ in use; for ``lambda_="auto"`` it follows the noise. Of uint8 and
        uint16 in units in which the largest is 1, as ``lambda_`` is.
    noise_scale_ : float
        The running noise scale, in the units of λ; 0 if λ does not depend on it.
    outliers_ : ndarray of shape (n_samples, n_features)
        Outliers of the samples given to ``fit``; only with ``keep_outliers=True``.
    settings_ : dict
        All settings of the C++ library, with what the algorithm assumed.
    trace_ : dict of ndarray
        History of the latest ``fit``: samples, objective, change, lambda, seconds.
    fit_info_ : dict
        Status, message, counts and seconds per phase of the latest ``fit``.

    Examples
    --------
    >>> import numpy as np
    >>> from tamis import RobustNMF
    >>> random = np.random.default_rng(0)
    >>> parts = np.kron(np.eye(3), np.ones(10))              # three parts of ten features each
    >>> clean = random.uniform(0.2, 1, (2000, 3)) @ parts
    >>> noisy = np.clip(clean + random.normal(0, 0.02, clean.shape), 0, None)
    >>> wrong = random.random(clean.shape) < 0.1             # every tenth entry is wrong
    >>> X = np.where(wrong, random.uniform(0, 2, clean.shape), noisy)
    >>> model = RobustNMF(n_components=3, random_state=0).fit(X)
    >>> H, R = model.transform(X, return_outliers=True)
    >>> bool(np.abs(H @ model.components_ - clean).mean() < 0.02)
    True
    >>> bool(np.abs(R)[wrong].mean() > 20 * np.abs(R)[~wrong].mean())
    True
    """

    # Learning

    def fit(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> RobustNMF:
        """Learns from all samples, in ``max_iter`` passes, forgetting what was learned before.

        Ctrl-C stops it; what was learned until then is kept. With ``comm`` every rank calls it with
        samples of its own, maybe none (an array of 0 rows), and all stop together.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples; NaN marks a missing entry.
        y : None
            Ignored.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the samples.

        Returns
        -------
        self : RobustNMF
        """
        samples = self._learn(X, sample_weight)
        if self.keep_outliers:
            self.outliers_ = self._encode(samples, outliers=True)[1]
        return self

    def partial_fit(
        self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None
    ) -> RobustNMF:
        """Goes on learning, from X as one mini-batch.

        Calling it with one slice of ``batch_size`` samples after the other gives the same bits as
        ``fit`` with all of them. Parameters that are changed later have no effect. With ``comm``
        the samples of all ranks are one mini-batch, and some may have 0 rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples; NaN marks a missing entry.
        y : None
            Ignored.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the samples.

        Returns
        -------
        self : RobustNMF
        """
        # Who is first makes what the others go on with. From then on it keeps threads apart itself.
        with contextlib.nullcontext() if self.__sklearn_is_fitted__() else self._turns:
            fresh = not self.__sklearn_is_fitted__()
            noted = self._beside() if fresh else self
            comm = self.comm
            samples = _input.samples(noted, X, reset=fresh, least=0 if several(comm) else 1)
            weights = _input.weights(sample_weight, len(samples))
            learned = self._make_core(_input.precision(samples), comm) if fresh else self._learned
            with our_words():
                status = learned.partial_fit(samples, weights, comm)
            if status == "diverged":
                raise not_finite(learned)
            if fresh:
                self._replace(learned, noted)
            self.__dict__.pop("outliers_", None)  # of another dictionary
        return self

    def fit_transform(
        self,
        X: ArrayLike,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        return_outliers: bool = False,
    ) -> Any:
        """Learns from the samples, then returns their codes, as ``fit`` and ``transform`` do.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples; NaN marks a missing entry.
        y : None
            Ignored.
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the samples.
        return_outliers : bool, default=False
            Whether to return the outliers, too.

        Returns
        -------
        H : ndarray of shape (n_samples, n_components)
        R : ndarray of shape (n_samples, n_features)
            Only if ``return_outliers``.
        """
        samples = self._learn(X, sample_weight)
        H, R = self._encode(samples, outliers=return_outliers or self.keep_outliers)
        if self.keep_outliers:
            self.outliers_ = R
        return (H, R) if return_outliers else H

    def _learn(self, X, sample_weight):
        noted = self._beside()
        X = _input.samples(noted, X, reset=True, least=0 if several(self.comm) else 1)
        learned = self._make_core(_input.precision(X), self.comm)
        report = self._watched_fit(learned, X, _input.weights(sample_weight, len(X)))
        if report["status"] == "diverged":
            raise not_finite(learned)
        error = report.pop("error", None)
        if learned.batches == 0 and error is not None:
            raise error
        with self._turns:
            self.__dict__.pop("outliers_", None)
            self._replace(learned, noted)
            self.trace_ = report.pop("trace")
            self.fit_info_ = report
        if error is not None:
            raise error
        if report["status"] == "iteration_limit":
            warnings.warn(in_our_words(report["message"]), ConvergenceWarning, stacklevel=3)
        elif report["regularized_batches"] > 0:
            warnings.warn(in_our_words(report["message"]), RuntimeWarning, stacklevel=3)
        return X

    def _watched_fit(self, learned, X, weights):
        callback = self.callback
        if callback is not None and not callable(callback):
            raise TypeError(f"callback: {callback!r} cannot be called")
        shown = Shown() if self.verbose else None
        if shown is not None:
            callback = shown if callback is None else Both(callback, shown)
        try:
            with our_words():
                interval = getattr(callback, "interval", 0.0)
                report = learned.fit(X, weights, callback, interval, self.comm, self.async_)
            if shown is not None:
                shown.finish(report["samples"], report["objective"])
            return report
        finally:
            if shown is not None:
                shown.close()

    # Using what was learned

    def transform(self, X: ArrayLike, return_outliers: bool = False) -> Any:
        """Codes of samples; the model does not change.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples; NaN marks a missing entry.
        return_outliers : bool, default=False
            Whether to return the outliers, too.

        Returns
        -------
        H : ndarray of shape (n_samples, n_components)
        R : ndarray of shape (n_samples, n_features)
            Only if ``return_outliers``; 0 where an entry is missing.
        """
        self._check_fitted()
        H, R = self._encode(_input.samples(self, X, reset=False), outliers=return_outliers)
        return (H, R) if return_outliers else H

    def _encode(self, X, outliers):
        with our_words():
            H, R, converged = self._learned.transform(X, bool(outliers), self._options())
        tell_unless(converged, stacklevel=3 + HAS_SKLEARN)  # whose set_output wraps transform
        return H, R
