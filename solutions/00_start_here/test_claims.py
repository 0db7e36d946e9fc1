"""The evidence for what notebook 00 states, in its claims and in its prose."""

from itertools import pairwise

import numpy as np
import pytest
import tensorflow as tf

from course.lessons.n00_start_here import PREDICTION, ends_apart
from course.lessons.n00_start_here.agrees import same_weights
from course.lessons.n00_start_here.fitting import compare_fits, compare_row_counts
from course.runs.cluster import Cluster, run_workers, serve
from course.runs.devices import mirrored
from course.runs.replicas import train_on_replicas
from course.runs.sequential import train_sequentially
from course.runs.workloads import LEARNING_RATE, regression

pytestmark = pytest.mark.prove


def gradient(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    return tape.gradient(loss, w)


def own(w, x, y):
    w.assign_sub(LEARNING_RATE * gradient(w, x, y))


def averaged(w, x, y):
    w.assign_sub(
        LEARNING_RATE
        * tf.distribute.get_replica_context().all_reduce("MEAN", gradient(w, x, y))
    )


def gap(step, rows, devices, replicas=4):
    """Largest distance of any copy from the sequential run in ten steps."""
    data = regression(rows)
    run = train_on_replicas(step, data, 8, 10, devices[:replicas])
    return run.gaps(train_sequentially(data, 8, 10)).max()


def fit_on(n, rows, devices):
    with mirrored(devices[:n]).scope():
        layer = tf.keras.layers.Dense(1, use_bias=False, kernel_initializer="zeros")
        model = tf.keras.Sequential([tf.keras.Input((2,)), layer])
        model.compile(tf.keras.optimizers.SGD(LEARNING_RATE), loss="mse")
    log = model.fit(rows.x, rows.y, batch_size=8, epochs=1, shuffle=False, verbose=0)
    return log.history["loss"][0], layer.kernel.numpy().ravel()


def test_claim_000_01(devices):
    """Parallel training differs only where there is a fault."""
    assert gap(averaged, 24, devices) < 1e-5
    assert gap(own, 24, devices) > 3e-2


def fit_with_servers():
    """In the chief: Keras 3 under ParameterServerStrategy."""
    import numpy as np
    import tensorflow as tf

    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    with tf.distribute.ParameterServerStrategy(resolver).scope():
        model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
        model.compile("sgd", loss="mse")
    rows = np.ones((8, 2), np.float32), np.ones((8, 1), np.float32)
    data = tf.data.Dataset.from_tensor_slices(rows).repeat().batch(4)
    model.fit(data, steps_per_epoch=4, verbose=0)


def test_claim_000_29(devices):
    """Estimators are gone; fit is right in one process, and stops in a cluster."""
    assert not hasattr(tf, "estimator") and not hasattr(tf.compat.v1, "estimator")
    rows, weights = regression(24), []
    for number in (1, 4):
        with mirrored(devices[:number]).scope():
            dense = tf.keras.layers.Dense(1, use_bias=False, kernel_initializer="zeros")
            model = tf.keras.Sequential([tf.keras.Input((2,)), dense])
            model.compile("sgd", loss="mse")
        model.fit(rows.x, rows.y, batch_size=8, epochs=2, shuffle=False, verbose=0)
        weights.append(dense.get_weights()[0])
    assert np.abs(weights[0]).max() > 0.01
    assert np.abs(weights[0] - weights[1]).max() < 1e-5

    def fit():
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        with strategy.scope():
            model = tf.keras.Sequential([tf.keras.Input((2,))])
            model.add(tf.keras.layers.Dense(1))
            model.compile("sgd", loss="mse")
        model.fit(tf.ones((16, 2)), tf.ones((16, 1)), batch_size=8, verbose=0)

    errors = [end.error for end in run_workers(fit, quiet=8.0).ends]
    assert errors == ["ValueError", "ValueError"]
    test_fit_fails_with_parameter_servers()


def test_fit_fails_with_parameter_servers():
    with Cluster({"worker": 1, "ps": 1, "chief": 1}) as cluster:
        cluster.start(serve, only=["worker 0", "ps 0"])
        cluster.start(fit_with_servers, only=["chief 0"])
        cluster.wait_until(lambda: "chief 0" not in cluster.running())
        run = cluster.join()
    assert (run["chief 0"].outcome, run["chief 0"].error) == ("raised", "ValueError")


def test_fit_logs_one_loss_and_ends_with_other_weights(devices):
    """22 and 23 rows on 1, 2 and 4 devices: who gets fewer rows counts as much."""
    for count, shares in ((22, (2, 2, 2)), (23, (2, 2, 2, 1))):
        rows = regression(count)
        (loss1, w1), _, (loss4, w4) = (fit_on(n, rows, devices) for n in (1, 2, 4))
        assert loss1 == pytest.approx(loss4, abs=1e-5)
        run = train_sequentially(rows, 8, 3).copies[:, 0]
        assert np.abs(w1 - run[3]).max() < 1e-6
        ends = np.cumsum([16, *shares])
        parts = (rows.take(range(a, b)) for a, b in pairwise(ends))
        total = sum(
            gradient(tf.Variable(run[2], dtype=tf.float32), p.x, p.y).numpy()
            for p in parts
        )
        assert np.abs(w4 - (run[2] - LEARNING_RATE * total / 4)).max() < 1e-6
        if count == 22:  # three quarters as long
            assert np.abs(w4 - (run[2] + 0.75 * (run[3] - run[2]))).max() < 1e-6


def test_the_fit_of_the_lesson_is_the_fit_that_the_notebook_shows(devices):
    """An endless dataset and steps_per_epoch: the same losses and weights."""
    for n in (2, 4):
        loss, weights = fit_on(n, regression(22), devices)
        ours = compare_fits(22, 8, n, epochs=1).several
        assert ours.loss[0] == pytest.approx(loss, abs=1e-5)
        assert np.abs(ours.weights[0] - weights).max() < 1e-6


def test_the_prediction_shows_what_runs_show(devices):
    """Each tick; and the logs of one epoch do not tell."""
    found = compare_row_counts(int(row.split()[0]) for row in PREDICTION.rows)
    for (row, ticks), group in zip(
        PREDICTION.rows.items(), found.values(), strict=True
    ):
        assert tuple(not each.agrees for each in group) == ticks, row
        # far from rounding on either side
        assert all(each.gaps.max() > 1e-2 or each.agrees for each in group)
    assert "logged the same loss" in ends_apart(found).sentence


def test_three_epochs_show_what_one_does_not(devices):
    """22 rows: equal losses in epoch 0, others from epoch 1 on 4 devices, not on 2.

    With 20 rows, all is equal on both.
    """
    four, two = compare_fits(22, 8, 4), compare_fits(22, 8, 2)
    assert np.abs(four.one.loss - [4.736, 3.753, 3.139]).max() < 1e-3
    assert np.abs(four.several.loss - [4.736, 3.879, 3.306]).max() < 1e-3
    assert np.abs(two.several.loss - two.one.loss).max() < 1e-5
    assert two.agrees and four.gaps[0] > 1e-2
    for n in (2, 4):
        even = compare_fits(20, 8, n)
        assert even.agrees
        assert np.abs(even.several.loss - even.one.loss).max() < 1e-5


@pytest.mark.parametrize(
    ("batch", "devices_used", "counts"),
    [
        (8, 4, (8, 9, *range(16, 25), 36)),
        (8, 2, (8, 9, *range(16, 20), 38)),
        (4, 4, (12, 13, 14, 15, 33)),
        (12, 3, (12, *range(24, 30))),
    ],
)
def test_the_exercise_tells_what_fit_does(devices, batch, devices_used, counts):
    """my_agrees is judged by a rule; here it is held against runs of fit."""
    for rows in counts:
        came = compare_fits(rows, batch, devices_used, epochs=2)
        assert came.agrees == same_weights(rows, batch, devices_used), rows
        assert came.agrees or came.gaps.max() > 1e-3


@pytest.mark.parametrize(("rows", "batch", "n"), [(20, 6, 4), (7, 8, 2), (20, 8, 3)])
def test_fit_stops_where_the_first_batch_does_not_divide(devices, rows, batch, n):
    """compare_fits refuses what fit cannot do."""
    data = regression(rows)
    with mirrored(devices[:n]).scope():
        model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
        model.compile("sgd", loss="mse")
    with pytest.raises(tf.errors.InvalidArgumentError):
        model.fit(data.x, data.y, batch_size=batch, shuffle=False, verbose=0)
    with pytest.raises(ValueError, match="Keras stops before it trains"):
        compare_fits(rows, batch, n)
