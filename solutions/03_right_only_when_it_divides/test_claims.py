"""The evidence for what notebook 03 states, in its claims and in its prose."""

import re
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from autograder.source import read_source
from course.lessons.n03_right_only_when_it_divides import playing
from course.lessons.n03_right_only_when_it_divides.logged_losses import log_loss
from course.lessons.n03_right_only_when_it_divides.losses import (
    example_weights,
    train_with_loss,
)
from course.runs.devices import mirrored
from course.runs.sequential import train_sequentially
from course.runs.update_rules import each, mean_gradient, summed_gradient
from course.runs.workloads import LEARNING_RATE, regression

pytestmark = pytest.mark.prove

SOURCE = Path(__file__).parent / f"{Path(__file__).parent.name}.py"


def local_means(per_example, ctx):
    return tf.reduce_mean(per_example) / ctx.num_replicas_in_sync


def counted(per_example, ctx):
    count = tf.cast(tf.size(per_example), tf.float32)
    return tf.reduce_sum(per_example) / ctx.all_reduce("SUM", count)


def weights(loss, counts, devices):
    parts = example_weights(loss, counts, devices[: len(counts)])
    return np.concatenate(parts).round(6).tolist()


def gap(loss, rows, devices):
    data = regression(rows)
    run = train_with_loss(loss, data, 8, 10, devices[:2])
    return run.gaps(train_sequentially(data, 8, 10)).max(axis=1)


def fit(n, rows, devices):
    with mirrored(devices[:n]).scope():
        layer = tf.keras.layers.Dense(1, use_bias=False, kernel_initializer="zeros")
        model = tf.keras.Sequential([tf.keras.Input((2,)), layer])
        model.compile(tf.keras.optimizers.SGD(LEARNING_RATE), loss="mse")
    order = {"batch_size": 8, "epochs": 2, "shuffle": False, "verbose": 0}
    data = regression(rows)
    log = model.fit(data.x, data.y, **order)
    return log.history["loss"], layer.kernel.numpy().ravel()


def test_claim_000_13(devices):
    """Unbalanced gradients: other weights, but no instability at higher rates."""
    for rows in (11, 9, 19, 17):
        assert gap(local_means, rows, devices).max() > 1e-2
        for times in (1, 2, 5):
            assert max(_largest(rows, times, right) for right in (True, False)) < 10


def _largest(rows, times, right):
    """Largest weight in 200 steps at `times` the learning rate, on two replicas."""
    w, most = np.zeros(2), 0.0
    data = regression(rows)
    for part in data.batches(8, 200):
        shards, copies = part.shards(2), np.array([w, w])
        means = each(mean_gradient, copies, shards).mean(axis=0)
        summed = each(summed_gradient, copies, shards).sum(axis=0) / len(part)
        w = w - times * LEARNING_RATE * (summed if right else means)
        most = max(most, float(np.abs(w).max()))
    return most


def test_claim_001_12(devices):
    """Unequal shards give unequal weights, whichever of the two usual means."""
    assert weights(local_means, (2, 1), devices) == [0.25, 0.25, 0.5]
    keras = tf.keras.losses.MeanAbsoluteError()

    def keras_loss(per_example, ctx):
        return keras(tf.zeros_like(per_example)[:, None], per_example[:, None])

    assert weights(keras_loss, (2, 1), devices) == [0.25, 0.25, 0.5]


def test_claim_001_13(devices):
    """Another width or dtype on one replica raises; another scale is silent."""
    strategy = mirrored(devices[:2])
    x = tf.ones([2, 3])

    def run(change):
        def step():
            context = tf.distribute.get_replica_context()
            own = tf.get_static_value(context.replica_id_in_sync_group)
            return (change(x) if own else x) @ tf.ones([3, 1])

        return strategy.run(tf.function(step))

    with pytest.raises(ValueError, match="replica_1/matmul"):
        run(lambda t: tf.ones([2, 4]))
    with pytest.raises(TypeError):
        run(lambda t: tf.cast(t, tf.float64))
    first, second = strategy.experimental_local_results(run(lambda t: 255.0 * t))
    assert float(second[0, 0]) == 255 * float(first[0, 0])


@pytest.mark.parametrize("rows", [11, 9])
def test_claim_001_14(devices, rows):
    """The first epoch's logged loss agrees, the weights and later losses do not."""
    (one, other), right = fit(1, rows, devices)
    (same, biased), wrong = fit(2, rows, devices)
    assert one == pytest.approx(same, abs=1e-5)
    assert abs(other - biased) > 1e-2
    assert np.abs(right - wrong).max() > (0.1 if rows == 9 else 1e-2)


def test_claim_003_18(devices):
    """Uneven batches are off; a variable outside the scope is updated by each."""
    assert gap(local_means, 11, devices).max() > 1e-2
    outside = tf.Variable(0.0)
    strategy = mirrored(devices)
    strategy.run(tf.function(lambda: outside.assign_add(1.0)))
    assert float(outside) == 4


