"""Further exercise: a loss function for `compile` that is a mean over unpadded rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import tensorflow as tf

from course.checks.apart import told_apart
from course.checks.deadline import deadline
from course.checks.exercises import Difference, Exercise, Observation
from course.checks.failures import sentences_of
from course.lessons.n06_other_weights_with_an_option.wrong_loss import (
    MISTAKES,
    Batch,
    pulls,
    real_rows,
    right,
)
from course.runs.devices import mirrored, virtual_devices
from course.runs.replica_exercises import DEVICES
from course.runs.replicas import STEP_SECONDS, each_replica, hand_out


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
    """Draw steps with padding, different numbers of rows, and a replica with none."""

    def batch(*counts: tuple[int, int]) -> Batch:
        targets, predictions = [], []
        for real, padding in counts:
            part = rng.uniform(1, 5, real + padding)
            # any number below 0 is padding; -1, the usual one, is among them
            fill = np.where(np.arange(padding) % 2, rng.uniform(-4, -0.1, padding), -1)
            part[rng.permutation(real + padding)[:padding]] = fill
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


def _observe(loss: Callable, case: Batch) -> Observation:
    devices = virtual_devices(DEVICES)[: len(case.targets)]
    return Observation(np.concatenate(pull_of_rows(loss, case, devices)))


def _compare(case: Batch, got: Observation, truth: Observation) -> Difference:
    owners = np.repeat(range(len(case.targets)), [len(part) for part in case.targets])
    near = np.isclose(got.values, truth.values, rtol=0, atol=1e-5)
    row = int(np.argmin(near))
    came, wanted = got.values[row], truth.values[row]
    comparable = wanted and np.isfinite(came)
    times = f", {came / wanted:.3g} times that of one device" if comparable else ""
    texts = told_apart(came, wanted)
    return Difference(
        f"Row {row} of the step: the gradient of its prediction is {texts[0]}{times}.",
        f"Expected {texts[1]}, from the mean over the rows that are not padding.",
        f"The row is on replica {owners[row]}.",
        {"replica": int(owners[row])},
    )


MY_LOSS = Exercise(
    name="06/my_loss",
    cases=draw,
    observe=_observe,
    expect=lambda case: Observation(pulls(case, right(real_rows(case)))),
    compare=_compare,
    mistakes=MISTAKES,
    right="Every row that is not padding has the same weight on every replica, as on "
    "one device. Rows of padding have none.",
)
