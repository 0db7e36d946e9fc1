"""Train the same two weights on several replicas: the runner all notebooks use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import tensorflow as tf

from course.checks.deadline import deadline
from course.checks.failures import sentences_of
from course.runs.counting import examples_per_replica
from course.runs.devices import mirrored
from course.runs.recording import Recording
from course.runs.stopping import go_on
from course.runs.workloads import Rows

STEP_SECONDS = 20.0  # processor time of one step; one needs 0.01
Step = Callable[[tf.Variable, tf.Tensor, tf.Tensor], None]


def train_on_replicas(
    step: Step,
    rows: Rows,
    batch: int,
    steps: int,
    devices: list[str],
    label: str = "yours",
    written: Callable | None = None,
    by_tf_data: bool = True,
) -> Recording:
    """Train two weights with `step(w, x, y)`, which runs once in every replica.

    Args:
        step: changes the variable `w`, float32 of shape (2,), given this replica's
            rows `x`, shape (rows, 2), and `y`, shape (rows,).
        rows: the examples, in the order they are used.
        batch: rows in a step, split among the replicas; the last may be smaller.
        steps: number of steps; epochs repeat in the same order.
        devices: one replica on each of these.
        label: how figures name this run.
        written: the learner's function, where `step` only calls it; errors name it.
        by_tf_data: whether tf.distribute splits the batches of a dataset. A check hands
            out the same shards without it, as it takes seconds on one core.

    Raises:
        StepFailed: `step` stopped with an error; it says which, where, and why.

    Returns:
        The Recording of ALL replicas' weights, not of replica 0 alone.
    """
    strategy = mirrored(devices)
    with strategy.scope():
        w = tf.Variable([0.0, 0.0])
    if by_tf_data:
        data = tf.data.Dataset.from_tensor_slices((rows.x, rows.y, rows.ids))
        data = data.batch(batch).repeat().take(steps)
        batches = strategy.experimental_distribute_dataset(data)
    else:
        batches = _handed_out(strategy, rows.batches(batch, steps))

    @tf.function
    def run_step(x, y):
        strategy.run(step, args=(w, x, y))

    copies, ids, examples = [each_replica(strategy, w)], [], []
    for x, y, numbers in batches:
        go_on()
        with sentences_of(written or step), deadline(STEP_SECONDS):
            examples.append(examples_per_replica(strategy, run_step, (x, y), devices))
            run_step(x, y)
        copies.append(each_replica(strategy, w))
        ids.append(
            tuple(tuple(part.tolist()) for part in each_replica(strategy, numbers))
        )
    return Recording(label, np.array(copies, np.float64), tuple(ids), tuple(examples))


def each_replica(strategy: tf.distribute.Strategy, value: object) -> list[np.ndarray]:
    """Return what each replica holds; `value.numpy()` would be replica 0's alone."""
    return [part.numpy() for part in strategy.experimental_local_results(value)]


def hand_out(
    strategy: tf.distribute.Strategy, parts: Sequence[object]
) -> tf.distribute.DistributedValues:
    """Return values that hold `parts[r]` as a tensor on replica r, of any shape."""
    return strategy.experimental_distribute_values_from_function(
        lambda context: tf.constant(parts[context.replica_id_in_sync_group])
    )


def _handed_out(
    strategy: tf.distribute.Strategy, batches: Sequence[Rows]
) -> Iterator[tuple]:
    for rows in batches:
        shards = rows.shards(strategy.num_replicas_in_sync)
        columns = zip(*((shard.x, shard.y, shard.ids) for shard in shards), strict=True)
        yield tuple(hand_out(strategy, parts) for parts in columns)


def call_on_replicas(
    function: Callable,
    shards: Sequence[np.ndarray],
    devices: list[str],
    written: Callable | None = None,
) -> tuple[list, tuple[int, ...]]:
    """Call `function(shard, ctx)` once in every replica, inside tf.function.

    Args:
        function: gets its replica's shard as a tensor and the replica context.
        shards: one array for each replica; only their first axes may differ.
        devices: one replica on each of these.
        written: the learner's function, where `function` only calls it.

    Raises:
        StepFailed: `function` stopped with an error; it says where, and why.

    Returns:
        What each replica returned (a tensor, or a structure of tensors), and the
        number of rows it worked on.
    """
    strategy = mirrored(devices)

    @tf.function
    def run(values):
        return strategy.run(
            lambda shard: function(shard, tf.distribute.get_replica_context()),
            args=(values,),
        )

    values = hand_out(strategy, shards)
    with sentences_of(written or function), deadline(STEP_SECONDS):
        worked = examples_per_replica(strategy, run, (values,), devices)
        result = run(values)
    each = [each_replica(strategy, part) for part in tf.nest.flatten(result)]
    # one value where all replicas return the same tensor, as merge_call may give it
    own = zip(*(part * (len(devices) // len(part)) for part in each), strict=True)
    return [tf.nest.pack_sequence_as(result, list(parts)) for parts in own], worked
