"""Pictures of what was learned. matplotlib is imported when one is drawn.

Every function draws into ``ax`` (or a new figure) and returns what it has drawn into.

Examples
--------
>>> import matplotlib
>>> matplotlib.use("Agg")
>>> import numpy as np
>>> import tamis, tamis.plot
>>> X = np.random.default_rng(0).random((300, 64))
>>> model = tamis.RobustNMF(n_components=6).fit(X)
>>> ax = tamis.plot.basis(model, shape=(8, 8))
>>> ax = tamis.plot.objective(model)
>>> axes = tamis.plot.panel(model, X[0], shape=(8, 8))
>>> [ax.get_title() for ax in axes]
['sample', 'reconstruction', 'outliers']
"""

from __future__ import annotations

import math
from typing import Any, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._estimator import RobustNMF

__all__ = ["basis", "objective", "panel", "tiles"]


def _axes(ax):
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots()[1]


def _shape(model, shape):
    """Height and width of a sample: as given, as the model remembers it, or square."""
    if shape is not None:
        if len(shape) != 2:
            raise ValueError(f"shape = {tuple(shape)}, must be (height, width)")
        height, width = shape
    else:
        remembered = model._check_fitted().shape
        side = math.isqrt(model.n_features_in_)
        height, width = remembered if len(remembered) == 2 else (side, side)
    if height * width != model.n_features_in_:
        raise ValueError(
            f"{model.n_features_in_} features are no image of {height}×{width}: "
            "give its shape=(height, width)"
        )
    return height, width


def tiles(
    images: ArrayLike, shape: Sequence[int], columns: int | None = None, gap: int = 1
) -> NDArray[Any]:
    """Many small images as one, each scaled to [0, 1].

    Parameters
    ----------
    images : array-like of shape (n, height * width)
        One image per row.
    shape : (height, width)
        Of an image.
    columns : int, optional
        Images side by side; by default about as many as one above the other.
    gap : int, default=1
        Pixels between them, NaN.

    Returns
    -------
    image : ndarray of two dimensions
    """
    images = np.asarray(images, dtype=float)
    height, width = shape
    if columns is None:
        columns = math.ceil(math.sqrt(len(images)))
    columns = max(1, min(columns, len(images)))
    rows = -(-len(images) // columns)
    picture = np.full((rows * (height + gap) - gap, columns * (width + gap) - gap), np.nan)
    for k, image in enumerate(images):
        low, high = image.min(), image.max()
        scaled = (image - min(low, 0)) / ((high - min(low, 0)) or 1)
        top, left = (k // columns) * (height + gap), (k % columns) * (width + gap)
        picture[top : top + height, left : left + width] = scaled.reshape(height, width)
    return picture


def basis(
    model: RobustNMF,
    shape: Sequence[int] | None = None,
    columns: int | None = None,
    ax: Any = None,
) -> Any:
    """The atoms as small images.

    Parameters
    ----------
    model : RobustNMF
        Fitted.
    shape : (height, width), optional
        Of a sample; by default square.
    columns : int, optional
        Atoms side by side.
    ax : matplotlib.axes.Axes, optional
        Where to draw.

    Returns
    -------
    ax : matplotlib.axes.Axes
    """
    picture = tiles(model.components_, _shape(model, shape), columns)
    ax = _axes(ax)
    ax.imshow(picture, cmap="gray", vmin=0, vmax=1, interpolation="nearest")
    ax.set_axis_off()
    return ax


def objective(model: RobustNMF, ax: Any = None, **style: Any) -> Any:
    """The objective of the latest fit against the samples seen.

    Parameters
    ----------
    model : RobustNMF
        Fitted by ``fit``: a history of ``partial_fit`` is not kept.
    ax : matplotlib.axes.Axes, optional
        Where to draw.
    **style
        For ``ax.plot``.

    Returns
    -------
    ax : matplotlib.axes.Axes
    """
    model._check_fitted()
    if not hasattr(model, "trace_"):
        raise ValueError("there is no history of the objective: it is that of fit")
    ax = _axes(ax)
    ax.plot(model.trace_["samples"], model.trace_["objective"], **style)
    ax.set(xlabel="samples", ylabel="objective", xscale="log")
    return ax


def panel(
    model: RobustNMF, x: ArrayLike, shape: Sequence[int] | None = None, axes: Any = None
) -> Any:
    """One sample beside its reconstruction (the background of a frame) and its outliers.

    Parameters
    ----------
    model : RobustNMF
        Fitted.
    x : array-like of shape (n_features,)
        The sample.
    shape : (height, width), optional
        Of the sample; by default square.
    axes : sequence of three matplotlib.axes.Axes, optional
        Where to draw.

    Returns
    -------
    axes : sequence of matplotlib.axes.Axes
    """
    height, width = _shape(model, shape)
    x = np.asarray(x).reshape(1, -1)
    H, R = model.transform(x, return_outliers=True)
    if axes is None:
        import matplotlib.pyplot as plt

        axes = plt.subplots(1, 3, figsize=(9, 3))[1]
    observed = x[np.isfinite(x)] if x.dtype.kind == "f" else x
    low, high = min(0, float(observed.min())), float(observed.max())
    most = float(np.abs(R).max()) or 1
    reconstruction = model.inverse_transform(H)
    for ax, title, image, style in (
        (axes[0], "sample", x, {"cmap": "gray", "vmin": low, "vmax": high}),
        (axes[1], "reconstruction", reconstruction, {"cmap": "gray", "vmin": low, "vmax": high}),
        (axes[2], "outliers", R, {"cmap": "RdBu", "vmin": -most, "vmax": most}),
    ):
        pixels = np.asarray(image, dtype=float).reshape(height, width)
        ax.imshow(pixels, interpolation="nearest", **style)
        ax.set_title(title)
        ax.set_axis_off()
    return axes
