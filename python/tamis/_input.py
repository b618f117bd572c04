"""Samples and weights as users give them, ready for the C++ library, not copied if possible."""

from __future__ import annotations

import inspect

import numpy as np

from ._base import HAS_SKLEARN

# What the library reads where it lies; all else becomes float64.
READ_IN_PLACE = (np.float64, np.float32, np.uint8, np.uint16)

if HAS_SKLEARN:
    from sklearn.utils.validation import check_array

    # The library looks at every entry anyway, and says which one is wrong.
    _finite = "ensure_all_finite"
    if _finite not in inspect.signature(check_array).parameters:
        _finite = "force_all_finite"
    _OPTIONS = {"dtype": list(READ_IN_PLACE), _finite: False}

    def _checked(estimator, X, reset, least):
        options = {**_OPTIONS, "ensure_min_samples": least}
        try:
            from sklearn.utils.validation import validate_data
        except ImportError:
            return estimator._validate_data(X, reset=reset, **options)
        return validate_data(estimator, X, reset=reset, **options)

else:

    def _checked(estimator, X, reset, least):
        X = np.asarray(X)
        if X.dtype not in READ_IN_PLACE:
            if X.dtype.kind == "c":
                raise ValueError("Complex data not supported")
            X = X.astype(np.float64)
        if X.ndim != 2:
            raise ValueError(
                f"Expected 2D array, got {X.ndim}D array instead: one row per sample; "
                "reshape your data, for instance by X.reshape(len(X), -1)"
            )
        for count, required, name in zip(X.shape, (least, 1), ("sample", "feature")):
            if count < required:
                raise ValueError(f"Found array with 0 {name}(s) while a minimum of 1 is required.")
        if reset:
            estimator.n_features_in_ = X.shape[1]
        elif X.shape[1] != estimator.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(estimator).__name__} is expecting "
                f"{estimator.n_features_in_} features as input"
            )
        return X


def plain(X):
    """X as it is, unless it is an array with a mask, or of another machine's byte order."""
    if isinstance(X, np.ma.MaskedArray):
        X = _filled(X)
    dtype = getattr(X, "dtype", None)
    if isinstance(dtype, np.dtype) and not dtype.isnative:
        X = np.asarray(X, dtype.newbyteorder("="))
    return X


def _filled(X):
    if not np.ma.is_masked(X):
        return X.data
    if X.dtype.kind == "u" and X.itemsize <= 2:  # as floats they would be in other units
        raise ValueError(
            f"X has masked entries, and {X.dtype} no NaN that would mark them as missing; "
            f"give X / {np.iinfo(X.dtype).max}"
        )
    return (X if X.dtype.kind in "fc" else X.astype(np.float64)).filled(np.nan)


def samples(estimator, X, reset, least=1):
    """X, of at least so many samples, as an array that the library can read.

    The number of features is noted (reset), or checked.
    """
    if hasattr(X, "tocsr"):
        raise TypeError("Sparse data was passed, but dense data is needed: use X.toarray()")
    X = plain(X)
    return aligned(_checked(estimator, X, reset, least))


def aligned(X):
    """X, copied only if its entries lie where the library cannot read them."""
    readable = all(step % X.itemsize == 0 for step in X.strides) and X.flags.aligned
    return X if readable else np.ascontiguousarray(X)


def weights(sample_weight, n):
    """One weight for every sample, or None."""
    if sample_weight is None:
        return None
    if np.ma.is_masked(sample_weight):
        raise ValueError("sample_weight has masked entries; a weight of 0 leaves out a sample")
    found = np.asarray(sample_weight, dtype=np.float64)
    if found.ndim == 0:
        found = np.full(n, found)
    if found.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    if len(found) != n:
        raise ValueError(f"sample_weight.shape == {found.shape}, expected {(n,)}!")
    return np.ascontiguousarray(found)


def precision(X):
    """What to compute with: float32 stays float32, and is enough for bytes and words."""
    return np.float64 if X.dtype == np.float64 else np.float32
