"""The evidence for what notebook 00 states, in its claims and in its prose."""

import numpy as np
import pytest
import tensorflow as tf

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
    """22 rows on 1, 2 and 4 devices; the last step is 3/4 as long."""
    rows = regression(22)
    (loss1, w1), (loss2, w2), (loss4, w4) = (
        fit_on(n, rows, devices) for n in (1, 2, 4)
    )
    assert loss1 == pytest.approx(loss2, abs=1e-5)
    assert loss1 == pytest.approx(loss4, abs=1e-5)
    assert np.abs(w2 - w1).max() < 1e-6
    run = train_sequentially(rows, 8, 3).copies[:, 0]
    assert np.abs(w1 - run[3]).max() < 1e-6
    assert np.abs(w4 - (run[2] + 0.75 * (run[3] - run[2]))).max() < 1e-6
