"""Further exercise: gradients as bytes and back, bit by bit; damaged bytes refused."""

from __future__ import annotations

from collections.abc import Callable

from course.exercises import Exercise, Mistake
from course.lessons.n18_restored_but_wrong import packing_ways as ways
from course.lessons.n18_restored_but_wrong.packing_case import (
    PROPERTIES,
    draw,
    ends_here,
    observe,
)


def _mistake(code: str, function: Callable, cause: str) -> Mistake:
    return Mistake(code, cause, lambda case: observe(function, case, ends_here))


MY_PACKING = Exercise(
    name="18/my_packing",
    cases=draw,
    observe=observe,
    expect=PROPERTIES.expect,
    compare=PROPERTIES.compare,
    mistakes=(
        _mistake(
            "numbers_only",
            ways.as_json,
            "the message has the numbers only: no dtype, no shape where there is no "
            "number, no way to notice damage. JSON has one NaN for all of them.",
        ),
        _mistake(
            "float16",
            ways.sealed(ways.cast),
            "the numbers went through float16, which keeps three digits.",
        ),
        _mistake(
            "printed",
            ways.sealed(ways.printed),
            "the numbers were printed with a fixed number of digits behind the point: "
            "of a small gradient hardly any are left.",
        ),
        _mistake(
            "text",
            ways.sealed(ways.text),
            "numbers became text and back. That is exact for finite numbers, but a NaN "
            "loses its bits.",
        ),
        _mistake(
            "no_checksum",
            ways.unsealed,
            "all comes back bit by bit, but nothing shows that a message is damaged: "
            "a checksum is missing, or it is never compared.",
        ),
        _mistake(
            "length_only",
            ways.with_length,
            "only the length is verified. A turned bit leaves the length as it is.",
        ),
        _mistake(
            "sum",
            ways.with_sum,
            "the sum of the bytes is the same when two of them change places. A "
            "checksum such as zlib.crc32 or hashlib.sha256 notices it.",
        ),
        _mistake(
            "numbers_sealed_only",
            ways.numbers_sealed,
            "the checksum covers the numbers only. A bit turned in a dtype or in a "
            "shape goes unnoticed.",
        ),
        _mistake(
            "arrays_sealed_only",
            ways.arrays_sealed,
            "the checksums cover the arrays' bytes only. A bit turned in a dtype or in "
            "a shape goes unnoticed, and so do blanks around them.",
        ),
        _mistake(
            "envelope",
            ways.envelope,
            "the checksum does not cover what stands around it: in JSON there may be "
            "blanks more, or in other places. Put the checksum in front, as bytes.",
        ),
        _mistake(
            "tail_ignored",
            ways.tail_ignored,
            "bytes behind the message are ignored.",
        ),
        _mistake(
            "another_error",
            ways.asserted,
            "damage is refused by an error other than ValueError, such as that of an "
            "assert, which Python leaves out when it runs with -O.",
        ),
        _mistake(
            "no_dtype",
            ways.sealed(ways.as_float32),
            "all arrays come back as float32.",
        ),
        _mistake(
            "npz",
            ways.sealed(ways.npz),
            "bfloat16 came back as raw bytes of dtype V2: np.savez and `dtype.str` "
            "have no name for it. `dtype.name` has one.",
        ),
        _mistake(
            "flat",
            ways.sealed(ways.flat),
            "all arrays come back flat: the message has no shapes.",
        ),
        _mistake(
            "memory_order",
            ways.sealed(ways.memory_order),
            "the bytes were taken in the order in which they lie in memory. That of a "
            "transposed array is another one.",
        ),
        _mistake(
            "empty_dropped",
            ways.sealed(ways.empty_dropped),
            "arrays without a number were dropped, and all behind them have moved up.",
        ),
    ),
    right="Three lists of gradients came back bit by bit, and each damaged message was "
    "refused.",
)
