"""The little of scikit-learn that is needed where there is none."""

from __future__ import annotations

import inspect

import numpy as np


class NotFittedError(ValueError, AttributeError):
    """The estimator has not learned anything yet."""


class ConvergenceWarning(UserWarning):
    """The result is less accurate than was asked for."""


class BaseEstimator:
    """Parameters by name, as scikit-learn has them."""

    def get_params(self, deep=True):
        """The parameters and their values."""
        names = inspect.signature(type(self)).parameters
        return {name: getattr(self, name) for name in names}

    def set_params(self, **params):
        """Sets parameters by name."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {type(self).__name__}. "
                    f"Valid parameters are: {sorted(known)}."
                )
            setattr(self, name, value)
        return self

    def __repr__(self):
        defaults = inspect.signature(type(self)).parameters
        given = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if repr(value) != repr(defaults[name].default)
        ]
        return f"{type(self).__name__}({', '.join(given)})"


class TransformerMixin:
    """Nothing: fit_transform is the estimator's own."""


class ClassNamePrefixFeaturesOutMixin:
    """Names of what transform returns."""

    def get_feature_names_out(self, input_features=None):
        """robustnmf0, robustnmf1, …"""
        prefix = type(self).__name__.lower()
        return np.asarray([f"{prefix}{k}" for k in range(self._n_features_out)], dtype=object)
