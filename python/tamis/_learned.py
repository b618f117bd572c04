"""What an estimator has learned: its use, attributes and files, and what scikit-learn asks."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, _input
from ._base import NotFittedError
from ._kept import KeepsParameters, KeptParameter
from ._parameters import Parameters, our_words, parameters_of


class Learned(KeepsParameters, Parameters):
    """Base class of estimators whose work is done by one of the C++ library."""

    comm = KeptParameter("Allreduce")

    _learned: _core.Estimator32 | _core.Estimator64
    n_features_in_: int

    # Using it

    def inverse_transform(self, H: ArrayLike) -> NDArray[Any]:
        """Samples from codes: HW.

        Parameters
        ----------
        H : array-like of shape (n_samples, n_components)
            Codes.

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
        """
        self._check_fitted()
        H = np.asarray(H, dtype=self._learned.dtype, order="C")
        if H.ndim != 2 or H.shape[1] != self.n_components_:
            raise ValueError(f"codes of shape {H.shape}, expected (n, {self.n_components_})")
        return self._learned.inverse_transform(H)

    def denoise(self, X: ArrayLike, threshold: float | None = None) -> NDArray[Any]:
        """The samples with their gross errors replaced, and missing entries filled in.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples; NaN marks a missing entry.
        threshold : float, optional
            An entry this far from the reconstruction is replaced by it. By default it is found
            from the residuals.

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
        """
        self._check_fitted()
        samples = _input.samples(self, X, reset=False)
        with our_words():
            return self._learned.denoise(samples, threshold, self._options())[0]

    def score(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> float:
        """How much of new samples the dictionary explains: 1 − Σ|X − HW| / Σ|X|.

        Absolute errors, so that a few gross ones do not decide; missing entries do not count. It
        does not depend on λ or penalties, so that models with different ones can be compared.

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
        score : float
            At most 1, the higher the better.
        """
        self._check_fitted()
        samples = _input.samples(self, X, reset=False)
        weights = _input.weights(sample_weight, len(samples))
        with our_words():
            error, size = self._learned.absolute_errors(samples, weights, self._options())
        return 1 - error / size if size > 0 else float(error == 0)

    def _options(self):
        given = (self.transform_tol, self.transform_max_iter, self.threads)
        try:
            return _core.EncodeOptions(*given)
        except TypeError:
            names = "transform_tol, transform_max_iter, threads"
            raise TypeError(f"{names}: {given} are not a number and two whole ones") from None

    # Files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes everything that was learned to an HDF5 file.

        The program ``tamis`` reads it, too: as a model, and, if it is of a fit that was stopped,
        to go on with that fit and the same samples.

        Parameters
        ----------
        path : str or os.PathLike
            Name of the file; it is replaced if it is there.
        """
        self._check_fitted()
        self._learned.save(os.fspath(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Any:
        """An estimator from a file that ``save`` or the program ``tamis`` has written.

        Parameters
        ----------
        path : str or os.PathLike
            Name of the file.

        Returns
        -------
        estimator
            Its parameters are those that the model was learned with.
        """
        path = os.fspath(path)
        os.stat(path)  # Python's own words for a file that is not there
        learned = _core.load(path)
        estimator = cls(**parameters_of(learned.settings))
        estimator._learned = learned
        estimator.n_features_in_ = learned.features
        return estimator

    # What was learned

    @property
    def components_(self) -> NDArray[Any]:
        return self._check_fitted().components

    @property
    def n_components_(self) -> int:
        return self._check_fitted().rank

    @property
    def n_iter_(self) -> int:
        return self._check_fitted().epochs

    @property
    def n_steps_(self) -> int:
        return self._check_fitted().batches

    @property
    def n_samples_seen_(self) -> int:
        return self._check_fitted().samples

    @property
    def reconstruction_err_(self) -> float:
        return self._check_fitted().objective

    @property
    def lambda_used_(self) -> float:
        return self._check_fitted().lambda_

    @property
    def noise_scale_(self) -> float:
        return self._check_fitted().sigma

    @property
    def settings_(self) -> dict[str, Any]:
        return json.loads(self._check_fitted().settings)

    @property
    def _n_features_out(self):
        return self.n_components_

    # scikit-learn's questions

    def __sklearn_is_fitted__(self):
        return "_learned" in self.__dict__

    def _check_fitted(self):
        if not self.__sklearn_is_fitted__():
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with "
                "appropriate arguments before using this estimator."
            )
        return self._learned

    def _can(self):
        """Whether samples may have missing, and negative, entries."""
        try:
            settings = json.loads(self._make_core(np.float32).settings)
        except (ValueError, TypeError):  # parameters that fit would refuse
            return True, False
        return settings["missing"], settings["allow_negative"]

    def _more_tags(self):
        missing, negative = self._can()
        return {
            "allow_nan": missing,
            "requires_positive_X": not negative,
            "preserves_dtype": [np.float64, np.float32],
        }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan, negative = self._can()
        tags.input_tags.positive_only = not negative
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

