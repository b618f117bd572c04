"""Parameters that are connections to elsewhere: they stay the same object in clones, and are left
out of pickles and copies."""

from __future__ import annotations

from typing import Any


class Kept:
    """Holds what cannot be copied, so that scikit-learn's clone, which copies parameters, can."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __deepcopy__(self, memo: Any) -> Kept:
        return self

    def __repr__(self) -> str:
        return repr(self.value)


class KeptParameter:
    """A parameter of that kind, under its own name in the instance.

    What has no such method is no connection, and a mistake that others tell of.
    """

    def __init__(self, method: str) -> None:
        self._method = method

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        held = instance.__dict__.get(self._name)
        return held.value if isinstance(held, Kept) else held

    def __set__(self, instance: Any, value: Any) -> None:
        connects = hasattr(value, self._method) and not isinstance(value, Kept)
        instance.__dict__[self._name] = Kept(value) if connects else value


class KeepsParameters:
    """Base class of estimators with such parameters."""

    @classmethod
    def _kept(cls):
        named = {name for base in cls.__mro__ for name in vars(base)}
        return [name for name in named if isinstance(getattr(cls, name, None), KeptParameter)]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters and their values.

        Parameters
        ----------
        deep : bool, default=True
            As scikit-learn has it.

        Returns
        -------
        params : dict
        """
        found = super().get_params(deep)  # type: ignore[misc]
        if not deep:  # clone asks so
            found |= {name: self.__dict__[name] for name in self._kept() if name in found}
        return found

    def __getstate__(self) -> dict[str, Any]:
        inherited = getattr(super(), "__getstate__", None)  # since Python 3.11
        state = dict(inherited() if inherited else self.__dict__)
        return state | {name: None for name in self._kept() if name in state}
