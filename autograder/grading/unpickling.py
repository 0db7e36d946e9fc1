"""Keep Dask from unpickling in the coordinator what workers sent.

A pickle can run code. Dask uses pickles for results and errors; whoever takes over a
worker could send any. Results here are bytes of JSON, so next to nothing is needed.
"""

from __future__ import annotations

import contextlib
import io
import pickle
from collections.abc import Iterator
from types import SimpleNamespace

import distributed.client
from distributed import Client
from distributed.protocol import pickle as dask_pickle

ALLOWED = {("builtins", "bytes"), ("builtins", "bytearray"), ("builtins", "str")}


class Refused(pickle.UnpicklingError, AttributeError):
    """A pickle named something else than plain bytes or text.

    An AttributeError too, because Dask expects that of a traceback it can't load.
    """


class _Plain(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> type:
        if (module, name) not in ALLOWED:
            raise Refused(f"a worker sent a pickle of {module}.{name}: not loaded")
        return super().find_class(module, name)


@contextlib.contextmanager
def only_plain_pickles() -> Iterator[None]:
    """Let Dask's client load no pickle but of bytes and text, in this process.

    It has them loaded by Dask's own function, which its client also knows under a
    second name (for the type of a result), and by Python's, for warnings that a
    worker sends; nor may a worker print here.
    """
    places = (
        (dask_pickle, "loads", _loads),
        (distributed.client, "loads", _loads),
        (distributed.client, "pickle", SimpleNamespace(loads=_loads)),
        (Client, "_default_event_handlers", {}),
    )
    stock = [(owner, name, getattr(owner, name)) for owner, name, _ in places]
    try:
        for owner, name, ours in places:
            setattr(owner, name, ours)
        yield
    finally:
        for owner, name, theirs in stock:
            setattr(owner, name, theirs)


def _loads(data: object, *, buffers: tuple = ()) -> object:
    return _Plain(io.BytesIO(bytes(data)), buffers=buffers or None).load()
