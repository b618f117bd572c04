"""Background and foreground of a scene, frame by frame."""

from __future__ import annotations

import inspect
import keyword
import textwrap
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

__all__ = ["BackgroundModel"]


def _name(setting: str) -> str:
    """A setting as a keyword: `lambda` is a word of Python's own."""
    return setting + "_" if keyword.iskeyword(setting) else setting


def _parameters() -> str:
    lines = ["Parameters", "----------"]
    for setting, default, allowed, meaning in _core.describe_scene_settings():
        name = _name(setting)
        lines += [f"{name} : {allowed or 'as on the command line'}, default={default}"]
        lines += textwrap.wrap(
            f"{meaning[0].upper()}{meaning[1:]}.", 92, initial_indent="    ", subsequent_indent="    "
        )
    return "\n".join(lines)


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


class BackgroundModel:
    """Tells what moves in front of a still camera, one frame after the other.

    The background is learned on the way as a nonnegative factorization of low rank that ignores
    what does not fit it. There is an answer from the first frame on; it becomes surer while the
    first ``warmup`` frames go by. It has the convention of OpenCV's background subtractors:
    :meth:`apply` returns a mask. The program's ``tamis separate`` does the same for files.

    {parameters}

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.video import BackgroundModel
    >>> random = np.random.default_rng(0)
    >>> wall = random.integers(60, 160, (48, 64))
    >>> model = BackgroundModel(warmup=16)
    >>> for t in range(40):
    ...     frame = wall + random.integers(-2, 3, wall.shape)
    ...     left = 5 * t % 64
    ...     frame[10:30, left : left + 10] = 250  # something bright wanders by
    ...     mask = model.apply(frame.astype(np.uint8))
    >>> float((mask[10:30, left : left + 10] == 255).mean()) > 0.9
    True
    >>> float((mask == 255).mean()) < 0.15
    True
    >>> float(np.abs(model.background().astype(float) - wall).mean()) < 5
    True
    """

    __signature__ = inspect.Signature(
        [
            inspect.Parameter(_name(setting), inspect.Parameter.KEYWORD_ONLY, default=_value(default))
            for setting, default, _, _ in _core.describe_scene_settings()
        ]
    )

    def __init__(self, **settings: Any) -> None:
        known = {_name(setting): setting for setting, *_ in _core.describe_scene_settings()}
        if unknown := settings.keys() - known.keys():
            raise TypeError(
                f"BackgroundModel() got an unexpected keyword argument {min(unknown)!r}; there are "
                f"{', '.join(known)}"
            )
        self._scene = _core.Scene({known[name]: str(value) for name, value in settings.items()})

    def apply(self, frame: ArrayLike) -> NDArray[np.uint8]:
        """Takes the next frame and returns its mask.

        Parameters
        ----------
        frame : array-like of uint8, shape (height, width) or (height, width, 3)
            Another shape than before, or another scene, makes the model begin anew.

        Returns
        -------
        mask : ndarray of uint8, shape (height, width)
            255 where something is in front of the background, 0 elsewhere.
        """
        frame = np.asarray(frame)
        if frame.dtype != np.uint8:
            raise TypeError(f"a frame has entries of uint8, these are {frame.dtype}")
        if frame.ndim not in (2, 3) or frame.ndim == 3 and frame.shape[2] not in (1, 3):
            raise ValueError(
                f"a frame is (height, width) or (height, width, 3), this one is {frame.shape}"
            )
        return self._scene.apply(np.ascontiguousarray(frame))

    def background(self) -> NDArray[np.uint8]:
        """The background of the latest frame, shaped like it; empty before the first."""
        return self._scene.background()

    @property
    def restarts(self) -> list[int]:
        """The frames, counted from 0, with which the model began anew."""
        return self._scene.restarts()


if BackgroundModel.__doc__:
    BackgroundModel.__doc__ = inspect.cleandoc(BackgroundModel.__doc__).replace(
        "{parameters}", _parameters()
    )
