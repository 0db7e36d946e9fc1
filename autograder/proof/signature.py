"""What a trial is made of: the names that it refers to, and its data.

Two trials are the same if their structure is equal and their numbers are close. Pickles
would not do: they hold paths and line numbers, and floats that differ from one
processor to the next.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np

CLOSE = 1e-4  # relative: draws may be computed in float32, in another order


@dataclass(frozen=True)
class Signature:
    """What a value is made of.

    names: module and name of each function and class that it refers to.
    digest: of its structure: types, texts, whole numbers, shapes.
    numbers: float64, shape (n,): its floats, and two sums for each array of floats.
    """

    names: frozenset[tuple[str, str]]
    digest: str
    numbers: np.ndarray

    def matches(self, digest: str, numbers: np.ndarray) -> bool:
        """Return whether this is the value that had this digest and these numbers."""
        return (
            digest == self.digest
            and numbers.shape == self.numbers.shape
            and np.allclose(
                numbers, self.numbers, rtol=CLOSE, atol=CLOSE, equal_nan=True
            )
        )


def signature_of(value: object) -> Signature:
    """Return the signature of a value: plain data, objects, functions with closures.

    Raises:
        TypeError: it holds something that has no state to look at.
    """
    walk = _Walk()
    walk.visit(value)
    digest = walk.structure.hexdigest()[:16]
    return Signature(frozenset(walk.names), digest, np.array(walk.numbers, float))


class _Walk:
    def __init__(self) -> None:
        self.names: set[tuple[str, str]] = set()
        self.numbers: list[float] = []
        self.structure = hashlib.sha256()
        self._inside: set[int] = set()  # objects that are being visited

    def visit(self, value: object) -> None:
        if id(value) in self._inside:
            self._note("itself")
            return
        self._inside.add(id(value))
        try:
            self._look_at(value)
        finally:
            self._inside.discard(id(value))

    def _note(self, *parts: object) -> None:
        self.structure.update(repr(parts).encode())

    def _look_at(self, value: object) -> None:
        match value:
            case Enum():
                self._note("enum", value.name)
                self._refer_to(type(value))
            case None | bool() | int() | str() | bytes() | types.EllipsisType():
                self._note(type(value).__name__, value)
            case float():
                self._note("float")
                self.numbers.append(value)
            case np.ndarray():
                self._array(value)
            case np.generic():
                self._note(value.dtype.str)
                self.visit(value.item())
            case type() | types.BuiltinFunctionType():
                self._refer_to(value)
            case types.ModuleType():
                self._note("module", value.__name__)
                self.names.add((value.__name__, "*"))
            case Mapping():
                self._note("mapping", type(value).__name__, len(value))
                for each in value.items():
                    self.visit(each)
            case tuple() | list():
                self._note(type(value).__name__, len(value))
                self._each(value)
            case set() | frozenset():
                self._note("set", len(value))
                self._each(sorted(value, key=repr))
            case functools.partial():
                self._note("partial")
                self._each((value.func, value.args, value.keywords))
            case types.MethodType():
                self._note("method", value.__func__.__name__)
                self.visit(value.__self__)
            case types.FunctionType():
                self._function(value)
            case _:
                self._object(value)

    def _each(self, values: Iterable[object]) -> None:
        for value in values:
            self.visit(value)

    def _array(self, value: np.ndarray) -> None:
        self._note("array", value.dtype.str, value.shape)
        if value.dtype.kind == "f":
            flat = value.astype(float).ravel()
            self._note(int(np.isfinite(flat).sum()))
            flat = np.where(np.isfinite(flat), flat, 0.0)
            # the second sum notices values that changed places
            self.numbers += [flat.sum(), flat @ np.cos(np.arange(flat.size))]
        elif value.dtype.kind == "O":
            self._each(value.ravel().tolist())
        else:
            self._note(hashlib.sha256(np.ascontiguousarray(value)).hexdigest())

    def _refer_to(self, value: object) -> None:
        name = value.__qualname__
        self._note("name", value.__module__, name)
        self.names.add((value.__module__ or "builtins", name.partition(".")[0]))

    def _function(self, value: types.FunctionType) -> None:
        if is_found_by_name(value):
            self._refer_to(value)
            return
        self._code(value.__code__)
        self._each((value.__defaults__, value.__kwdefaults__))
        self._each(cell.cell_contents for cell in value.__closure__ or ())
        for name in sorted(_global_names(value.__code__)):
            if name in value.__globals__:
                self._note("global", name)
                self.visit(value.__globals__[name])

    def _code(self, code: types.CodeType) -> None:
        self._note("code", code.co_code, code.co_names, code.co_varnames)
        for const in code.co_consts:
            if isinstance(const, types.CodeType):
                self._code(const)
            else:
                self.visit(const)

    def _object(self, value: object) -> None:
        self._refer_to(type(value))
        if hasattr(value, "numpy"):  # a tensor or a variable
            self.visit(np.asarray(value.numpy()))
        elif hasattr(value, "as_graph_def"):
            self._note(value.as_graph_def().SerializeToString(deterministic=True))
        else:
            reduced = value.__reduce_ex__(2)  # what a pickle would hold
            if isinstance(reduced, str):  # a name, such as that of a cached function
                self._refer_to(value)
                return
            self._each(reduced[1:3])
            self._each(list(part or ()) for part in reduced[3:5])


def is_found_by_name(function: types.FunctionType) -> bool:
    """Return whether its module has this function under its name."""
    try:
        found = importlib.import_module(function.__module__)
        for part in function.__qualname__.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, ValueError):
        return False
    return found is function


def _global_names(code: types.CodeType) -> set[str]:
    inner = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return set(code.co_names).union(*map(_global_names, inner))
