"""Pickle a notebook's functions so that their text can be found where they arrive.

cloudpickle calls the file of all code it sends "<dynamic-code>", from 3.1.3 on; but
AutoGraph, tracebacks and `inspect.getsource` find a text by that name.
"""

from __future__ import annotations

import io
from collections import ChainMap
from types import CodeType
from typing import ClassVar

import cloudpickle

USUAL = cloudpickle.Pickler.dispatch_table


def dumps(value: object) -> bytes:
    """Return `value` as bytes for `pickle.loads` in a process that has the course.

    Raises:
        Exception: cloudpickle's own, of any kind, for what can't be pickled.
    """
    with io.BytesIO() as file:
        _Pickler(file).dump(value)
        return file.getvalue()


def _with_file(make: type[CodeType], arguments: tuple, file: str) -> CodeType:
    return make(*arguments).replace(co_filename=file)


def _code(code: CodeType) -> tuple:
    make, arguments = USUAL[CodeType](code)
    return _with_file, (make, arguments, code.co_filename)


class _Pickler(cloudpickle.Pickler):
    dispatch_table: ClassVar = ChainMap({CodeType: _code}, USUAL)
