"""The evidence for what notebook 02 states, in its claims and in its prose."""

from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from autograder.source import read_source
from course.lessons.n02_replicas_drift_apart import playing
from course.lessons.n02_replicas_drift_apart.float_noise import float_noise
from course.runs.cluster import run_workers
from course.runs.devices import mirrored
from course.runs.replica_exercises import observe_step
from course.runs.replicas import train_on_replicas
from course.runs.sequential import train_sequentially
from course.runs.update_rules import Job
from course.runs.workloads import LEARNING_RATE, regression

pytestmark = pytest.mark.prove

SOURCE = Path(__file__).parent / f"{Path(__file__).parent.name}.py"


@pytest.fixture
def two(devices):
    """A strategy with two replicas."""
    return mirrored(devices[:2])


def context():
    return tf.distribute.get_replica_context()


def me():
    """This replica's number as a float tensor."""
    return tf.cast(context().replica_id_in_sync_group, tf.float32)


def all_copies(strategy, value):
    return [float(part) for part in strategy.experimental_local_results(value)]


def variable(strategy, start):
    with strategy.scope():
        return tf.Variable(start)


def gradient(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    return tape.gradient(loss, w)


def own(w, x, y):
    w.assign_sub(LEARNING_RATE * gradient(w, x, y))


def averaged(w, x, y):
    w.assign_sub(LEARNING_RATE * context().all_reduce("MEAN", gradient(w, x, y)))


def gap(step, rows, devices, replicas=4):
    """Largest distance of any copy from the sequential run in ten steps."""
    data = regression(rows)
    run = train_on_replicas(step, data, 8, 10, devices[:replicas])
    return run.gaps(train_sequentially(data, 8, 10)).max()


def test_claim_000_25(devices, two):
    """The mean is right for equal shards only; a Keras optimizer adds up."""
    assert gap(averaged, 24, devices, 2) < 1e-5
    assert gap(averaged, 19, devices, 2) > 1e-2
    with two.scope():
        v = tf.Variable(1.0)
        optimizer = tf.keras.optimizers.SGD(0.1)
        optimizer.build([v])

    @tf.function
    def run():
        two.run(lambda: optimizer.apply_gradients([(me() + 1.0, v)]))

    run()
    # gradients 1 and 2: the mean would give 0.85
    assert all_copies(two, v) == pytest.approx([0.7, 0.7])


@pytest.mark.parametrize("batch", [8, 12, 24])
def test_copies_part_in_the_first_step_whatever_the_number_of_rows(devices, batch):
    for replicas in (2, 3, 4):
        _, run = playing.run(replicas, batch, 1, own)
        assert np.ptp(run.copies[1], axis=0).max() > 0.05


def test_claim_001_16(two):
    """Without an all-reduce call the copies of one variable differ, silently."""
    v = variable(two, 0.0)
    two.run(tf.function(lambda: v.assign(10.0 + me())))
    assert all_copies(two, v) == [10.0, 11.0]
    two.run(tf.function(lambda: v.assign(context().all_reduce("SUM", 10.0 + me()))))
    assert all_copies(two, v) == [21.0, 21.0]


def test_claim_001_33(two):
    """One line shows faulty aggregation."""
    v = variable(two, 5.0)
    two.run(tf.function(lambda: v.assign_sub(me())))
    assert all_copies(two, v) == [5.0, 4.0]


def test_claim_001_34(two):
    """The call can be wrong: here merge_call updates with unreduced values."""
    v = variable(two, 0.0)

    def update(strategy, v, value):
        strategy.extended.update(v, lambda v, value: v.assign(value), args=(value,))

    two.run(tf.function(lambda: context().merge_call(update, args=(v, me() + 1.0))))
    assert all_copies(two, v) == [1.0, 2.0]
    # the reduction itself is the cross-device operation's, and it is right
    total = two.run(tf.function(lambda: context().all_reduce("SUM", me() + 1.0)))
    assert all_copies(two, total) == [3.0, 3.0]


def test_claim_001_35(two):
    """No gradient on one replica raises at once; zeros make the step smaller."""
    with two.scope():
        v = tf.Variable(1.0)
        optimizer = tf.keras.optimizers.SGD(0.1)
        optimizer.build([v])

    def apply(value):
        optimizer.apply_gradients([(value, v)])

    with pytest.raises(ValueError, match="No gradients provided"):
        two.run(lambda: apply(None if _is_first() else tf.constant(1.0)))
    v.assign(1.0)
    step = tf.function(lambda: v.assign_sub(context().all_reduce("MEAN", me() * 0.2)))
    two.run(step)  # replica 0 sends zero, replica 1 sends 0.2
    assert all_copies(two, v) == pytest.approx([0.9, 0.9])

    def one_alone():
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        if strategy.cluster_resolver.task_id == 0:
            strategy.run(lambda: context().all_reduce("MEAN", tf.constant(1.0)))

    ends = run_workers(one_alone).ends
    assert [end.outcome for end in ends] == ["waited", "returned"]


def _is_first():
    return int(tf.get_static_value(context().replica_id_in_sync_group)) == 0


def test_claim_001_38(two):
    """Two all-reduces in swapped order mix their values without an error."""

    def swapped():
        one, hundred = tf.constant(1.0), tf.constant(100.0)
        if _is_first():
            a = context().all_reduce("SUM", one)
            b = context().all_reduce("SUM", hundred)
        else:
            b = context().all_reduce("SUM", hundred)
            a = context().all_reduce("SUM", one)
        return a, b

    a, b = two.run(swapped)
    # right would be 2 and 200
    assert set(all_copies(two, a) + all_copies(two, b)) == {101.0}


def test_claim_002_31(devices):
    """A tape gives the gradient of its own replica's rows."""
    strategy = mirrored(devices)
    w = variable(strategy, [0.0, 0.0])
    rows = regression(8)
    data = tf.data.Dataset.from_tensor_slices((rows.x, rows.y)).batch(8)
    x, y = next(iter(strategy.experimental_distribute_dataset(data)))
    result = strategy.run(tf.function(gradient), args=(w, x, y))
    each = np.array([g.numpy() for g in strategy.experimental_local_results(result)])
    whole = gradient(tf.Variable([0.0, 0.0]), rows.x, rows.y).numpy()
    assert np.abs(each - whole).max() > 0.1
    assert np.abs(each.mean(axis=0) - whole).max() < 1e-6


def test_what_shows_a_variable_shows_replica_0(devices):
    """Notebook 02: numpy() and reduce MEAN return replica 0's copy."""
    strategy = mirrored(devices)
    v = variable(strategy, 0.0)
    strategy.run(tf.function(lambda: v.assign(me() + 7.0)))
    assert all_copies(strategy, v) == [7.0, 8.0, 9.0, 10.0]
    assert float(v.numpy()) == 7.0
    assert float(strategy.reduce("MEAN", v, axis=None)) == 7.0


def test_a_checkpoint_holds_replica_0(devices, tmp_path):
    """Notebook 02's symptom: what is saved is one copy of several."""
    strategy = mirrored(devices)
    v = variable(strategy, 0.0)
    strategy.run(tf.function(lambda: v.assign(me() + 7.0)))
    saved = tf.train.Checkpoint(v=v).save(str(tmp_path / "model"))
    names = dict(tf.train.list_variables(saved))
    (name,) = [n for n in names if n.startswith("v/")]
    assert float(tf.train.load_variable(saved, name)) == 7.0


def test_averaging_weights_is_averaging_gradients_under_sgd(devices):
    """Notebook 02's solution: the same numbers, with plain SGD."""

    def average_weights(w, x, y):
        own(w, x, y)
        w.assign(context().all_reduce("MEAN", w))

    job = Job(regression(19), 8, 2)
    first, second = observe_step(average_weights, job), observe_step(averaged, job)
    assert np.abs(first.values - second.values).max() < 1e-6


def fit_on(n, rows, devices):
    with mirrored(devices[:n]).scope():
        layer = tf.keras.layers.Dense(1, use_bias=False, kernel_initializer="zeros")
        model = tf.keras.Sequential([tf.keras.Input((2,)), layer])
        model.compile(tf.keras.optimizers.SGD(LEARNING_RATE), loss="mse")
    log = model.fit(rows.x, rows.y, batch_size=8, epochs=1, shuffle=False, verbose=0)
    return log.history["loss"][0], layer.kernel.numpy().ravel()


def test_fit_equals_the_sequential_run_while_shards_are_equal(devices):
    """Notebook 02: would model.fit have saved you? Yes, for equal shards."""
    rows = regression(24)
    truth = train_sequentially(rows, 8, 3).copies[-1, 0]
    assert np.abs(fit_on(4, rows, devices)[1] - truth).max() < 1e-6


def test_float_noise_starts_small_and_grows(devices):
    """Notebook 02, How big is normal: ten steps tell a bug from noise."""
    noise = float_noise(devices, steps=300)
    print("noise after 1, 10, 300 steps:", noise[[1, 10, 300]])
    assert noise[1:11].max() < 1e-5
    assert noise[300] > 10 * noise[10]
    data = regression(24)
    bug = train_on_replicas(own, data, 8, 1, devices)
    assert bug.gaps(train_sequentially(data, 8, 1))[1].max() > 1e-3


def test_the_probe_for_work_finds_the_drift(devices):
    """Notebook 02's probe, as printed, in a script that never saw our package."""
    cells = read_source(SOURCE).cells
    (probe,) = [cell.text for cell in cells if cell.id == "probe"]
    definition = probe.split("\n\nprint(")[0]
    assert "course" not in definition and len(definition.splitlines()) <= 15
    namespace = {"np": np, "tf": tf}
    exec(definition, namespace)
    strategy = mirrored(devices)
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
    variables = [v.value for v in model.trainable_variables]
    assert namespace["largest_spread"](strategy, variables) == 0.0
    strategy.run(tf.function(lambda: variables[1].assign_add([me()])))
    assert namespace["largest_spread"](strategy, variables) == 3.0
    with pytest.raises(ValueError, match=r"pass v\.value"):
        namespace["largest_spread"](strategy, model.trainable_variables)
