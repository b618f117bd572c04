"""Prints python/tamis/_parameters.pyi: the parameters for type checkers, who cannot ask anyone.

    export PYTHONPATH=build/release/python
    /usr/bin/python3 scripts/python_stub.py > python/tamis/_parameters.pyi
"""

from tamis._parameters import PARAMETERS

OF_PYTHON = {"callback": "Callable[[Progress], bool | None] | None", "comm": "Any"}


def annotation(parameter):
    """The type of a parameter, from the words for its values."""
    allowed = parameter.kind
    if parameter.name in OF_PYTHON:
        return OF_PYTHON[parameter.name]
    if allowed.startswith("int, RandomState"):
        return "int | np.random.RandomState | np.random.Generator | None"
    kinds = {"int": "int", "float": "float", "bool": "bool", "list": "Sequence[Sequence[int]]"}
    found = kinds.get(allowed.split(",")[0].split()[0])
    if found is None:
        found = "str | float" if " or float" in allowed else "str"
    if allowed.startswith("tuple"):
        found = "str | tuple[float, float]"
    return f"{found} | None" if parameter.default is None else found


def stub():
    """The whole file."""
    typed = [(p.name, annotation(p), repr(p.default)) for p in PARAMETERS]
    lines = [
        '"""Made by scripts/python_stub.py from the settings of the C++ library."""',
        "",
        "from inspect import Signature",
        "from typing import Any, Callable, ContextManager, NamedTuple, Sequence, TypeVar",
        "",
        "import numpy as np",
        "",
        "from ._core import Estimator32, Estimator64, Progress",
        "",
        '_Class = TypeVar("_Class", bound=type)',
        "",
        "RENAMED: dict[str, str]",
        "PARAMETERS: tuple[Parameter, ...]",
        "",
        "class Parameter(NamedTuple):",
        "    name: str",
        "    setting: str | None",
        "    default: object",
        "    kind: str",
        "    help: str",
        "    forms: tuple[tuple[str, str], ...] = ...",
        "",
        "class Parameters:",
        *(f"    {name}: {kind}" for name, kind, _ in typed),
        "    def __init__(",
        "        self,",
    ]
    for i, (name, kind, default) in enumerate(typed):
        lines += [f"        {name}: {kind} = {default},"] + (["        *,"] if i == 0 else [])
    lines += [
        "    ) -> None: ...",
        "    def _make_core(self, dtype: Any, comm: Any = None) -> Estimator32 | Estimator64: ...",
        "    def _core_with(self, dtype: Any, seed: int) -> Estimator32 | Estimator64: ...",
        "",
        "def constructor_of(parameters: Sequence[Parameter]) -> Callable[..., None]: ...",
        "def documented(cls: _Class, parameters: Sequence[Parameter] = ...) -> _Class: ...",
        "def in_our_words(message: str) -> str: ...",
        "def our_words() -> ContextManager[None]: ...",
        "def parameters_of(settings: str) -> dict[str, Any]: ...",
        "def signature_of(parameters: Sequence[Parameter]) -> Signature: ...",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(stub(), end="")
