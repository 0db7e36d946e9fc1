"""Further exercise: gradients as bytes and back, bit by bit; damaged bytes refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ml_dtypes
import numpy as np

from course.checks.exercises import Data, Observation, shown_by
from course.checks.properties import Properties, Property
from course.lessons.n19_restored_but_wrong.packed_messages import (
    STOPPED,
    TAKEN,
    Case,
    arrays_of,
    damages,
    ends_here,
    observe,
)
from course.lessons.n19_restored_but_wrong.wrong_packing import MISTAKES

MANY = 200  # bytes of numbers from which on most of a message is numbers
NEAR = 0.03

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


def holds(case: Case, seen: Data) -> dict[str, bool]:
    """Return which of the properties hold of what was observed."""
    message, due = seen["message"].tobytes(), case.gradients
    sound, *rest = seen["ends"].tolist() or [STOPPED]
    size = sum(value.nbytes for value in due)
    many = size >= MANY
    found = _compared(arrays_of("came", seen), due)
    pairs = zip(arrays_of("given", seen), due, strict=True)
    found["kept"] = all(one.tobytes() == two.tobytes() for one, two in pairs)
    found["carried"] = 2 * len(message) >= min(size, MANY)
    found["alone"] = sound == TAKEN
    ends: dict[str, list[int]] = {"turned": [], "swapped": [], "cut": [], "longer": []}
    if found["alone"]:  # else it takes nothing there, damaged or not
        for (kind, _), end in zip(damages(message, case.seed), rest, strict=False):
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


MY_PACKING = PROPERTIES.exercise(
    name="19/my_packing",
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