def test_the_gap_opens_at_the_first_uneven_step(devices):
    """Notebook 03, Symptom and Observe: right until the last step of an epoch."""
    broken = gap(local_means, 11, devices)
    assert broken[1] < 1e-6 < 1e-2 < broken[2]
    assert gap(counted, 11, devices).max() < 1e-5


def test_an_empty_replica_halves_the_step(devices):
    """Notebook 03: NaN in its loss, zero in its gradient, half the step."""
    assert weights(local_means, (1, 0), devices) == [0.5]
    assert weights(counted, (1, 0), devices) == [1.0]
    assert np.isnan(tf.reduce_mean(tf.zeros([0])).numpy())
    run = train_with_loss(local_means, regression(9), 8, 10, devices[:2])
    right = train_sequentially(regression(9), 8, 10)
    full = right.copies[2, 0] - right.copies[1, 0]
    half = run.copies[2, 0] - run.copies[1, 0]
    assert half == pytest.approx(full / 2, abs=1e-6)


def test_which_rows_of_an_epoch_weigh_most(devices):
    """Notebook 03, Every row of an epoch: even numbers are right; 2 + 1 is worst."""
    most = {}
    for rows in range(8, 25):
        epoch = playing.run(rows, 8, 2, local_means)
        times = [sum(map(len, step)) * np.concatenate(step) for step in epoch.weights]
        if max(np.abs(each - 1).max() for each in times) > 1e-5:
            most[rows] = max(each.max() for each in times)
    assert list(most) == list(range(9, 25, 2))
    assert [rows for rows, times in most.items() if times > 1.4] == [11, 19]
    assert most[11] == pytest.approx(1.5) == most[19]


def test_traps_of_compute_average_loss(devices):
    """Notebook 03: a constant batch, the broken rule again, and a sample weight."""
    average = tf.nn.compute_average_loss

    def by_name(own, ctx):
        return average(own, global_batch_size=8)

    def without(own, ctx):
        return average(own)

    def by_place(own, ctx):
        return average(own, 8)

    assert weights(by_name, (2, 1), devices) == [0.125, 0.125, 0.125]
    assert weights(without, (2, 1), devices) == [0.25, 0.25, 0.5]
    assert weights(by_place, (2, 1), devices) == [2.0, 2.0, 4.0]


def test_batch_normalisation_and_metrics(devices, capsys):
    """Notebook 03's two screens on layers and metrics, run as they are printed.

    A metric that is given the rows' losses is right; given means, it is not.
    """
    printed = _run_cells(capsys, "normalisation", "log")
    off = re.compile(r"=(\w+): off by (\S+) of the largest value")
    (plain, apart), (together, near) = off.findall(printed["normalisation"])
    assert (plain, together) == ("False", "True")
    assert float(apart) > 0.1 and float(near) < 1e-5
    assert printed["log"].splitlines()[-1] == "log: 2.5  mean over all rows: 1.6"
    losses = np.arange(1, 10, dtype=np.float32)  # 4 + 4, then 1 + 0
    assert np.isnan(log_loss(losses, 2))
    strategy = mirrored(devices[:2])
    with strategy.scope():
        metric = tf.keras.metrics.Mean()
    data = tf.data.Dataset.from_tensor_slices(losses).batch(8)
    for batch in strategy.experimental_distribute_dataset(data):
        strategy.run(tf.function(metric.update_state), args=(batch,))
    assert float(metric.result()) == losses.mean()


def test_the_probe_finds_the_fault(devices, capsys):
    """The probe as printed, on a wrong and a right loss."""
    printed = _run_cells(capsys, "probe")
    assert "0.5" in printed["probe"]
    probe = printed["namespace"]["weights_of_rows"]
    strategy = mirrored(devices[:3])

    def right(losses):
        context = tf.distribute.get_replica_context()
        count = context.all_reduce("SUM", tf.cast(tf.size(losses), tf.float32))
        return tf.reduce_sum(losses) / count

    assert np.concatenate(probe(strategy, right, (2, 1, 0))) == pytest.approx(1 / 3)
    wrong = np.concatenate(
        probe(strategy, lambda losses: tf.reduce_mean(losses) / 3, (2, 1, 0))
    )
    assert wrong == pytest.approx([1 / 6, 1 / 6, 1 / 3])


def _run_cells(capsys, *keys):
    """Run the start, the set-up and some cells of the notebook; key -> printed."""
    cells = read_source(SOURCE).cells
    namespace, printed = {}, {}
    for cell in cells:
        if cell.role in ("start", "setup"):
            exec(cell.text, namespace)
    for cell in cells:
        if cell.keys.get("key") in keys:
            capsys.readouterr()
            exec(compile(cell.text, cell.id, "exec"), namespace)
            printed[cell.keys["key"]] = capsys.readouterr().out.strip()
    return {**printed, "namespace": namespace}
