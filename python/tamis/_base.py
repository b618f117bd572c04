"""What scikit-learn gives an estimator, if there is scikit-learn."""

try:
    from sklearn.base import (
        BaseEstimator,
        ClassNamePrefixFeaturesOutMixin,
        TransformerMixin,
    )
    from sklearn.exceptions import ConvergenceWarning, NotFittedError

    HAS_SKLEARN = True
except ImportError:
    from ._without_sklearn import (
        BaseEstimator,
        ClassNamePrefixFeaturesOutMixin,
        ConvergenceWarning,
        NotFittedError,
        TransformerMixin,
    )

    HAS_SKLEARN = False

__all__ = [
    "HAS_SKLEARN",
    "BaseEstimator",
    "ClassNamePrefixFeaturesOutMixin",
    "ConvergenceWarning",
    "NotFittedError",
    "TransformerMixin",
]
