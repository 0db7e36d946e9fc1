"""Checkpoints of named arrays: write them, read them array by array, damage them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import tensorflow as tf

END = "/.ATTRIBUTES/VARIABLE_VALUE"
COUNTER = "save_counter"  # of TensorFlow's own: how often was saved

Arrays = dict[str, np.ndarray]


def write(folder: Path, values: Mapping[str, np.ndarray]) -> str:
    """Add a checkpoint to `folder`, the newest from now on; return its path."""
    variables = {name: variable(value) for name, value in values.items()}
    checkpoint = tf.train.Checkpoint(**variables)
    newest = tf.train.latest_checkpoint(str(folder))
    if newest:
        checkpoint.save_counter.assign(int(newest.rsplit("-", 1)[1]))
    return checkpoint.save(str(folder / "run"))


def variable(value: np.ndarray) -> tf.Variable:
    """Return a variable of the array's dtype and shape."""
    return tf.Variable(value, dtype=tf.as_dtype(value.dtype))


def read(path: str) -> dict[str, np.ndarray | None]:
    """Return what a checkpoint holds: name -> array, or None where it is damaged.

    Raises:
        tf.errors.OpError: the index can't be read, or the file of data is gone.
    """
    reader = tf.train.load_checkpoint(path)
    keys = [key for key in reader.get_variable_to_shape_map() if key.endswith(END)]
    return {key.removesuffix(END): _tensor(reader, key) for key in sorted(keys)}


def _tensor(reader: object, key: str) -> np.ndarray | None:
    try:
        return np.asarray(reader.get_tensor(key))
    except (tf.errors.OpError, IndexError):
        return None


def bytes_of(path: str, value: np.ndarray) -> tuple[int, int]:
    """Return where an array begins and ends in the file of numbers.

    Raises:
        ValueError: its bytes do not occur exactly once.
    """
    content, wanted = data_file(path).read_bytes(), value.tobytes()
    if content.count(wanted) != 1:
        raise ValueError(f"the array's bytes occur {content.count(wanted)} times")
    begin = content.find(wanted)
    return begin, begin + len(wanted)


def turn_a_bit(path: str, value: np.ndarray) -> None:
    """Turn one bit in the middle of an array."""
    file, (begin, end) = data_file(path), bytes_of(path, value)
    content = bytearray(file.read_bytes())
    content[(begin + end) // 2] ^= 4
    file.write_bytes(content)


def cut(file: Path, size: int) -> None:
    """Keep the first `size` bytes of a file."""
    file.write_bytes(file.read_bytes()[:size])


def data_file(path: str) -> Path:
    """The file that holds a checkpoint's numbers."""
    return Path(f"{path}.data-00000-of-00001")


def index_file(path: str) -> Path:
    """The file that holds names, dtypes, shapes and checksums."""
    return Path(f"{path}.index")


def same_bits(one: np.ndarray | None, other: np.ndarray | None) -> bool:
    """Whether both are arrays of one dtype and shape that are equal in every bit."""
    if one is None or other is None:
        return False
    one, other = np.asarray(one), np.asarray(other)
    kinds = (one.dtype, one.shape) == (other.dtype, other.shape)
    return kinds and one.tobytes() == other.tobytes()


def values_of(variables: Mapping[str, tf.Variable]) -> Arrays:
    """Return copies of the values of all variables."""
    return {name: np.array(v.numpy()) for name, v in variables.items()}


def named_in(words: str, names: Sequence[str]) -> set[str]:
    """Return the names that stand in a message, whole words only."""
    parts = {part.strip("_") for part in _words(words)}
    return {name for name in names if name in parts}


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() or c == "_" else " " for c in text).split()
