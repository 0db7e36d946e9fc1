"""Pack and unpack with a learner's functions: what came, and which damage was taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import cloudpickle
import ml_dtypes
import numpy as np

from course.checks.exercises import Data
from course.checks.failures import WrongReturn, listed
from course.lessons.n19_restored_but_wrong.calls_apart import DIED, codes_apart

MOST = 600  # bytes of a message that are damaged, one after the other
SHORT = 300  # bytes of a message of which every bit is turned once
REFUSED, TAKEN, STOPPED = 0, 1, 2

# (unpack as bytes, messages) -> how those ended; the last may be missing
Ends = Callable[[bytes, list[bytes]], list[int]]


@dataclass(frozen=True, eq=False)
class Case:
    """Gradients, and what the damage is drawn from."""

    kind: str
    gradients: tuple[np.ndarray, ...]
    seed: int

    def __str__(self) -> str:
        return self.kind


def ends_here(unpack: bytes, messages: list[bytes]) -> list[int]:
    """Unpack messages in this process: by functions that are known.

    unpack: the function as cloudpickle's bytes, made before anything was packed.
    """
    return [_end_of(unpack, message) for message in messages]


def ends_apart(unpack: bytes, messages: list[bytes]) -> list[int]:
    """Unpack messages in another process: they can kill it, as pickle shows."""
    codes = codes_apart(partial(_end_of, unpack), messages[0], messages)
    return [TAKEN if code == DIED else code for code in codes]


def _end_of(unpack: bytes, message: bytes) -> int:
    # each time anew: what one message left behind tells nothing of the next
    return _end(cloudpickle.loads(unpack), message)


def observe(function: Callable, case: Case, ends_of: Ends = ends_apart) -> Data:
    """Pack with one pair of functions, unpack with another, sound and damaged.

    Returns the message as bytes; of each array that pack was "given" and that "came"
    back, by number, "bytes", "dtype" and "shape"; and "ends" of unpacking the sound
    message, then damaged ones, where nothing has been packed: int64, one for each; the
    last may be missing.

    Raises:
        StepFailed: unpack does not come to an end in another process.
        WrongReturn: what it returns is of another kind.
    """
    pack, _ = _pair(listed(function))
    _, unpack = _pair(listed(function))
    clean = cloudpickle.dumps(unpack)
    given = [value.copy(order="K") for value in case.gradients]
    message = pack(list(given))
    if not isinstance(message, (bytes, bytearray)):
        raise WrongReturn.of(message, "bytes from pack")
    message = bytes(message)
    came = _arrays(unpack(message))
    damaged = [each for _, each in damages(message, case.seed)]
    return {
        "message": np.frombuffer(message, np.uint8),
        "ends": np.array(ends_of(clean, [message, *damaged]), np.int64),
        **_written("given", given),
        **_written("came", came),
    }


def _written(name: str, arrays: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    """Return arrays as plain data: bytes, the dtype's name, the shape."""
    data = {f"{name} count": np.array(len(arrays))}
    for number, array in enumerate(arrays):
        # bfloat16 is of ml_dtypes: NumPy's text for it is that of any two bytes
        kind = "bfloat16" if array.dtype == ml_dtypes.bfloat16 else array.dtype.str
        if array.dtype.hasobject:
            array = _numbers(array)
        data[f"{name} {number} bytes"] = np.frombuffer(array.tobytes(), np.uint8)
        data[f"{name} {number} dtype"] = np.array(kind)
        data[f"{name} {number} shape"] = np.array(array.shape, np.int64)
    return data


def _numbers(array: np.ndarray) -> np.ndarray:
    """Return an array of Python objects as float64, NaN where one is no number."""
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError):
        return np.full(array.shape, np.nan)


def arrays_of(name: str, data: Data) -> list[np.ndarray]:
    """Return the arrays that `_written` wrote; Python objects as float64 in objects."""
    arrays = []
    for number in range(int(data[f"{name} count"])):
        raw, kind, shape = (
            data[f"{name} {number} {part}"] for part in ("bytes", "dtype", "shape")
        )
        objects = str(kind) == "|O"
        dtype = np.dtype(np.float64 if objects else str(kind))
        if dtype.itemsize:
            array = np.frombuffer(raw.tobytes(), dtype).reshape(shape)
        else:
            array = np.zeros(shape, dtype)  # texts without a letter
        arrays.append(array.astype(object) if objects else array)
    return arrays


def _pair(answer: object) -> Sequence[Callable]:
    fits = isinstance(answer, (tuple, list)) and len(answer) == 2
    if not fits or not all(map(callable, answer)):
        raise WrongReturn.of(answer, "two functions, pack and unpack")
    return answer


def _arrays(answer: object) -> list[np.ndarray]:
    if not isinstance(answer, (list, tuple)):
        raise WrongReturn.of(answer, "a list of arrays from unpack")
    return [np.asarray(each) for each in answer]


def damages(message: bytes, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield (kind, damaged message), the same for a seed."""
    rng = np.random.default_rng(seed)
    for size in (0, 1, len(message) // 2, len(message) - 1):
        yield "cut", message[: max(size, 0)]
    for more in (b"\1", b" ", message):
        yield "longer", message + more
    bits = 8 if len(message) <= SHORT else 2  # one bit alone makes 2 out of a shape's 3
    for place in rng.permutation(len(message))[:MOST].tolist():
        for bit in rng.permutation(8)[:bits].tolist():
            damaged = bytearray(message)
            damaged[place] ^= 1 << bit
            yield "turned", bytes(damaged)
        damaged = bytearray(message)
        damaged[place - 1], damaged[place] = damaged[place], damaged[place - 1]
        if damaged != message:
            yield "swapped", bytes(damaged)


def _end(unpack: Callable, message: bytes) -> int:
    try:
        unpack(message)
    except ValueError:
        return REFUSED
    except (Exception, SystemExit):
        return STOPPED
    return TAKEN
