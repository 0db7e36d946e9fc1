"""Wrong answers to 19/my_packing, each the mistake of its name: what they lose."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from functools import wraps

import numpy as np

from course.checks.exercises import wrong_answers
from course.lessons.n19_restored_but_wrong.wrong_seals import (
    DAMAGE_TAKEN,
    Arrays,
    Codec,
    digest,
    exact,
    with_front,
)


def _sealed(codec: Callable[[], Codec]) -> Callable[[], Codec]:
    """Return the codec with a checksum over everything."""
    return wraps(codec)(lambda: with_front(digest, codec()))


def _changed(change: Callable[[np.ndarray], np.ndarray]) -> Codec:
    """Return the exact codec for arrays that are changed before."""
    pack, unpack = exact()
    return lambda arrays: pack([change(each) for each in arrays]), unpack


def _floats_changed(change: Callable[[np.ndarray], np.ndarray]) -> Codec:
    return _changed(lambda array: array if array.dtype.kind in "biu" else change(array))


def _written(array: np.ndarray, write: Callable[[float], str]) -> np.ndarray:
    numbers = [float(write(float(number))) for number in array.ravel()]
    return np.array(numbers).astype(array.dtype).reshape(array.shape)


def numbers_only() -> Codec:
    """The message has the numbers only: no dtype, no shape where there is no number, no
    way to notice damage. JSON has one NaN for all of them.
    """

    def pack(arrays: Arrays) -> bytes:
        return json.dumps([each.tolist() for each in arrays]).encode()

    def unpack(message: bytes) -> Arrays:
        return [np.array(each, "float32") for each in json.loads(message)]

    return pack, unpack


@_sealed
def float16() -> Codec:
    """The numbers went through float16, which keeps three digits."""

    def half(array: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            return array.astype(np.float16).astype(array.dtype)

    return _floats_changed(half)


@_sealed
def printed() -> Codec:
    """The numbers were printed with a fixed number of digits behind the point: of a
    small gradient hardly any are left.
    """
    return _floats_changed(lambda array: _written(array, lambda number: f"{number:f}"))


@_sealed
def text() -> Codec:
    """Numbers became text and back. That is exact for finite numbers, but a NaN loses
    its bits.
    """
    return _floats_changed(lambda array: _written(array, repr))


@_sealed
def no_dtype() -> Codec:
    """All arrays come back as float32."""
    return _changed(lambda array: array.astype(np.float32))


@_sealed
def npz() -> Codec:
    """Bfloat16 came back as raw bytes of dtype V2: np.savez and `dtype.str` have no
    name for it. `dtype.name` has one.
    """

    def pack(arrays: Arrays) -> bytes:
        file = io.BytesIO()
        np.savez(file, *arrays)
        return file.getvalue()

    def unpack(message: bytes) -> Arrays:
        with np.load(io.BytesIO(message)) as held:
            return [held[name] for name in held.files]

    return pack, unpack


@_sealed
def flat() -> Codec:
    """All arrays come back flat: the message has no shapes."""
    return _changed(np.ravel)


@_sealed
def memory_order() -> Codec:
    """The bytes were taken in the order in which they lie in memory. That of a
    transposed array is another one.
    """
    return _changed(
        lambda array: np.frombuffer(array.tobytes("A"), array.dtype).reshape(
            array.shape
        )
    )


@_sealed
def empty_dropped() -> Codec:
    """Arrays without a number were dropped, and all behind them have moved up."""
    pack, unpack = exact()
    return lambda arrays: pack([each for each in arrays if each.size]), unpack


MISTAKES = (*wrong_answers(__name__), *DAMAGE_TAKEN)
