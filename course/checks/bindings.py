"""What a cell bound anew in the modules that judging uses, found by identity.

Whoever replaces a function of TensorFlow, Keras, NumPy, the course or what a hand-over
uses may change what a check observes. To compare takes 15 to 30 ms.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from operator import is_
from types import CodeType, FunctionType, ModuleType

WATCHED = frozenset(
    ["IPython", "builtins", "course", "ipykernel", "keras", "numpy", "tensorflow"]
)
USED = frozenset(["base64", "io", "json", "pickle", "zipfile", "zlib"])  # to hand over
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
            if namespace.get(name) is not old and _matters(old, where, full):
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


def _matters(value: object, where: str, full: str) -> bool:
    """Whether a name that was bound to this may not be bound anew."""
    if isinstance(value, ModuleType):  # TensorFlow replaces those that it loads late
        return where.startswith("course.")
    code = isinstance(value, CodeType) or callable(value) or hasattr(value, "__get__")
    return code and full != OF_KERNELS
