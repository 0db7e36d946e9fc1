"""Where a learner's function has the names of the devices from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType, ModuleType
from unittest import mock

from tensorflow.python.eager.context import Context

KINDS = ("CPU", "GPU")


@contextmanager
def device_lists() -> Iterator[list[object]]:
    """Note each time that code in the block asks TensorFlow which devices exist."""
    asked: list[object] = []
    usual = Context.list_logical_devices

    def noting(context: Context, device_type: str | None = None) -> object:
        asked.append(device_type)
        return usual(context, device_type)

    with mock.patch.object(Context, "list_logical_devices", noting):
        yield asked


def only_own_names(function: Callable) -> bool:
    """Return whether a function has no names of devices but those in its own code.

    False where that is not certain: a variable from outside, or a function of the
    learner's that it calls, may bring them.
    """
    if not isinstance(function, FunctionType):
        return False
    codes = list(_codes(function.__code__))
    texts = {each for code in codes for each in code.co_consts if isinstance(each, str)}
    texts -= {function.__doc__}
    if not any(kind in text.upper() for text in texts for kind in KINDS):
        return False  # it may read them from its argument
    names = {name for code in codes for name in code.co_names}
    outside = [value for name, value in function.__globals__.items() if name in names]
    outside += [cell.cell_contents for cell in function.__closure__ or ()]
    outside += function.__defaults__ or ()
    outside += (function.__kwdefaults__ or {}).values()
    return all(isinstance(value, ModuleType | type) for value in outside)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a function's code, and that of the functions within it."""
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _codes(part)
