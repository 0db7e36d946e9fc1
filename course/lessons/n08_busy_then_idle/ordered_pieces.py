"""Pieces of an input pipeline, to be put in order, and what two epochs of them do.

A piece is a function (dataset, work) -> dataset. The examples are file names; `work`
decodes and augments them on the host, and counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.failures import StepFailed, WrongReturn

EPOCHS = 2
AUGMENTED = 0.25  # what augmenting adds to a number, so that it shows
Piece = Callable[[tf.data.Dataset, "Work"], tf.data.Dataset]


class Work:
    """What pieces need: how to decode and augment, the sizes, a seed; and counts.

    decoded, augmented: how many examples were, in all.
    """

    def __init__(self, examples: int, batch: int, seed: int) -> None:
        self.examples, self.batch, self.seed = examples, batch, seed
        self.decoded = self.augmented = 0

    def decode(self, names: tf.Tensor) -> tf.Tensor:
        """Return the numbers, float32, of file names; a name alone or a batch."""

        def call(texts: np.ndarray) -> np.ndarray:
            self.decoded += np.size(texts)
            numbers = [float(text.split()[-1]) for text in np.ravel(texts)]
            return np.reshape(np.array(numbers, np.float32), np.shape(texts))

        return _on_host(call, names)

    def augment(self, numbers: tf.Tensor) -> tf.Tensor:
        """Return the numbers, changed; one alone or a batch."""

        def call(values: np.ndarray) -> np.ndarray:
            self.augmented += np.size(values)
            return np.asarray(values + AUGMENTED, np.float32)

        return _on_host(call, numbers)


def _on_host(call: Callable[[np.ndarray], np.ndarray], values: tf.Tensor) -> tf.Tensor:
    result = tf.numpy_function(call, [values], tf.float32)
    result.set_shape(values.shape)
    return result


def decode(data: tf.data.Dataset, work: Work) -> tf.data.Dataset:
    """Turn file names into numbers: slow."""
    return data.map(_given(data, tf.string, "decode", work.decode))


def augment(data: tf.data.Dataset, work: Work) -> tf.data.Dataset:
    """Change each number at random."""
    return data.map(_given(data, tf.float32, "augment", work.augment))


def keep(data: tf.data.Dataset, work: Work) -> tf.data.Dataset:
    """Keep what comes here in memory; the next epoch takes it from there."""
    return data.cache()


def mix(data: tf.data.Dataset, work: Work) -> tf.data.Dataset:
    """Shuffle whatever comes here."""
    return data.shuffle(work.examples, seed=work.seed)


def batched(data: tf.data.Dataset, work: Work) -> tf.data.Dataset:
    """Put what comes here into batches."""
    return data.batch(work.batch)


def _given(data: tf.data.Dataset, dtype: tf.DType, name: str, call: Callable):
    came = getattr(data.element_spec, "dtype", None)
    if came != dtype:
        words = {tf.string: "file names", tf.float32: "numbers"}
        raise StepFailed(
            (
                f"{name} takes {words[dtype]}, but it got {words.get(came, came)}. "
                "decode turns file names into numbers, once.",
            )
        )
    return call


@dataclass(frozen=True)
class Epochs:
    """What two epochs gave.

    batches: of each epoch, the numbers of each batch.
    shapes: the number of axes of each element, 1 for a batch.
    decoded, augmented: how many examples were, in both epochs together.
    """

    batches: tuple[tuple[tuple[float, ...], ...], ...]
    shapes: tuple[int, ...]
    decoded: int
    augmented: int


def run_pieces(pieces: Sequence[Piece], examples: int, batch: int, seed: int) -> Epochs:
    """Chain the pieces and run two epochs.

    Raises:
        StepFailed: they are no list of pieces, or do not fit together.
    """
    work = Work(examples, batch, seed)
    data = tf.data.Dataset.from_tensor_slices([f"file {k}" for k in range(examples)])
    if not isinstance(pieces, (list, tuple)) or not all(map(callable, pieces)):
        raise WrongReturn.of(pieces, "a list of the functions")
    for piece in pieces:
        data = piece(data, work)
        if not isinstance(data, tf.data.Dataset):
            name = getattr(piece, "__name__", "A function")
            found = type(data).__name__
            raise WrongReturn((f"{name} must return a dataset. It returned {found}.",))
    epochs = [
        [np.asarray(element) for element in data.take(4 * examples)]
        for _ in range(EPOCHS)
    ]
    if any(each.dtype != np.float32 for each in epochs[0]):
        raise StepFailed(("The batches hold file names: decode is missing.",))
    return Epochs(
        tuple(tuple(tuple(b.ravel().tolist()) for b in epoch) for epoch in epochs),
        tuple(sorted({each.ndim for epoch in epochs for each in epoch})),
        work.decoded,
        work.augmented,
    )
