"""Further exercise: gradients as bytes and back, bit by bit; damaged bytes refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import ml_dtypes
import numpy as np

from course.checks.exercises import Observation, shown_by
from course.checks.failures import listed
from course.checks.properties import Properties, Property
from course.lessons.n18_restored_but_wrong.calls_apart import DIED, codes_apart
from course.lessons.n18_restored_but_wrong.wrong_packing import MISTAKES

MANY = 200  # bytes of numbers from which on most of a message is numbers
MOST = 600  # bytes of a message that are damaged, one after the other
NEAR = 0.03
REFUSED, TAKEN, STOPPED = 0, 1, 2

# (unpack, a sound message, damaged ones) -> how those ended; the last may be missing
Ends = Callable[[Callable, bytes, list[bytes]], list[int]]


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


def ends_here(unpack: Callable, sound: bytes, damaged: list[bytes]) -> list[int]:
    """Unpack damaged messages in this process: of functions that are known."""
    return [_end(unpack, message) for message in damaged]


def ends_apart(unpack: Callable, sound: bytes, damaged: list[bytes]) -> list[int]:
    """Unpack damaged messages in another process: they can kill it, as pickle shows."""
    codes = codes_apart(partial(_end, unpack), sound, damaged)
    return [TAKEN if code == DIED else code for code in codes]


def observe(function: Callable, case: Case, ends_of: Ends = ends_apart) -> Observation:
    """Pack with one pair of functions, unpack with another, sound and damaged.

    Raises:
        StepFailed: unpack does not come to an end in another process.
        TypeError: what it returns is of another kind.
    """
    pack, _ = _pair(listed(function))
    _, unpack = _pair(listed(function))
    given = [value.copy(order="K") for value in case.gradients]
    message = pack(list(given))
    if not isinstance(message, (bytes, bytearray)):
        raise TypeError(f"pack must return bytes, not {type(message).__name__}")
    message = bytes(message)
    size = sum(value.nbytes for value in case.gradients)
    many = size >= MANY
    holds = _compared(_arrays(unpack(message)), case.gradients)
    pairs = zip(given, case.gradients, strict=True)
    holds["kept"] = all(one.tobytes() == two.tobytes() for one, two in pairs)
    holds["carried"] = 2 * len(message) >= min(size, MANY)
    kinds, damaged = zip(
        *_damages(message, np.random.default_rng(case.seed)), strict=True
    )
    ends: dict[str, list[int]] = {"turned": [], "swapped": [], "cut": [], "longer": []}
    for kind, end in zip(kinds, ends_of(unpack, message, list(damaged)), strict=False):
        ends[kind].append(end)
    holds |= {kind: TAKEN not in seen for kind, seen in ends.items()}
    taken = ends["turned"].count(TAKEN)
    holds["often turned"] = not many or 5 * taken <= len(ends["turned"])
    every = set().union(*ends.values())
    # what takes damaged messages may also stumble over some: that is told first
    holds["ValueError"] = STOPPED not in every or TAKEN in every
    return PROPERTIES.observation(holds)


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


def _damages(message: bytes, rng: np.random.Generator):
    """Yield (kind, damaged message)."""
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
    mistakes=shown_by(partial(observe, ends_of=ends_here), *MISTAKES),
    right="Three lists of gradients came back bit by bit, and each damaged message was "
    "refused.",
)
