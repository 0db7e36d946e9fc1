"""Further exercise: how many records of a file are good, and where the first is not."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from course.exercises import Difference, Exercise, Mistake, Observation
from course.jobs.record_files import FRAME, HEADER, Shard, read_records

Found = tuple[int, int | None]
KINDS = ("data", "none", "cut in header", "length", "cut in data", "checksum", "empty")


def draw(rng: np.random.Generator) -> list[Shard]:
    """Draw one file for each kind of damage, a healthy one and an empty one."""
    shards = []
    for kind in KINDS:
        count = 0 if kind == "empty" else int(rng.integers(12, 20))
        sizes = tuple(int(s) for s in rng.integers(20, 60, count))
        if kind in ("none", "empty"):
            shards.append(Shard(sizes))
            continue
        # one file is bad from its first record on
        record = 0 if kind == "length" else int(rng.integers(3, 10))
        size = sizes[record]
        low, high = {
            "length": (0, 8),
            "checksum": (HEADER + size, FRAME + size),
            "data": (HEADER, HEADER + size),
            "cut in header": (1, HEADER),
            "cut in data": (HEADER + 1, HEADER + size),
        }[kind]
        shards.append(Shard(sizes, kind, record, int(rng.integers(low, high))))
    return shards


def observe(function: Callable, shard: Shard) -> Observation:
    """Give the function the path of a file."""
    with shard.file() as path:
        return recorded(function(path))


def recorded(answer: object) -> Observation:
    """Turn (records, byte or None) into numbers; None becomes -1.

    Raises:
        TypeError: it is something else.
    """
    wanted = "(records, byte), two whole numbers, or None as the second"
    try:
        records, byte = answer
        numbers = [float(records), -1.0 if byte is None else float(byte)]
    except (TypeError, ValueError):
        numbers = [0.5]
    if any(n != n // 1 for n in numbers):
        raise TypeError(f"the function returned {answer!r}; it must return {wanted}")
    return Observation(np.array(numbers))


def compare(shard: Shard, got: Observation, truth: Observation) -> Difference:
    """Say both numbers, and which of them is wrong."""
    return Difference(
        f"It returned {_said(got)}.",
        f"Expected {_said(truth)}: the good records before the first bad one, and the "
        "byte at which that one begins (None: there is none).",
    )


def _said(found: Observation) -> str:
    records, byte = found.values
    return f"({records:.0f}, {'None' if byte < 0 else f'{byte:.0f}'})"


def _mistake(code: str, find: Callable[[Shard], Found], cause: str) -> Mistake:
    return Mistake(code, cause, lambda shard: recorded(find(shard)))


def _read(shard: Shard) -> tuple[int, int, str]:
    with shard.file() as path:
        return read_records(path)


def _when_told(shard: Shard) -> Found:
    count, _, error = _read(shard)
    return count, shard.first_bad if error else None


def _from_message(shard: Shard) -> Found:
    count, _, error = _read(shard)
    found = re.search(r"record at (\d+)", error)
    return count, int(found[1]) if found else None


def _length(shard: Shard) -> int:
    if shard.damage.startswith("cut"):
        return shard.start(shard.record) + shard.at
    return shard.start(len(shard.sizes))


def _if_bad(shard: Shard, byte: int) -> Found:
    return shard.good, None if shard.first_bad is None else byte


def _without_frame(shard: Shard, frame: int) -> Found:
    """Add up data and `frame` bytes for each record; bad where the file is longer."""
    byte = sum(size + frame for size in shard.sizes[: shard.good])
    return shard.good, None if byte == _length(shard) else byte


MY_VALIDATE_SHARD = Exercise(
    name="13/my_validate_shard",
    cases=draw,
    observe=observe,
    expect=lambda shard: recorded((shard.good, shard.first_bad)),
    compare=compare,
    mistakes=(
        _mistake(
            "errors_ignored",
            lambda shard: (_read(shard)[0], None),
            "it finds no file bad: ignore_errors, or an except that passes, ends the "
            "file at the first bad record and loses the rest in silence.",
        ),
        _mistake(
            "end_not_verified",
            _when_told,
            "a file that is cut inside the first 12 bytes of a record raises no error: "
            "TensorFlow takes it for the file's end. Compare what was read with the "
            "file's size.",
        ),
        _mistake(
            "byte_of_the_message",
            _from_message,
            "the byte in the error's message is where the reader noticed it: behind "
            "the header, where the data are bad. And a file cut inside a header gives "
            "no message.",
        ),
        _mistake(
            "byte_of_the_message_or_end",
            lambda shard: (
                _from_message(shard)
                if _read(shard)[2]
                else (shard.good, shard.first_bad)
            ),
            "the byte in the error's message is where the reader noticed it: behind "
            "the header, where the data are bad. Add up the records before it.",
        ),
        _mistake(
            "index_for_byte",
            lambda shard: _if_bad(shard, shard.record),
            "the second number is the number of the bad record. Asked for is the byte "
            "at which it begins.",
        ),
        _mistake(
            "without_frame",
            lambda shard: _without_frame(shard, 0),
            "only the data are added up. A record has 16 bytes around its data.",
        ),
        _mistake(
            "part_of_the_frame",
            lambda shard: _without_frame(shard, HEADER),
            "a record has 12 bytes before its data, and 4 bytes of a checksum behind.",
        ),
        _mistake(
            "length_only",
            lambda shard: _without_frame(shard, 8),
            "a record has 8 bytes of length and two checksums of 4 bytes.",
        ),
        _mistake(
            "without_frame_where_bad",
            lambda shard: _if_bad(shard, sum(shard.sizes[: shard.good])),
            "only the data of the good records are added up. A record has 16 bytes "
            "around its data.",
        ),
        _mistake(
            "file_size",
            lambda shard: _if_bad(shard, _length(shard)),
            "the second number is the size of the file. The first bad record begins "
            "where the good ones end.",
        ),
        _mistake(
            "always_a_byte",
            lambda shard: (shard.good, shard.start(shard.good)),
            "the end of the good records is returned for sound files too. Where it is "
            "the end of the file, nothing is bad: None.",
        ),
        _mistake(
            "bad_one_counted",
            lambda shard: (
                shard.good + (shard.first_bad is not None),
                shard.first_bad,
            ),
            "the bad record is counted with the good ones.",
        ),
        _mistake(
            "all_expected",
            lambda shard: (len(shard.sizes), shard.first_bad),
            "the records behind the bad one are counted too; they can't be read.",
        ),
    ),
    right="Right on seven files: sound, empty, a bit turned in three, cut in two.",
)
