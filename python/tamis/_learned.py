"""What an estimator has learned: its use, attributes and files, and what scikit-learn asks."""

from __future__ import annotations

import copy
import json
import os
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, _input
from ._base import ConvergenceWarning, NotFittedError
from ._kept import KeepsParameters, KeptParameter
from ._numbers import real, whole
from ._parameters import Parameters, our_words, parameters_of
from ._turns import Turns


def tell_unless(converged, stacklevel):
    """Warns of codes that did not converge; stacklevel is that of who calls this."""
    if not converged:
        warnings.warn(
            "the codes of some samples are less accurate than transform_tol; "
            "allow more by transform_max_iter",
            ConvergenceWarning,
            stacklevel=stacklevel + 1,
        )


def not_finite(learned):
    """What is raised if the loss became so."""
    wider = ", or use float64" if learned.dtype == np.float32 else ""
    return FloatingPointError(f"the loss is not finite: scale the data{wider}")


class Learned(KeepsParameters, Parameters):
    """Base class of estimators whose work is done by one of the C++ library."""

    comm = KeptParameter("Allreduce")

    _learned: _core.Estimator32 | _core.Estimator64
    n_features_in_: int

    # Learning it

    @property
    def _turns(self):
        return self.__dict__.setdefault("_threads", Turns())

    def _beside(self):
        """Another one, to note things of samples while threads use this one as it was."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def _replace(self, learned, noted):
        """What was learned, and what was noted of the samples, becomes that of this estimator."""
        self.__dict__.pop("feature_names_in_", None)
        names = [name for name in ("n_features_in_", "feature_names_in_") if hasattr(noted, name)]
        self.__dict__.update({name: getattr(noted, name) for name in names}, _learned=learned)

    # Using it

    def inverse_transform(
        self, X: ArrayLike | None = None, *, H: ArrayLike | None = None
    ) -> NDArray[Any]:
        """Samples from codes: HW.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_components)
            Codes, under the name that scikit-learn has for them.
        H : array-like of shape (n_samples, n_components)
            The same under their own name; one of both is given.

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
        """
        self._check_fitted()
        if (X is None) == (H is None):
            raise TypeError("inverse_transform needs codes, and once: as X, or as H")
        H = np.asarray(X if H is None else H, dtype=self._learned.dtype, order="C")
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
            An entry this far from the reconstruction is replaced by it; at least 0, in the units of
            X. By default it is found from the residuals.

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
        """
        self._check_fitted()
        if threshold is not None:
            threshold = real("threshold", threshold, least=0)
        samples = _input.samples(self, X, reset=False)
        with our_words():
            clean, _, converged = self._learned.denoise(samples, threshold, self._options())
        tell_unless(converged, stacklevel=2)
        return clean

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
            found = self._learned.absolute_errors(samples, weights, self._options())
        error, size, converged = found
        tell_unless(converged, stacklevel=2)
        return 1 - error / size if size > 0 else float(error == 0)

    def _options(self):
        return _core.EncodeOptions(
            real("transform_tol", self.transform_tol, least=0),
            whole("transform_max_iter", self.transform_max_iter, least=1),
            0 if self.threads is None else whole("threads", self.threads, least=0),
        )

    # Copies and files

    def __copy__(self):
        """Independent of this one: what both had learned, only one of them would go on with."""
        state = self.__getstate__()
        state.pop("_threads", None)
        if "_learned" in state:
            state["_learned"] = copy.copy(state["_learned"])
        other = type(self).__new__(type(self))
        getattr(other, "__setstate__", other.__dict__.update)(state)
        return other

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes everything that was learned to an HDF5 file.

        The program ``tamis`` reads it, too: as a model, and, if it is of a fit that was stopped,
        to go on with that fit and the same samples. Names of features are not in it.

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
            Its parameters are those that the model was learned with. It has no
            ``feature_names_in_``.
        """
        path = os.fspath(path)
        os.stat(path)  # Python's own words for a file that is not there
        learned = _core.load(path)
        estimator = cls()
        for name, value in parameters_of(learned.settings).items():
            setattr(estimator, name, value)  # which a subclass need not take as an argument
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
            # With any seed: who is only asked must not take numbers from the user's generator.
            settings = json.loads(self._core_with(np.float32, seed=0).settings)
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

