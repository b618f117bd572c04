"""tamis: online nonnegative matrix factorization with outliers, X ≈ HW + R."""

from ._core import Progress, __version__
from ._estimator import RobustNMF

__all__ = ["Progress", "RobustNMF", "__version__"]
