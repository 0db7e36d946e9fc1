"""The evidence for what notebook 05 states, in its claims and in its prose."""

import threading
from itertools import permutations, product

import numpy as np
import pytest
import tensorflow as tf
from printed_cells import PrintedCells

from course.checks.declared import find_prediction
from course.checks.failures import StepFailed
from course.lessons.n05_different_every_run.orders import outcomes
from course.lessons.n05_different_every_run.own_threads import in_threads
from course.lessons.n05_different_every_run.playing import (
    DELTAS,
    lock_around_the_write,
    no_lock,
    run,
)
from course.lessons.n05_different_every_run.schedules import run_schedule
from course.lessons.n05_different_every_run.staleness import (
    descend_late,
    stability_limit,
)
from course.lessons.n05_different_every_run.ways import observe_ways
from course.runs.devices import mirrored
from course.runs.replicas import train_on_replicas
from course.runs.sequential import train_sequentially
from course.runs.workloads import LEARNING_RATE, regression

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),
]  # before TensorFlow starts

CELLS = PrintedCells(__file__, tf=tf, np=np, threading=threading)


@pytest.fixture
def update():
    return CELLS.run("my_update-broken")["broken_update"]


def add_one(var, pause=lambda: None):
    value = var.numpy()
    pause()
    var.assign(value + 1.0)


def document_update(var, deltas, work):
    """The document's example: every thread reads, adds 1.0 and writes."""

    def worker_task():
        local_value = var.value()
        local_value += 1.0
        var.assign(local_value)

    in_threads(len(deltas), worker_task)


def test_claim_000_03(devices):
    """Own threads lose updates; replicas keep the order, and each updates."""
    v = tf.Variable(0.0)
    in_threads(4, add_one, v, threading.Barrier(4).wait)
    assert v.numpy() == 1.0
    strategy, shared = mirrored(devices), tf.Variable(0.0)

    def step():
        strategy.run(lambda: shared.assign(shared + 1.0))

    run_graph = tf.function(step)
    for _ in range(100):
        run_graph()
    assert shared.numpy() == 400.0
    for _ in range(5):
        step()  # eagerly
    assert shared.numpy() == 420.0


def test_claim_000_04(update, devices):
    """A race with threads of one's own; none among replicas."""
    results = {run_schedule(update, s).final for s in ((0, 1, 0, 1), (0, 1, 1, 0))}
    assert results == {1.0, 10.0}
    test_claim_000_03(devices)


def test_claim_000_05(update):
    """Both read, then both write: one of the two updates is gone, in 20 of 20 runs."""
    finals = {run_schedule(update, (0, 1, 0, 1)).final for _ in range(20)}
    assert finals == {10.0}


def test_claim_000_06(update):
    """The result depends on the order of the steps, which differs from run to run."""
    orders = [(0, 0, 1, 1), (0, 1, 0, 1), (0, 1, 1, 0)]
    orders += [(1, 1, 0, 0), (1, 0, 1, 0), (1, 0, 0, 1)]
    finals = [run_schedule(update, order).final for order in orders]
    assert finals == [11.0, 10.0, 1.0, 11.0, 1.0, 10.0]


@pytest.mark.parametrize(
    ("delay", "limit"), [(0, 2.0), (1, 1.0), (3, 0.445), (7, 0.209)]
)
def test_claim_000_07(delay, limit):
    """Old gradients: stable below a limit, and diverging above it."""
    assert stability_limit(delay) == pytest.approx(limit, abs=5e-4)
    under = descend_late(0.95 * stability_limit(delay), delay)
    over = descend_late(1.05 * stability_limit(delay), delay)
    assert under[-20:].max() < 0.5 * under[:20].max()
    assert over[-20:].max() > 3 * over[:20].max()


def test_claim_000_08():
    v = tf.Variable(0.0)
    for _ in range(5):
        add_one(v)
    assert v.numpy() == 5.0


def test_claim_000_14(capsys):
    """The document's example runs, with any number of the five updates left."""
    for _ in range(20):
        v = tf.Variable(0.0)
        document_update(v, [1.0] * 5, None)
        assert 1.0 <= v.numpy() <= 5.0
    CELLS.run("luck", in_threads=in_threads, Counter=set)
    ends = eval(capsys.readouterr().out.removeprefix("200 runs ended at: "))
    assert ends <= {1.0, 2.0, 3.0, 4.0, 5.0}


def test_claim_000_15():
    """Its own code gives 5 in one order of steps, and other results in others."""
    deltas, turns = [1.0] * 5, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]

    def update(var, *others):  # the document has a tf.Variable
        document_update(var.value, *others)

    assert run_schedule(update, turns, deltas).final == 5.0
    crossed = [*range(5), *range(5)]
    assert run_schedule(update, crossed, deltas).final == 1.0


