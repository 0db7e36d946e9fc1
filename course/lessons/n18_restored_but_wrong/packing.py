"""Further exercise: gradients as bytes and back, bit by bit; damaged bytes refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

import cloudpickle
import ml_dtypes
import numpy as np

from course.checks.exercises import Data, Observation, shown_by
from course.checks.failures import listed
from course.checks.properties import Properties, Property
from course.lessons.n18_restored_but_wrong.calls_apart import DIED, codes_apart
from course.lessons.n18_restored_but_wrong.wrong_packing import MISTAKES

MANY = 200  # bytes of numbers from which on most of a message is numbers
MOST = 600  # bytes of a message that are damaged, one after the other
NEAR = 0.03
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


PROPERTIES = Properties(
    {
        "kept": Property(
            "The gradients that pack was given are others afterwards.",
            "pack leaves them as they are.",
        ),
        "carried": Property(
            "The message has fewer bytes than the gradients need. (pack and unpack "
            "come from two calls of the function.)",
            "a message from which alone the gradients can be made.",
        ),
        "alone": Property(
            "In another process, in which nothing was packed, unpack did not return.",
            "a message from which alone the gradients can be made, in any process.",
        ),
        "number": Property(
            "Another number of arrays came back.", "as many arrays as were packed."
        ),
        "dtypes": Property(
            "An array came back with another dtype.", "every array with its own dtype."
        ),
        "shapes": Property(
            "An array came back with another shape.",
            "every array with its own shape: (), (0, 3) and (1, 1) are three shapes.",
        ),
        "near": Property(
            "A number came back more than 3 % off, in another place, or not at all.",
            "every number bit by bit; these gradients are about 1e-5.",
        ),
        "bits": Property(
            "A number came back with other bits.",
            "every number bit by bit, the sign of -0.0 and the bits of a NaN included.",
        ),
        "often turned": Property(
            "Of many messages with one turned bit, unpack took some.",
            "a ValueError wherever one bit of the message is turned.",
        ),
        "turned": Property(
            "Of many messages with one turned bit, unpack took a few.",
            "a ValueError wherever one bit of the message is turned.",
        ),
        "swapped": Property(
            "Of a message with two bytes exchanged, unpack returned without an error.",
            "a ValueError where two bytes have changed places.",
        ),
        "cut": Property(
            "Of a message that was cut, unpack returned without an error.",
            "a ValueError where bytes are missing.",
        ),
        "longer": Property(
            "Of a message with more bytes behind it, unpack returned without an error.",
            "a ValueError where there are bytes too many.",
        ),
        "ValueError": Property(
            "A damaged message was refused, but by another error than a ValueError.",
            "a ValueError, so that the caller knows what to catch.",
        ),
    }
)


def draw(rng: np.random.Generator) -> list[Case]:
    """Draw gradients of several shapes, special values, and several dtypes."""

    def floats(*shape: int, dtype: type = np.float32) -> np.ndarray:
        # float16 keeps two digits of such numbers; f"{number:f}" hardly one
        signs = rng.choice((-1.0, 1.0), shape)
        return np.asarray(signs * rng.uniform(2e-6, 1.2e-5, shape), dtype)

    def seed() -> int:
        return int(rng.integers(2**31))

    special = np.array([-0.0, np.inf, 1e-42, 0.1], np.float32)
    # a quiet NaN with bits of its own
    nan = np.array(0x7FC00000 + int(rng.integers(1, 9999)), np.uint32).view(np.float32)
    special = np.append(np.append(special, nan), floats(60)).astype(np.float32)
    rng.shuffle(special)
    count = 2**53 + 2 * int(rng.integers(5, 500)) + 1
    several = (
        floats(3, dtype=np.float16),
        floats(2, 2, dtype=ml_dtypes.bfloat16),
        floats(2, dtype=np.float64),
        np.array([count, -1], np.int64),
        np.array([True, False]),
    )
    # transposed: its bytes lie in another order than its numbers
    shapes = (floats(3, 2).T, floats(), floats(0, 3), floats(1, 1))
    return [
        Case(
            "float32 arrays of the shapes (2, 3) (transposed), (), (0, 3), (1, 1)",
            shapes,
            seed(),
        ),
        Case(
            "65 numbers of float32, among them -0.0, infinity, NaN and 1e-42",
            (special,),
            seed(),
        ),
        Case("arrays of five dtypes", several, seed()),
    ]


def ends_here(unpack: bytes, messages: list[bytes]) -> list[int]:
    """Unpack messages in this process: by functions that are known.

    unpack: the function as cloudpickle's bytes, made before anything was packed.
    """
    return [_end(_thawed(unpack), message) for message in messages]


def ends_apart(unpack: bytes, messages: list[bytes]) -> list[int]:
    """Unpack messages in another process: they can kill it, as pickle shows."""
    codes = codes_apart(partial(_end_of, unpack), messages[0], messages)
    return [TAKEN if code == DIED else code for code in codes]


def _end_of(unpack: bytes, message: bytes) -> int:
    return _end(_thawed(unpack), message)


@lru_cache(maxsize=4)
def _thawed(unpack: bytes) -> Callable:
    return cloudpickle.loads(unpack)


def observe(function: Callable, case: Case, ends_of: Ends = ends_apart) -> Data:
    """Pack with one pair of functions, unpack with another, sound and damaged.

    Returns the message as bytes; of each array that pack was "given" and that "came"
    back, by number, "bytes", "dtype" and "shape"; and "ends" of unpacking the sound
    message, then damaged ones, where nothing has been packed: int64, one for each; the
    last may be missing.

    Raises:
        StepFailed: unpack does not come to an end in another process.
        TypeError: what it returns is of another kind.
    """
    pack, _ = _pair(listed(function))
    _, unpack = _pair(listed(function))
    clean = cloudpickle.dumps(unpack)
    given = [value.copy(order="K") for value in case.gradients]
    message = pack(list(given))
    if not isinstance(message, (bytes, bytearray)):
        raise TypeError(f"pack must return bytes, not {type(message).__name__}")
    message = bytes(message)
    came = _arrays(unpack(message))
    damaged = [each for _, each in _damages(message, case.seed)]
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


def _read(name: str, data: Data) -> list[np.ndarray]:
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


def holds(case: Case, seen: Data) -> dict[str, bool]:
    """Return which of the properties hold of what was observed."""
    message, due = seen["message"].tobytes(), case.gradients
    sound, *rest = seen["ends"].tolist() or [STOPPED]
    size = sum(value.nbytes for value in due)
    many = size >= MANY
    found = _compared(_read("came", seen), due)
    pairs = zip(_read("given", seen), due, strict=True)
    found["kept"] = all(one.tobytes() == two.tobytes() for one, two in pairs)
    found["carried"] = 2 * len(message) >= min(size, MANY)
    found["alone"] = sound == TAKEN
    ends: dict[str, list[int]] = {"turned": [], "swapped": [], "cut": [], "longer": []}
    if found["alone"]:  # else it takes nothing there, damaged or not
        for (kind, _), end in zip(_damages(message, case.seed), rest, strict=False):
            ends[kind].append(end)
    found |= {kind: TAKEN not in seen for kind, seen in ends.items()}
    taken = ends["turned"].count(TAKEN)
    found["often turned"] = not many or 5 * taken <= len(ends["turned"])
    every = set().union(*ends.values())
    # what takes damaged messages may also stumble over some: that is told first
    found["ValueError"] = STOPPED not in every or TAKEN in every
    return found


def seen_of(function: Callable, case: Case) -> Observation:
    """Return what holds of a known function, all of which is run here."""
    return PROPERTIES.observation(holds(case, observe(function, case, ends_here)))


def _pair(answer: object) -> Sequence[Callable]:
    fits = isinstance(answer, (tuple, list)) and len(answer) == 2
    if not fits or not all(map(callable, answer)):
        raise TypeError(
            f"the function returned {answer!r}; it must return two functions, "
            "pack and unpack"
        )
    return answer


def _arrays(answer: object) -> list[np.ndarray]:
    if not isinstance(answer, (list, tuple)):
        raise TypeError(
            f"unpack returned {type(answer).__name__}; it must return a list of arrays"
        )
    return [np.asarray(each) for each in answer]


def _compared(got: list[np.ndarray], due: Sequence[np.ndarray]) -> dict[str, bool]:
    pairs = list(zip(got, due, strict=False))
    return {
        "number": len(got) == len(due),
        "dtypes": all(one.dtype == two.dtype for one, two in pairs),
        "shapes": all(one.shape == two.shape for one, two in pairs),
        "near": all(_near(one, two) for one, two in pairs),
        "bits": all(_bits(one, two.dtype) == two.tobytes() for one, two in pairs),
    }


def _near(value: np.ndarray, due: np.ndarray) -> bool:
    try:
        with np.errstate(all="ignore"):
            one, two = (np.ravel(each).astype(np.float64) for each in (value, due))
            return np.allclose(one, two, rtol=NEAR, atol=0, equal_nan=True)
    except (TypeError, ValueError):
        return True  # no numbers, or not as many: that is told by dtype and shape


def _bits(value: np.ndarray, dtype: np.dtype) -> bytes:
    try:
        return value.astype(dtype).tobytes()
    except (TypeError, ValueError):
        return value.tobytes()  # raw bytes of no dtype, as np.load gives for bfloat16


def _damages(message: bytes, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield (kind, damaged message), the same for a seed."""
    rng = np.random.default_rng(seed)
    for size in (0, 1, len(message) // 2, len(message) - 1):
        yield "cut", message[: max(size, 0)]
    for more in (b"\1", b" ", message):
        yield "longer", message + more
    for place in rng.permutation(len(message))[:MOST].tolist():
        for bit in rng.permutation(8)[:2].tolist():
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


MY_PACKING = PROPERTIES.exercise(
    name="18/my_packing",
    cases=draw,
    observe=observe,
    holds=holds,
    mistakes=(
        *shown_by(seen_of, *MISTAKES),
        PROPERTIES.mistake(
            "kept_in_the_process",
            ("alone",),
            "what unpack needs, such as dtypes and shapes, is kept in a variable of "
            "the process that packed, not in the message. Another worker has it not.",
        ),
    ),
    right="Three lists of gradients came back bit by bit, and each damaged message was "
    "refused.",
)
