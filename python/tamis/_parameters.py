"""The parameters of an estimator: the settings of the C++ library, under the names that users of
scikit-learn expect, and a few that concern Python alone.

A setting is written once, in C++. Name, default, allowed values and meaning come from there, so a
new one is a parameter here without any change.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import numbers
import re
import textwrap
from typing import NamedTuple

import numpy as np

from . import _core, _ranks

# Settings that have another name in scikit-learn, or one that is a word of Python's
RENAMED = {
    "rank": "n_components",
    "lambda": "lambda_",
    "epochs": "max_iter",
    "seed": "random_state",
}


class Parameter(NamedTuple):
    """A parameter, and the setting behind it (None: of Python alone)."""

    name: str
    setting: str | None
    default: object
    kind: str
    help: str
    forms: tuple[tuple[str, str], ...] = ()  # of a choice: what can be written, and its meaning


# None: where the algorithm can, which is what one expects of Python
_MISSING_DEFAULT = None

_OF_PYTHON = (
    Parameter(
        "transform_tol",
        None,
        1e-4,
        "float",
        "accuracy of the codes that ``transform`` finds, relative to their size",
    ),
    Parameter("transform_max_iter", None, 1000, "int", "iterations of ``transform``, at most"),
    Parameter(
        "keep_outliers",
        None,
        False,
        "bool",
        "keep the outliers of the samples given to ``fit``, as ``outliers_``",
    ),
    Parameter(
        "callback",
        None,
        None,
        "callable or None",
        "called with a :class:`tamis.Progress` after every mini-batch of ``fit``; if it returns "
        "False, or anything else that is false but not None, the fit ends there",
    ),
    Parameter(
        "comm",
        None,
        None,
        "communicator of mpi4py or None",
        "with it every process (rank) gives ``fit`` and ``partial_fit`` samples of its own, and "
        "all learn the same model, as one process would with mini-batches that many times larger. It "
        "stays the same in clones, and is left out of pickles and copies",
    ),
    Parameter(
        "async_",
        None,
        False,
        "bool",
        "with ``comm``: ``fit`` exchanges the sums of a mini-batch while the next one is encoded, and "
        "learns from them one mini-batch late",
    ),
    Parameter("verbose", None, 0, "int", "1 shows the progress of ``fit``, by tqdm if it is there"),
)


def _default(text):
    """The default of a setting, from its description."""
    if text in ("by algorithm", "one group"):
        return None
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return float(text) if text == "inf" else text


def _kind(text, options):
    """What a setting is, in numpydoc's manner, and the rule for its values."""
    if options:
        names = [f"'{name}'" for name, form, _ in options if form != "a number"]
        number_too = " or float" if len(names) < len(options) else ""
        return "{" + ", ".join(names) + "}" + number_too, ""
    if text.startswith("whole number, "):
        return "int", text.removeprefix("whole number, ")
    if text.startswith("true"):
        return "bool", ""
    if text.startswith("groups"):
        return "list of lists of int", ""
    if " with " in text:
        return "tuple of float, or str", ""
    return "float", text


def _table():
    options: dict[str, list[tuple[str, str, str]]] = {}
    for name, _, form, help_text in _core.describe_choices():
        words = name.split()
        if len(words) == 2:  # an option; its parameters have three
            options.setdefault(words[0], []).append((words[1], form, help_text))
    table = []
    for setting, default, allowed, help_text in _core.describe_settings():
        kind, rule = _kind(allowed, options.get(setting))
        if setting == "seed":
            kind, rule = "int, RandomState instance or None", ""
        value = _MISSING_DEFAULT if setting == "missing" else _default(default)
        kind += " or None" if value is None else ""
        help_text += f"; {rule}" if rule else ""
        forms = tuple((form, meaning) for _, form, meaning in options.get(setting, []))
        table.append(
            Parameter(RENAMED.get(setting, setting), setting, value, kind, help_text, forms)
        )
    return tuple(table) + _OF_PYTHON


PARAMETERS = _table()


