"""What a cell bound anew in the modules that judging uses, found by identity.

Whoever replaces a function of TensorFlow, Keras, NumPy, the course or what a hand-over
uses may change what a check observes. To compare takes 15 to 30 ms.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from operator import is_
from types import CodeType, FunctionType, ModuleType

import numpy as np
from traitlets import TraitType

WATCHED = frozenset(
    ["IPython", "builtins", "course", "ipykernel", "keras", "numpy", "tensorflow"]
)
USED = frozenset(["base64", "io", "json", "pickle", "zipfile", "zlib"])  # to hand over
EXECUTE = "tensorflow.python.eager.execute"
OF_KERNELS = "builtins.input"  # which ipykernel replaces for every request

_known: dict[int, Mapping[str, object]] = {}  # of module or class, by id: its names


def changes() -> Iterator[str]:
    """Yield what was bound anew since the last call, as "numpy.allclose".

    Functions, classes, methods and modules count, and the code of the course's
    functions. A new name counts only if what it is bound to comes from a cell.
    """
    for where, owner in _watched():
        namespace, known = _bound(owner, where), _known.get(id(owner))
        if known is None:
            _known[id(owner)] = dict(namespace)
            continue
        same = len(known) == len(namespace)
        if same and all(map(is_, known.values(), namespace.values())):
            continue
        for name, old in known.items():
            full = f"{where}.{name}"
            new = namespace.get(name)
            if (
                new is not old
                and _matters(old, where, full)
                and not _is_harmless(full, old, new)
            ):
                yield full
        for name, new in namespace.items():
            if name not in known and getattr(new, "__module__", "") == "__main__":
                yield f"{where}.{name}"
        _known[id(owner)] = dict(namespace)


def _bound(owner: ModuleType | type, where: str) -> Mapping[str, object]:
    """What is bound in a module or class; of the course's functions their code, too."""
    found = vars(owner)
    if not where.startswith("course."):
        return found
    code = {
        f"{name}.__code__": each.__code__
        for name, each in list(found.items())
        if isinstance(each, FunctionType)
    }
    return {**found, **code}


def _watched() -> Iterator[tuple[str, ModuleType | type]]:
    """The watched modules and the classes in them, with their full names."""
    classes: dict[int, type] = {}
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in WATCHED | USED and isinstance(module, ModuleType):
            yield name, module
            for each in list(vars(module).values()):
                if isinstance(each, type):
                    classes[id(each)] = each
    for each in classes.values():
        owner = type.__getattribute__(each, "__module__")
        if isinstance(owner, str) and owner.split(".")[0] in WATCHED | USED:
            yield f"{owner}.{type.__getattribute__(each, '__qualname__')}", each


def _is_harmless(full: str, old: object, new: object) -> bool:
    """Return whether a replacement is a known habit that changes no verdict."""
    if isinstance(old, TraitType):  # an IPython option, such as what a cell displays
        return type(new) in (bool, int, str)
    if isinstance(old, type) and issubclass(old, np.generic):  # np.bool = bool
        return any(new is each for each in (bool, int, float, complex, object, str))
    if full == f"{EXECUTE}.execute":  # tf.debugging.enable_check_numerics
        choices = vars(sys.modules[EXECUTE])
        names = ("quick_execute", "execute_with_callbacks")
        return any(new is choices.get(each) for each in names)
    if type(old) is type(new) is FunctionType:  # a reloaded module
        same = old.__globals__ is new.__globals__ and old.__code__ == new.__code__
        return same and all(map(_is_plain, (old, new)))
    return type(old) is type(new) is CodeType and old == new


def _is_plain(function: FunctionType) -> bool:
    """Return whether a function has no defaults and no closure."""
    parts = (function.__defaults__, function.__kwdefaults__, function.__closure__)
    return parts == (None, None, None)


def _matters(value: object, where: str, full: str) -> bool:
    """Whether a name that was bound to this may not be bound anew."""
    if isinstance(value, ModuleType):  # TensorFlow replaces those that it loads late
        return where.startswith("course.")
    code = isinstance(value, CodeType) or callable(value) or hasattr(value, "__get__")
    return code and full != OF_KERNELS
