"""Numbers as users give them."""

from __future__ import annotations

import operator
from typing import Any


def real(name: str, value: Any, least: float) -> float:
    """The value of a parameter that is a number, and not less."""
    if not hasattr(value, "__float__"):
        raise TypeError(f"{name}: {value!r} is not a number")
    return _checked(name, float(value), least)


def whole(name: str, value: Any, least: int) -> int:
    """The same of a whole number."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: {value!r} is not a whole number") from None
    return _checked(name, number, least)


def _checked(name, number, least):
    if not number >= least:  # as NaN is not, either
        raise ValueError(f"{name} = {number}, must be at least {least}")
    return number
