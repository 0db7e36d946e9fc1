"""What the checker is made of, so that it can be put back as it was."""

from __future__ import annotations

import builtins
import dataclasses
import enum
import sys
import types
from collections.abc import Callable, Iterator

# IPython puts them into builtins, some only while a cell runs
IPYTHONS = {"display", "get_ipython", "input", "exit", "quit"}
# what the checker compares with and the guard signs by, besides the course itself
ALSO = ("json", "json.encoder", "numpy._core.numeric", "numpy._core.fromnumeric")
_PLAIN = (int, float, str, bytes, tuple, frozenset, type(None))


def snapshot() -> Iterator[tuple[object, str, object, Callable[[], None]]]:
    """All that the checker is made of: owner, name, value, how to put it back."""
    import numpy as np
    import tensorflow as tf

    for module in (builtins, np, np.linalg, tf, tf.math, tf.distribute):
        for name, value in list(vars(module).items()):
            if callable(value) and name not in IPYTHONS:
                yield _entry(module, name, value)
    seen: set[int] = set()
    for name, module in list(sys.modules.items()):
        if name.startswith("course.") or name in ALSO:
            yield from _parts(module, seen)


def _parts(owner: object, seen: set[int]) -> Iterator[tuple]:
    """The attributes of a module, class, instance or function of the course."""
    if id(owner) in seen:
        return
    seen.add(id(owner))
    if isinstance(owner, types.FunctionType):
        for name in ("__code__", "__defaults__", "__kwdefaults__"):
            yield _entry(owner, name, getattr(owner, name))
        return
    if isinstance(owner, enum.Enum):
        for name in ("_value_", "_name_"):
            yield _entry(owner, name, getattr(owner, name))
        return
    for name, value in list(vars(owner).items()):
        judges = callable(value) or dataclasses.is_dataclass(value)
        constant = isinstance(value, _PLAIN) and (
            name.isupper() or not isinstance(owner, types.ModuleType)
        )
        if (judges or constant or isinstance(value, property)) and name != "__doc__":
            yield _entry(owner, name, value)
        for each in value if isinstance(value, list | tuple) else (value,):
            if is_ours(each) and (
                isinstance(each, type | types.FunctionType | enum.Enum)
                or (dataclasses.is_dataclass(each) and hasattr(each, "__dict__"))
            ):
                yield from _parts(each, seen)


def _entry(owner: object, name: str, value: object) -> tuple:
    def put_back() -> None:
        if dataclasses.is_dataclass(owner) and not isinstance(owner, type):
            object.__setattr__(owner, name, value)  # frozen ones too
        else:
            setattr(owner, name, value)

    return owner, name, value, put_back


def now(owner: object, name: str) -> object:
    """The attribute as it is."""
    if isinstance(owner, types.FunctionType):
        return getattr(owner, name)
    return vars(owner).get(name)


def is_ours(value: object) -> bool:
    """Whether the course, or what it relies on most, made this."""
    module = str(getattr(value, "__module__", ""))
    return module.startswith("course.") or module in ALSO


def named(owner: object) -> str:
    """Words for the owner of an attribute."""
    return str(
        getattr(owner, "__qualname__", getattr(owner, "__name__", type(owner).__name__))
    )
