"""Made by scripts/python_stub.py from the settings of the C++ library."""

from inspect import Signature
from typing import Any, Callable, ContextManager, NamedTuple, Sequence, TypeVar

import numpy as np

from ._core import Estimator32, Estimator64, Progress

_Class = TypeVar("_Class", bound=type)

RENAMED: dict[str, str]
PARAMETERS: tuple[Parameter, ...]

class Parameter(NamedTuple):
    name: str
    setting: str | None
    default: object
    kind: str
    help: str
    forms: tuple[tuple[str, str], ...] = ...

class Parameters:
    n_components: int
    algorithm: str
    lambda_: str | float | None
    max_outlier: float | None
    nonneg_outliers: bool
    outlier_penalty: str
    outlier_groups: Sequence[Sequence[int]] | None
    code_penalty: str
    code_groups: Sequence[Sequence[int]] | None
    constraint: str | None
    dictionary_penalty: str | tuple[float, float]
    init: str
    reseed: bool | None
    forget: str | None
    batch_size: int | None
    max_iter: int
    shuffle: bool
    normalize: str | None
    missing: bool | None
    allow_negative: bool
    random_state: int | np.random.RandomState | np.random.Generator | None
    threads: int
    transform_tol: float
    transform_max_iter: int
    keep_outliers: bool
    callback: Callable[[Progress], bool | None] | None
    comm: Any
    async_: bool
    verbose: int
    def __init__(
        self,
        n_components: int = 10,
        *,
        algorithm: str = 'fast',
        lambda_: str | float | None = None,
        max_outlier: float | None = None,
        nonneg_outliers: bool = False,
        outlier_penalty: str = 'l1',
        outlier_groups: Sequence[Sequence[int]] | None = None,
        code_penalty: str = 'none',
        code_groups: Sequence[Sequence[int]] | None = None,
        constraint: str | None = None,
        dictionary_penalty: str | tuple[float, float] = '0,0',
        init: str = 'uniform',
        reseed: bool | None = None,
        forget: str | None = None,
        batch_size: int | None = None,
        max_iter: int = 1,
        shuffle: bool = False,
        normalize: str | None = None,
        missing: bool | None = None,
        allow_negative: bool = False,
        random_state: int | np.random.RandomState | np.random.Generator | None = 0,
        threads: int = 0,
        transform_tol: float = 0.0001,
        transform_max_iter: int = 1000,
        keep_outliers: bool = False,
        callback: Callable[[Progress], bool | None] | None = None,
        comm: Any = None,
        async_: bool = False,
        verbose: int = 0,
    ) -> None: ...
    def _make_core(self, dtype: Any, comm: Any = None) -> Estimator32 | Estimator64: ...
    def _core_with(self, dtype: Any, seed: int) -> Estimator32 | Estimator64: ...

def constructor_of(parameters: Sequence[Parameter]) -> Callable[..., None]: ...
def documented(cls: _Class, parameters: Sequence[Parameter] = ...) -> _Class: ...
def in_our_words(message: str) -> str: ...
def our_words() -> ContextManager[None]: ...
def parameters_of(settings: str) -> dict[str, Any]: ...
def signature_of(parameters: Sequence[Parameter]) -> Signature: ...