def test_claim_000_26(devices):
    """Synchronous equals one device; workers that take turns do not, old ones worse."""
    rows = regression(24)
    truth = train_sequentially(rows, 12, 10)

    def gradient(w, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
        return LEARNING_RATE * tape.gradient(loss, w)

    def averaged(w, x, y):
        context = tf.distribute.get_replica_context()
        w.assign_sub(context.all_reduce("MEAN", gradient(w, x, y)))

    together = train_on_replicas(averaged, rows, 12, 10, devices)
    assert together.gaps(truth).max() < 1e-5
    in_turn = tf.Variable([0.0, 0.0])
    for batch in rows.batches(12, 10):
        for shard in batch.shards(4):
            in_turn.assign_sub(gradient(in_turn, shard.x, shard.y))
    assert np.abs(in_turn.numpy() - truth.copies[-1, 0]).max() > 1e-2
    rate = 1.05 * stability_limit(3)
    assert descend_late(rate, 3)[-1] > 1 > 1e-6 > descend_late(rate, 0)[-1]


def test_assign_add_loses_nothing():
    v = tf.Variable(0.0)

    def many():
        for _ in range(250):
            v.assign_add(1.0)

    in_threads(4, many)
    assert v.numpy() == 1000.0


def test_the_ways_end_as_the_table_says(devices):
    """Notebook 05, Observe: the prediction's answers are those of the live run."""
    names = CELLS.run(
        "parts", "ways", in_threads=in_threads, mirrored=mirrored, devices=devices
    )
    assert observe_ways(names["ways"]) == dict(find_prediction("05").rows)


def test_keras_leaves_the_subtraction_of_sgd_to_tensorflow():
    """Many at once, held back by nobody: SGD.apply loses nothing, assign_add does."""
    sgd, variable = tf.keras.optimizers.SGD(1.0), tf.keras.Variable(0.0)
    sgd.build([variable])

    def many():
        for _ in range(100):
            sgd.apply([tf.constant(-1.0)], [variable])

    in_threads(4, many)
    assert float(variable) == 400.0
    variable.assign(0.0)
    in_threads(4, lambda: [variable.assign_add(1.0) for _ in range(250)])
    assert float(variable) <= 1000.0


@pytest.mark.parametrize("threads", [2, 3])
def test_where_the_instrument_can_end(threads):
    """Notebook 05, You are the scheduler: all sums; with the lock, all but 1."""
    some = product(*((0, delta) for delta in DELTAS[:threads]))
    ends = {sum(each) for each in some} - {0}
    assert len(ends) == 2**threads - 1
    for update, missing in ((no_lock, set()), (lock_around_the_write, {1.0})):
        orders = set(permutations([t for t in range(threads) for _ in "rw"]))
        runs = [run(threads, update, order) for order in orders if order[0] == 0]
        assert {each.final for each in runs if all(each.done)} == ends - missing


def adding_often(times):
    """The loop of Further 1, in one thread for each delta."""

    def update(var, deltas, work):
        def one(delta):
            for _ in range(times):
                value = var.numpy()
                var.assign(value + delta)

        threads = [threading.Thread(target=one, args=(d,)) for d in deltas]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    return update


def test_two_threads_that_add_1_ten_times_can_end_at_2():
    """Notebook 05, Further 1: in the order that its solution tells, and never at 1."""
    order = (1, *(0,) * 18, 1, 0, *(1,) * 18, 0)
    assert run_schedule(adding_often(10), order, (1.0, 1.0)).final == 2.0
    assert set(outcomes((1, 1), 10)) == set(range(2, 21))


@pytest.mark.parametrize(("deltas", "times"), [((1, 10), 2), ((3, -2, 7), 1)])
def test_the_outcomes_are_those_of_real_threads(deltas, times):
    for end, order in outcomes(deltas, times).items():
        assert run_schedule(adding_often(times), order, deltas).final == end


def test_a_tf_function_starts_its_threads_at_the_first_call_only():
    """Why the check refuses an update that is a tf.function, and says so."""
    v, calls = tf.Variable(0.0), []

    @tf.function
    def update(var):
        in_threads(2, calls.append, var)

    update(v)
    update(v)
    assert len(calls) == 2
    with pytest.raises(StepFailed, match="Remove the decorator"):
        run_schedule(update, (0, 1))


def test_fit_updates_from_one_thread():
    """On one device; the thread is noted by the optimizer's own update."""
    seen = set()

    class Noting(tf.keras.optimizers.SGD):
        def update_step(self, *args, **named):
            seen.add(threading.get_ident())
            return super().update_step(*args, **named)

    model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
    model.compile(Noting(), loss="mse", run_eagerly=True)
    rows = regression(16)
    model.fit(rows.x, rows.y, batch_size=4, epochs=2, verbose=0)
    assert seen == {threading.get_ident()}


def test_the_probe_as_printed():
    """It counts one survivor without protection, and all with it."""
    v = tf.Variable(0.0)
    probe = CELLS.run("probe")["surviving_updates"]
    assert probe(lambda pause: add_one(v, pause), v.numpy) == 1.0
    assert "course" not in CELLS["probe"]
    lock = threading.Lock()

    def whole(pause):
        with lock:
            add_one(v, pause)

    def the_write_only(pause):
        value = v.numpy()
        pause()
        with lock:
            v.assign(value + 1.0)

    def one_piece(pause):
        pause()
        v.assign_add(1.0)

    assert probe(whole, v.numpy) == 4.0
    assert probe(the_write_only, v.numpy) == 1.0
    assert probe(one_piece, v.numpy) == 4.0
