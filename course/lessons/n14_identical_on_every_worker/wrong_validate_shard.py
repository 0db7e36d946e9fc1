"""Wrong answers to 14/my_validate_shard: each is the mistake of its name."""

from __future__ import annotations

import os
import re
from pathlib import Path

import tensorflow as tf

from course.checks.exercises import wrong_answers
from course.lessons.n14_identical_on_every_worker.record_files import FRAME, HEADER

Found = tuple[int, int | None]


def _read(path: str) -> tuple[list[int], str]:
    """Return the bytes of data of each record that can be read, and the error."""
    sizes: list[int] = []
    try:
        for record in tf.data.TFRecordDataset(path):
            sizes.append(len(record.numpy()))
    except tf.errors.DataLossError as error:
        return sizes, error.message
    return sizes, ""


def _whole(path: str, sizes: list[int], frame: int) -> bool:
    """Whether the file ends behind these records of so many bytes more."""
    return os.path.getsize(path) == sum(sizes) + frame * len(sizes)


def _if_bad(path: str, sizes: list[int], byte: int) -> Found:
    return len(sizes), None if _whole(path, sizes, FRAME) else byte


def _by_frame(path: str, frame: int) -> Found:
    sizes, _ = _read(path)
    byte = sum(sizes) + frame * len(sizes)
    return len(sizes), None if _whole(path, sizes, frame) else byte


def errors_ignored(path: str) -> Found:
    """It finds no file bad: ignore_errors, or an except that passes, ends the file at
    the first bad record and loses the rest in silence.
    """
    records = tf.data.TFRecordDataset(path).ignore_errors()
    return sum(1 for _ in records), None


def end_not_verified(path: str) -> Found:
    """A file that is cut inside the first 12 bytes of a record raises no error:
    TensorFlow takes it for the file's end. Compare what was read with the file's size.
    """
    sizes, error = _read(path)
    return len(sizes), sum(sizes) + FRAME * len(sizes) if error else None


def byte_of_the_message(path: str) -> Found:
    """The byte in the error's message is where the reader noticed it: behind the
    header, where the data are bad. And a file cut inside a header gives no message.
    """
    sizes, error = _read(path)
    found = re.search(r"record at (\d+)", error)
    return len(sizes), int(found[1]) if found else None


def byte_of_the_message_or_end(path: str) -> Found:
    """The byte in the error's message is where the reader noticed it: behind the
    header, where the data are bad. Add up the records before it.
    """
    sizes, error = _read(path)
    if error:
        return byte_of_the_message(path)
    return _if_bad(path, sizes, sum(sizes) + FRAME * len(sizes))


def index_for_byte(path: str) -> Found:
    """The second number is the number of the bad record. Asked for is the byte at which
    it begins.
    """
    sizes, _ = _read(path)
    return _if_bad(path, sizes, len(sizes))


def without_frame(path: str) -> Found:
    """Only the data are added up. A record has 16 bytes around its data."""
    return _by_frame(path, 0)


def part_of_the_frame(path: str) -> Found:
    """A record has 12 bytes before its data, and 4 bytes of a checksum behind."""
    return _by_frame(path, HEADER)


def length_only(path: str) -> Found:
    """A record has 8 bytes of length and two checksums of 4 bytes."""
    return _by_frame(path, 8)


def without_frame_where_bad(path: str) -> Found:
    """Only the data of the good records are added up. A record has 16 bytes around its
    data.
    """
    sizes, _ = _read(path)
    return _if_bad(path, sizes, sum(sizes))


def file_size(path: str) -> Found:
    """The second number is the size of the file. The first bad record begins where the
    good ones end.
    """
    sizes, _ = _read(path)
    return _if_bad(path, sizes, os.path.getsize(path))


def always_a_byte(path: str) -> Found:
    """The end of the good records is returned for sound files too. Where it is the end
    of the file, nothing is bad: None.
    """
    sizes, _ = _read(path)
    return len(sizes), sum(sizes) + FRAME * len(sizes)


def bad_one_counted(path: str) -> Found:
    """The bad record is counted with the good ones."""
    sizes, _ = _read(path)
    good, byte = _if_bad(path, sizes, sum(sizes) + FRAME * len(sizes))
    return good + (byte is not None), byte


def later_ones_counted(path: str) -> Found:
    """The records behind the bad one are counted too; they can't be read."""
    sizes, _ = _read(path)
    good, byte = _if_bad(path, sizes, sum(sizes) + FRAME * len(sizes))
    if byte is None:
        return good, None
    content, count, at = Path(path).read_bytes(), 0, 0
    while at + FRAME <= len(content):
        at += FRAME + int.from_bytes(content[at : at + 8], "little")
        count += at <= len(content)
    return count, byte


MISTAKES = wrong_answers(__name__)
