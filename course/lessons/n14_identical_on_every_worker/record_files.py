"""TFRecord files: write them, damage them, and say where the first damage is.

A record is its length (8 bytes), a checksum of the length (4), the data, and a checksum
of the data (4).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import tensorflow as tf

HEADER, FRAME = 12, 16  # bytes before the data, and around it


@dataclass(frozen=True)
class Shard:
    """The bytes of one file: `sizes` are the data bytes of its records.

    damage: what holds the bit that is turned ("length", "checksum", "data"), or where
        the file ends ("cut in header", "cut in data").
    record: the number of the damaged record.
    at: which of its bytes; a cut keeps the bytes before.
    """

    sizes: tuple[int, ...]
    damage: str = "none"
    record: int = 0
    at: int = 0

    def __str__(self) -> str:
        told = f"{self.damage} of a record"
        if self.damage == "none":
            told = "healthy"
        elif not self.damage.startswith("cut"):
            told = f"one bit turned in the {told}"
        return f"a file of {len(self.sizes)} records, {told}"

    def start(self, record: int) -> int:
        """The byte at which a record begins."""
        return sum(size + FRAME for size in self.sizes[:record])

    def write(self, path: Path) -> None:
        """Write the file."""
        with tf.io.TFRecordWriter(str(path)) as writer:
            for number, size in enumerate(self.sizes):
                writer.write(bytes((number * 7 + k) % 256 for k in range(size)))
        if self.damage == "none":
            return
        content, place = bytearray(path.read_bytes()), self.start(self.record) + self.at
        if self.damage.startswith("cut"):
            content = content[:place]
        else:
            content[place] ^= 1
        path.write_bytes(content)

    @contextmanager
    def file(self) -> Iterator[str]:
        """Write the file into a folder of its own, for the time of the block."""
        with tempfile.TemporaryDirectory(prefix="course-shard-") as folder:
            path = Path(folder) / "shard.tfrecord"
            self.write(path)
            yield str(path)
