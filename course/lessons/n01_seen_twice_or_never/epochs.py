"""Which rows each replica is given in one epoch of an input pipeline, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.deadline import deadline
from course.checks.failures import StepFailed, WrongReturn, explain, sentences_of
from course.runs.devices import mirrored
from course.runs.recording import Ids

SECONDS = 20.0  # processor time of one epoch; one needs 0.2
Stage = Callable[[Iterable, tf.distribute.Strategy, int], Iterable]


@dataclass(frozen=True)
class Epoch:
    """The row numbers that the replicas of one run were given.

    label: how figures name the run.
    rows: how many rows there are; they are numbered from 0.
    batch: the global batch that was asked for.
    ids: `ids[k][r]` are the rows given to replica r in step k, counted from 0.
    cut: whether the pipeline was stopped, because it gave more than an epoch can
        hold.
    """

    label: str
    rows: int
    batch: int
    ids: tuple[tuple[Ids, ...], ...]
    cut: bool = False

    @property
    def replicas(self) -> int:
        """Number of replicas; 0 where there was no step."""
        return len(self.ids[0]) if self.ids else 0

    def times_seen(self) -> np.ndarray:
        """How often each row was given to a replica: int64, shape (steps, rows)."""
        times = np.zeros((len(self.ids), self.rows), np.int64)
        for step, shards in zip(times, self.ids, strict=True):
            for shard in shards:
                np.add.at(step, list(shard), 1)
        return times


def record_epoch(
    stages: Sequence[Stage],
    rows: int,
    batch: int,
    devices: list[str],
    label: str = "yours",
    written: Callable | None = None,
) -> Epoch:
    """Send `rows` numbered rows through `stages`, then one epoch through the replicas.

    Each step is `strategy.run(see, args=(batch,))`, where `see` returns what its
    replica was given.

    Args:
        stages: functions of (data, strategy, batch), each called with what the one
            before it returned; the first gets `tf.data.Dataset.range(rows)`.
        rows: number of rows.
        batch: the global batch.
        devices: one replica on each of these.
        label: how figures name this run.
        written: the learner's function, where stages only call it; errors name it.

    Raises:
        StepFailed: the list is no list of stages, or a stage or a step stopped with
            an error; it says which, and why.
    """
    strategy = mirrored(devices)
    data: Iterable = tf.data.Dataset.range(rows)
    for stage in _verified(stages):
        with deadline(SECONDS):
            data = _through(stage, data, strategy, batch, written or stage)
    times, ids = np.zeros(rows, np.int64), []
    with sentences_of(written or (stages[-1] if stages else see)), deadline(SECONDS):
        for given in data:
            ids.append(_given_to_each(strategy, given, rows))
            for shard in ids[-1]:
                np.add.at(times, list(shard), 1)
            # the most that an epoch holds: every row, alone, for every replica
            if max(times.sum(), len(ids)) > rows * len(devices):
                return Epoch(label, rows, batch, tuple(ids), cut=True)
    return Epoch(label, rows, batch, tuple(ids))


def see(numbers: tf.Tensor) -> tf.Tensor:
    """Return what a replica was given; a training step would compute with it."""
    return tf.identity(numbers)


def _verified(stages: object) -> Sequence[Stage]:
    if not isinstance(stages, list | tuple):
        raise WrongReturn.of(stages, "a list of stages, such as [batch_rows]")
    for stage in stages:
        if not callable(stage):
            raise WrongReturn(
                (
                    "Return a list of functions: name the stages without quotes and "
                    f"without brackets. Your list holds {stage!r}.",
                )
            )
    return stages


def _through(stage: Stage, data, strategy, batch: int, written: Callable) -> Iterable:
    name = getattr(stage, "__name__", "")
    # where the learner wrote no stage, a stage's name would tell nothing
    named = written is stage and name.isidentifier()
    where = (f"In the stage {name}:",) if named else ()
    try:
        result = stage(data, strategy, batch)
    except Exception as error:
        sentences = (*where, *explain(error, written))
        if isinstance(error, IndexError) and _is_unbatched(data):
            sentences += (
                "The dataset has single rows. experimental_distribute_dataset splits "
                "batches, so the rows must be batched before.",
            )
        raise StepFailed(sentences) from error
    if result is None:
        raise WrongReturn((*where, "Return a dataset. The stage returned None."))
    return result


def _is_unbatched(data: object) -> bool:
    spec = getattr(data, "element_spec", None)
    return isinstance(spec, tf.TensorSpec) and spec.shape.rank == 0


def _given_to_each(strategy: tf.distribute.Strategy, given, rows: int) -> tuple:
    if not isinstance(given, tf.Tensor | tf.distribute.DistributedValues):
        raise TypeError(
            f"a step was given {type(given).__name__}; it needs a tensor of row "
            "numbers, or one for each replica"
        )
    seen = strategy.run(see, args=(given,))
    parts = [np.ravel(p) for p in strategy.experimental_local_results(seen)]
    for part in parts:
        whole = np.issubdtype(part.dtype, np.integer)
        if len(part) and not (whole and part.min() >= 0 and part.max() < rows):
            raise ValueError(
                f"a replica was given {part[:4].tolist()}; row numbers are whole "
                f"numbers from 0 to {rows - 1}"
            )
    return tuple(tuple(int(row) for row in part) for part in parts)
