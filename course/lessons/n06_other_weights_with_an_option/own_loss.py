"""Further exercise: a loss function for `compile` that is a mean over unpadded rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.deadline import deadline
from course.checks.exercises import Difference, Exercise, Mistake, Observation
from course.checks.failures import sentences_of
from course.runs.devices import mirrored, virtual_devices
from course.runs.replica_exercises import DEVICES
from course.runs.replicas import STEP_SECONDS, each_replica, hand_out

# targets and errors of one replica -> what `compile(loss=...)` makes of them, (rows,)
Weigh = Callable[[Sequence[np.ndarray]], list[np.ndarray]]


@dataclass(frozen=True, eq=False)
class Batch:
    """One step: targets and predictions, float32 arrays of shape (rows of a replica,).

    A target below 0 stands in a row of padding.
    """

    targets: tuple[np.ndarray, ...]
    predictions: tuple[np.ndarray, ...]

    def __str__(self) -> str:
        counts = " + ".join(str(int((part >= 0).sum())) for part in self.targets)
        return f"a step with {counts} rows that are no padding"


def pull_of_rows(loss: Callable, batch: Batch, devices: list[str]) -> list[np.ndarray]:
    """Return how much each row pulls at its prediction, under `compile(loss=loss)`.

    That is the derivative of what `fit` differentiates, added up over the replicas, by
    the predictions: float32 of shape (rows,) for each replica.

    Raises:
        StepFailed: `loss` stopped with an error; it says where, and why.
    """
    strategy = mirrored(devices)
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Identity()])
        model.compile(loss=loss)

    def pull(targets, predictions):
        with tf.GradientTape() as tape:
            tape.watch(predictions)
            value = model.compute_loss(y=targets, y_pred=predictions)
        return tape.gradient(value, predictions)

    # columns, as `fit` passes them
    columns = [
        hand_out(strategy, [part[:, None] for part in parts])
        for parts in (batch.targets, batch.predictions)
    ]
    run = tf.function(lambda *values: strategy.run(pull, args=values))
    with sentences_of(loss), deadline(STEP_SECONDS):
        pulls = run(*columns)
    if pulls is None:
        return [np.zeros(len(part), np.float32) for part in batch.targets]
    return [np.reshape(part, [-1]) for part in each_replica(strategy, pulls)]


def draw(rng: np.random.Generator) -> list[Batch]:
    """Draw steps with padding, uneven shards, and a replica without a row."""

    def batch(*counts: tuple[int, int]) -> Batch:
        targets, predictions = [], []
        for real, padding in counts:
            part = rng.uniform(1, 5, real + padding)
            part[rng.permutation(real + padding)[:padding]] = -1.0
            targets.append(part.astype(np.float32))
            predictions.append(rng.uniform(1, 5, real + padding).astype(np.float32))
        return Batch(tuple(targets), tuple(predictions))

    more = int(rng.integers(4, 7))
    cases = [
        batch((more, 0), (1, more - 1)),
        batch((3, 1), (4, 0), (1, 3), (2, 2)),
        batch((3, 2), (0, 4), (2, 2)),
        batch((4, 0), (0, 3)),
    ]
    for case in cases:  # of the first replica, one row in each
        case.targets[0][np.flatnonzero(case.targets[0] >= 0)[0]] = 0.0
    return cases


def _real(case: Batch) -> list[np.ndarray]:
    return [(part >= 0).astype(float) for part in case.targets]


def _rule(code: str, weigh: Weigh, cause: str) -> Mistake:
    """Return the mistake that gives the rows the weights of `weigh(real)`.

    real: 1 for each row that is no padding, else 0; float64, shape (rows,).
    """

    def observe(case: Batch) -> Observation:
        with np.errstate(all="ignore"):
            return Observation(_pulls(case, weigh(_real(case))))

    return Mistake(code, cause, observe)


def _pulls(case: Batch, weights: Sequence[np.ndarray]) -> np.ndarray:
    pulls = [
        2 * weight * (predicted - target.astype(float))
        for weight, target, predicted in zip(
            weights, case.targets, case.predictions, strict=True
        )
    ]
    return np.concatenate(pulls)


def _right(real: Sequence[np.ndarray]) -> list[np.ndarray]:
    total = sum(part.sum() for part in real)
    return [part / total for part in real]


def _own_means(real):
    return [part / part.sum() for part in real]


def _own_means_no_nan(real):
    return [part / max(part.sum(), 1) for part in real]


def _scaled(weigh: Weigh, factor: Callable[[Sequence[np.ndarray]], float]) -> Weigh:
    return lambda real: [factor(real) * part for part in weigh(real)]


def _replicas(real) -> int:
    return len(real)


def _each_mean_over_replicas(real):
    return [part / part.sum() / len(real) for part in real]


def _each_no_nan_over_replicas(real):
    return [part / max(part.sum(), 1) / len(real) for part in real]


def _mean_over_all_rows(real):
    return [part / len(part) / len(real) for part in real]


def _mean_over_own_rows(real):
    return [part / len(part) for part in real]


def _vector_of_right(real):
    total = sum(part.sum() for part in real)
    return [part / total / len(part) / len(real) for part in real]


def _padding_counts(real):
    rows = sum(map(len, real))
    return [part / rows for part in real]


def _all_rows(real):
    rows = sum(map(len, real))
    return [np.ones_like(part) / rows for part in real]


def _sums(real):
    return [part.copy() for part in real]


def _padding_in_sum(real):
    total = sum(part.sum() for part in real)
    return [np.ones_like(part) / total for part in real]


def _nonempty_means(real):
    used = sum(part.any() for part in real)
    return [part / max(part.sum(), 1) / used for part in real]


def _nothing(real):
    return [np.zeros_like(part) for part in real]


def _observe(loss: Callable, case: Batch) -> Observation:
    devices = virtual_devices(DEVICES)[: len(case.targets)]
    return Observation(np.concatenate(pull_of_rows(loss, case, devices)))


def _compare(case: Batch, got: Observation, truth: Observation) -> Difference:
    owners = np.repeat(range(len(case.targets)), [len(part) for part in case.targets])
    near = np.isclose(got.values, truth.values, rtol=0, atol=1e-5)
    row = int(np.argmin(near))
    came, wanted = got.values[row], truth.values[row]
    times = f", {came / wanted:.3g} times as much as on one device" if wanted else ""
    return Difference(
        f"Row {row} of the step pulls at its prediction with {came:.4g}{times}.",
        f"Expected {wanted:.4g}, from the mean over the rows that are no padding.",
        f"It is on replica {owners[row]}.",
        {"replica": int(owners[row])},
    )


MY_LOSS = Exercise(
    name="06/my_loss",
    cases=draw,
    observe=_observe,
    expect=lambda case: Observation(_pulls(case, _right(_real(case)))),
    compare=_compare,
    mistakes=(
        _rule(
            "own_means",
            _own_means,
            "each replica takes the mean over its own rows, and Keras adds up what is "
            "a single number. With padding only, it is 0 / 0.",
        ),
        _rule(
            "own_means_no_nan",
            _own_means_no_nan,
            "each replica takes the mean over its own rows, and Keras adds up what is "
            "a single number.",
        ),
        _rule(
            "means_over_replicas",
            _each_mean_over_replicas,
            "the replicas' means are averaged, however many rows are behind each; with "
            "padding only, a mean is 0 / 0.",
        ),
        _rule(
            "means_over_replicas_no_nan",
            _each_no_nan_over_replicas,
            "the replicas' means are averaged, however many rows are behind each.",
        ),
        _rule(
            "times_replicas",
            _scaled(_right, _replicas),
            "the weights are even, and as many times too large as there are replicas: "
            "the count is a mean over the replicas, or the loss itself is added up "
            "over them, and the gradients once more.",
        ),
        _rule(
            "divided_by_replicas",
            _scaled(_right, lambda real: 1 / len(real)),
            "the weights are even, and divided by the number of replicas, too: by the "
            "loss, or by Keras, which does that to all that is no single number, of "
            "shape ().",
        ),
        _rule(
            "mean_of_rows",
            _mean_over_all_rows,
            "it is the mean over the replica's rows, padding too, divided by the "
            "number of replicas: what Keras makes of one number for each row, and what "
            "compute_average_loss gives.",
        ),
        _rule(
            "mean_over_own_rows",
            _mean_over_own_rows,
            "each replica's mean is over all its rows, padding too, and Keras adds up "
            "what is a single number.",
        ),
        _rule(
            "divided_once_more",
            _vector_of_right,
            "each row's loss is divided rightly, but one number for each row comes "
            "back: Keras takes their mean, and divides by the number of replicas.",
        ),
        _rule(
            "padding_counts",
            _padding_counts,
            "the sum is divided by all rows of the step. Rows of padding do not count.",
        ),
        _rule(
            "padding_pulls",
            _all_rows,
            "rows of padding pull at their predictions, too.",
        ),
        _rule(
            "padding_in_sum",
            _padding_in_sum,
            "rows of padding are in the sum, though not in the count.",
        ),
        _rule(
            "nonempty_means",
            _nonempty_means,
            "the means of the replicas that have rows are averaged, however many rows "
            "are behind each.",
        ),
        Mistake(
            "zero_is_padding",
            "a target of 0 is taken for padding. Only those below 0 are.",
            lambda case: Observation(
                _pulls(case, _right([(part > 0) * 1.0 for part in case.targets]))
            ),
        ),
        _rule("sums", _sums, "the losses are added up and never divided."),
        _rule("no_gradient", _nothing, "the loss does not depend on the predictions."),
    ),
    right="Every row that is no padding has the same weight, and the sum of the "
    "replicas' losses is the loss of one device.",
)
