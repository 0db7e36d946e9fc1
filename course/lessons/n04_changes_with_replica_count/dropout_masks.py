"""Draw dropout masks on replicas, step by step, and keep whose they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.deadline import deadline
from course.checks.failures import WrongReturn, sentences_of
from course.runs.replicas import STEP_SECONDS, each_replica, hand_out
from course.runs.workloads import Rows

# (step, ids of this replica's rows, units) -> what is kept, shape (rows, units)
Mask = Callable[[tf.Tensor, tf.Tensor, int], tf.Tensor]
MASK = "a mask of shape (rows, {}), one row for each of `ids`"


@dataclass(frozen=True, eq=False)
class MaskRecording:
    """The masks of a run.

    label: how figures name it.
    ids: `ids[k][r]` are the numbers of the rows replica r had in step k.
    masks: `masks[k][r]` is what it drew for them, float64, shape (its rows, units).
    """

    label: str
    ids: tuple[tuple[tuple[int, ...], ...], ...]
    masks: tuple[tuple[np.ndarray, ...], ...]

    @property
    def replicas(self) -> int:
        """Number of replicas."""
        return len(self.ids[0])

    def by_row(self, step: int) -> dict[int, np.ndarray]:
        """Return row -> its mask, shape (units,), in step `step` (from 0)."""
        return {
            row: mask
            for own, masks in zip(self.ids[step], self.masks[step], strict=True)
            for row, mask in zip(own, masks, strict=True)
        }

    def differing(self, other: MaskRecording, step: int) -> list[int]:
        """Return the rows whose mask in `step` is not the one `other` has for them."""
        mine, theirs = self.by_row(step), other.by_row(step)
        return [row for row in mine if not np.array_equal(mine[row], theirs[row])]


def draw_masks(
    mask: Mask,
    rows: int | Sequence[int],
    batch: int,
    steps: int | Sequence[int],
    units: int,
    strategy: tf.distribute.Strategy,
    label: str = "yours",
) -> MaskRecording:
    """Call `mask(step, ids, units)` once in every replica in every step.

    Args:
        mask: gets the step and its rows' numbers as int32 tensors, and `units`.
        rows: the rows' numbers, or how many there are (then from 0); an epoch gives
            them in this order, then they come again.
        batch: rows in a step, split among the replicas; the last may be smaller.
        steps: the numbers that `mask` gets as steps, or how many there are.
        units: how many numbers each row's mask has.
        strategy: whose replicas draw.
        label: how figures name this run.

    Raises:
        StepFailed: `mask` stopped with an error or returned another shape.
    """
    rows = range(rows) if isinstance(rows, int) else rows
    steps = range(steps) if isinstance(steps, int) else steps
    nothing = np.zeros(len(rows))  # only the rows' numbers matter
    data = Rows(np.array(rows, np.int32), nothing, nothing)

    def draw(step: tf.Tensor, ids: tf.Tensor) -> tf.Tensor:
        drawn = mask(step, ids, units)
        if drawn is None:
            raise WrongReturn.of(None, MASK.format(units))
        drawn = tf.convert_to_tensor(drawn)
        if drawn.shape.rank != 2 or drawn.shape[1] != units:
            what = f"a tensor of shape {drawn.shape}"
            raise WrongReturn.of(drawn, MASK.format(units), what)
        return tf.cast(drawn, tf.float32)

    @tf.function
    def run_step(step: tf.Tensor, ids: object) -> object:
        return strategy.run(draw, args=(step, ids))

    all_ids, all_masks = [], []
    for step, part in zip(steps, data.batches(batch, len(steps)), strict=True):
        shards = [shard.ids for shard in part.shards(strategy.num_replicas_in_sync)]
        with sentences_of(mask), deadline(STEP_SECONDS):
            ids = hand_out(strategy, shards)
            drawn = each_replica(strategy, run_step(tf.constant(step), ids))
        own = [tuple(shard.tolist()) for shard in shards]
        for numbers, masks in zip(own, drawn, strict=True):
            if len(numbers) != len(masks):
                what = f"{len(masks)} rows for {len(numbers)} ids"
                raise WrongReturn.of(masks, MASK.format(units), what)
        all_ids.append(tuple(own))
        all_masks.append(tuple(part.astype(np.float64) for part in drawn))
    return MaskRecording(label, tuple(all_ids), tuple(all_masks))
