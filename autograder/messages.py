"""Messages of TensorFlow and Keras: what they mean, and the code that prints them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields

from autograder.places import CourseError, Places
from autograder.toml_files import rows_of_rooms

GAP = " ... "  # in a message, where something stands that differs from run to run
MOST_WORDS = 45  # of what it means, and of what to try: they stand in a table


@dataclass(frozen=True)
class Message:
    """One row of a room's messages.toml, or of solutions/messages.toml.

    text: the constant part of what is printed, with " ... " for what differs.
    means: the cause, in most jobs; first: what to try first.
    code: lines that print it, after those of `HEAD`; or
    cited: the address of a thread where it stands, if we did not make it happen.
    lesson: number of the notebook that has the cause; "" where there is none yet.
    """

    text: str
    means: str
    first: str
    code: str = ""
    cited: str = ""
    lesson: str = ""

    def is_in(self, output: str) -> bool:
        """Return whether an output has the message, wherever its lines break."""
        return stands_in(self.text, output)


def stands_in(text: str, output: str) -> bool:
    """Return whether an output has a text, whatever stands in its gaps."""
    parts = (re.escape(" ".join(part.split())) for part in text.split(GAP))
    return re.search(".*?".join(parts), " ".join(output.split())) is not None


HEAD = """\
import json
import os

import numpy as np
import tensorflow as tf

cpu = tf.config.list_physical_devices("CPU")[0]
two = [tf.config.LogicalDeviceConfiguration()] * 2
tf.config.set_logical_device_configuration(cpu, two)
"""


def read_messages(places: Places) -> tuple[Message, ...]:
    """Return all messages, by their text.

    Raises:
        CourseError: a row lacks a field, has one too many, or stands there twice.
    """
    found: dict[str, Message] = {}
    for where, message in _rows(places):
        if message.text in found:
            raise CourseError(f"{where}: this message stands in two places.")
        found[message.text] = message
    return tuple(found[text] for text in sorted(found, key=_order))


def _order(text: str) -> str:
    return re.sub(r"[^a-z]", "", text.lower())


def _rows(places: Places) -> Iterator[tuple[str, Message]]:
    for file, lesson, row in rows_of_rooms(places, "messages.toml", "message"):
        where = f"{file}, message {row.get('text', '?')!r}"
        _verify(row, where)
        yield where, Message(**row, lesson=lesson)


def _verify(row: dict, where: str) -> None:
    needed = ("text", "means", "first")
    if missing := [name for name in needed if not row.get(name)]:
        raise CourseError(f"{where}: it lacks {', '.join(missing)}.")
    known = {field.name for field in fields(Message)} - {"lesson"}
    if surplus := sorted(set(row) - known):
        raise CourseError(f"{where}: it can't have {', '.join(surplus)}.")
    if bool(row.get("code")) == bool(row.get("cited")):
        raise CourseError(f"{where}: code that prints it, or cited; one of the two.")
    for name in ("means", "first"):
        if len(row[name].split()) > MOST_WORDS:
            raise CourseError(f"{where}: {name} has more than {MOST_WORDS} words.")