def _numpydoc(parameters):
    lines = ["Parameters", "----------"]
    for p in parameters:
        default = f'"{p.default}"' if isinstance(p.default, str) else p.default
        lines += [f"{p.name} : {p.kind}, default={default}"]
        meaning = (p.help[0].upper() if p.help[0].isascii() else p.help[0]) + p.help[1:] + "."
        if p.name == "missing":
            meaning += " None: yes, where the algorithm can."
        elif p.setting and p.default is None and not p.name.endswith("groups"):
            meaning += " None: what the algorithm assumes."
        lines += textwrap.wrap(meaning, 96, initial_indent="    ", subsequent_indent="    ")
        if p.forms:
            lines += [""]
        for form, option in p.forms:
            lines += textwrap.wrap(
                f"- ``{form}``: {option}", 96, initial_indent="    ", subsequent_indent="      "
            )
    return "\n".join(lines)


def documented(cls, parameters=PARAMETERS):
    """Class decorator: puts the parameters in the place that the docstring keeps for them."""
    text = inspect.cleandoc(cls.__doc__)
    cls.__doc__ = text.replace("{parameters}", _numpydoc(parameters))
    return cls


def _plain(value):
    """A value as JSON can say it."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return "nan" if np.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, (list, tuple, range)):
        return [_plain(item) for item in value]
    return value


def _seed(random_state):
    """A seed from what scikit-learn accepts as one."""
    if isinstance(random_state, numbers.Integral):
        if not 0 <= random_state < 2**64:
            raise ValueError(f"random_state = {random_state}, must be from 0 to 2**64 - 1")
        return int(random_state)
    if random_state is None:
        random_state = np.random.mtrand._rand
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63 - 1))
    raise ValueError(f"random_state: {random_state!r} cannot be used to seed random numbers")


def signature_of(parameters):
    """That of a constructor with these parameters: the first one also by position."""
    kinds = [inspect.Parameter.POSITIONAL_OR_KEYWORD] + [inspect.Parameter.KEYWORD_ONLY] * (
        len(parameters) - 1
    )
    return inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        + [
            inspect.Parameter(p.name, kind, default=p.default)
            for p, kind in zip(parameters, kinds)
        ]
    )


def constructor_of(parameters):
    """An ``__init__`` that takes these parameters, also when that of a subclass calls it."""
    signature = signature_of(parameters)

    def __init__(self, *args, **kwargs):
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        for name, value in list(bound.arguments.items())[1:]:
            setattr(self, name, value)

    __init__.__signature__ = signature
    return __init__


class Parameters:
    """Base class of estimators: takes the parameters and hands them to the C++ library."""

    __init__ = constructor_of(PARAMETERS)

    def _seed_for(self, comm):
        seed = _seed(self.random_state)
        if not _ranks.several(comm):
            return seed
        first = _ranks.of_first(comm, seed)
        return seed if isinstance(self.random_state, numbers.Integral) else first

    def _make_core(self, dtype, comm=None):
        """A new C++ estimator of these parameters; comm: other ranks that make the same."""
        return self._core_with(dtype, self._seed_for(comm))

    def _core_with(self, dtype, seed):
        settings = {}
        for parameter in PARAMETERS:
            if parameter.setting is None:
                continue
            value = getattr(self, parameter.name)
            if parameter.setting == "seed":
                value = seed
            if value is None:
                continue
            if parameter.setting == "dictionary_penalty" and isinstance(value, (tuple, list)):
                value = ",".join(str(_plain(part)) for part in value)
            settings[parameter.setting] = _plain(value)
        try:
            text = json.dumps(settings)
        except TypeError as error:
            raise TypeError(f"a parameter has a value of the wrong kind: {error}") from None
        core = _core.Estimator32 if dtype == np.float32 else _core.Estimator64
        with our_words():
            return core(text, self.missing is None)


def in_our_words(message):
    """A message of the library with the names that things have here."""
    for setting, name in RENAMED.items():
        # but "rank 1" is one of several processes
        named = rf"^{setting}\b(?! \d)|\b{setting}(?= = )"
        message = re.sub(named, name, message, flags=re.MULTILINE)
    return message.replace("double precision", "float64")


@contextlib.contextmanager
def our_words():
    """Messages of the library within are in our words."""
    try:
        yield
    except ValueError as error:
        message = in_our_words(str(error))
        if message == str(error):
            raise
        raise ValueError(message) from None


def parameters_of(settings):
    """Parameters from the JSON of a saved model's settings."""
    values = json.loads(settings)
    found = {}
    for parameter in PARAMETERS:
        if parameter.setting in values:
            value = values[parameter.setting]
            if parameter.setting.endswith("groups") and not value:
                value = None
            found[parameter.name] = float(value) if value in ("inf", "-inf") else value
    return found
