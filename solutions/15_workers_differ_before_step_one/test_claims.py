"""The evidence for what notebook 15 states, in its claims and in its prose."""

import contextlib
import linecache
from types import ModuleType

import numpy as np
import pytest
import tensorflow as tf
from printed_cells import PrintedCells

from autograder.answers.child import execute
from course.checks.exercises import TOLERANCE
from course.checks.failures import StepFailed
from course.lessons.n15_workers_differ_before_step_one import (
    PREDICTION,
    observe_ways,
    playing,
    records,
    unseen,
)
from course.lessons.n15_workers_differ_before_step_one.giving import (
    drawn_by_keras,
    loaded_by_chief,
    made_in_scope,
    made_outside,
    other_order,
)
from course.lessons.n15_workers_differ_before_step_one.playing import GIVEN, STEPS
from course.lessons.n15_workers_differ_before_step_one.training import HALVED, MOMENTUM
from course.lessons.n15_workers_differ_before_step_one.worker_starts import (
    Start,
    StartJob,
    assigned,
    job_of,
    start_workers,
    train_from,
)
from course.runs.cluster import run_workers
from course.runs.worker_steps import worker_strategy
from course.runs.workloads import regression

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),
]  # before TensorFlow starts

ROWS = regression(22)
CELLS = PrintedCells(__file__, tf=tf, np=np, run_workers=run_workers)


NAMES = CELLS.run("give", "my_sync-broken", "my_sync-fix", "my_unseen-fix", "probe")
GIVE, SHIPPED, RIGHT = (NAMES[n] for n in ("give", "broken_sync", "my_sync"))


def told(capsys):
    """The lines that a cell printed."""
    return capsys.readouterr().out.splitlines()


@pytest.fixture(scope="module")
def shipped():
    return train_from(GIVE, SHIPPED, ROWS)


@pytest.fixture(scope="module")
def scoped():
    return train_from(made_in_scope, SHIPPED, ROWS)


@pytest.fixture(scope="module")
def random_numbers():
    """Many draws on two workers: name -> what each of them drew."""

    def example_2():
        dense = tf.keras.layers.Dense
        model = tf.keras.Sequential(
            [dense(16, "relu", kernel_initializer="random_normal"), dense(1)]
        )
        model(tf.random.normal((1, 10)))
        return model.layers[0].kernel[0][0]

    def example_3():
        tf.random.set_seed(42)
        layers = tf.keras.layers
        model = tf.keras.Sequential(
            [layers.Dense(16, "relu"), layers.Dropout(0.5), layers.Dense(1)]
        )
        return model(tf.random.normal((1, 10)), training=True)

    def draw():
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        worker = strategy.cluster_resolver.task_id
        ones, found = tf.ones([64]), {}

        def keep(name, value):
            found[name] = np.asarray(value).tolist()

        keep("unseeded", tf.random.normal([4]))
        for name, seed in (("equal", 42), ("own", 42 + worker), ("again", 42 + worker)):
            tf.random.set_seed(seed)
            keep(f"{name} seeds", tf.random.normal([4]))
            keep(f"{name} seeds, nn.dropout", tf.nn.dropout(ones, 0.5))
        with strategy.scope():
            layer = tf.keras.layers.Dropout(0.5, seed=42 + worker)
            keep("Dropout in scope", layer(ones, training=True))
            tf.keras.utils.set_random_seed(worker)
            dense = tf.keras.layers.Dense(1, kernel_initializer="random_normal")
            with pytest.raises(AttributeError):
                dense.kernel.numpy()
            dense.build((None, 3))
            keep("kernel in scope", dense.kernel)
            for k in (1, 2):
                keep(f"example 2, run {k}", example_2())
                keep(f"example 3, output {k}", example_3())
        layer = tf.keras.layers.Dropout(0.5, seed=42 + worker)
        keep("Dropout outside", layer(ones, training=True))
        dense = tf.keras.layers.Dense(1)
        dense.build((None, 3))
        keep("kernel outside", dense.kernel)
        # weights that one worker loads
        with strategy.scope():
            model = tf.keras.Sequential(
                [tf.keras.Input((2,)), tf.keras.layers.Dense(1)]
            )
            if worker == 1:
                model.set_weights([np.full((2, 1), 5.0), np.full(1, 5.0)])
        keep("set_weights on worker 1", model.layers[0].kernel)
        return found

    first, second = run_workers(draw).values()
    return {name: (first[name], second[name]) for name in first}


def equal(random_numbers, name):
    first, second = random_numbers[name]
    return first == second


def test_the_picture(shipped):
    """What the figure and the prose say of the run."""
    apart = shipped.apart()
    assert apart[0].min() > 0.5 and np.ptp(apart, axis=0).max() < TOLERANCE
    assert shipped.off()[-1] > 0.1
    mine = train_from(GIVE, RIGHT, ROWS)
    assert mine.apart().max() == 0 and mine.off().max() < TOLERANCE
    assert [name for name, _ in mine.snapshots[0][0]] == ["a", "b"]


def test_the_table():
    """The six ways, broken; mended, all are equal all the way."""
    assert observe_ways(SHIPPED, ROWS) == PREDICTION.rows
    assert set(observe_ways(RIGHT, ROWS).values()) == {(True, True)}


@pytest.fixture(scope="module")
def turns():
    """Every origin and kind of step that the instrument has."""
    return [
        Start(give, name, own, rule)
        for name, give in GIVEN.items()
        for own in (True, False)
        for rule in STEPS.values()
    ]


def test_what_the_instrument_shows(turns):
    runs = start_workers(turns, SHIPPED, job_of(ROWS))
    for start, run in zip(turns, runs, strict=True):
        sent = start.give in (made_in_scope, drawn_by_keras)
        other = start.give in (other_order, loaded_by_chief)
        equal = sent or not (start.own or other)
        assert (run.apart()[0].max() < TOLERANCE) == equal, start


def test_what_the_instrument_shows_of_a_right_function(turns):
    runs = start_workers(turns[::5], RIGHT, job_of(ROWS, 3))
    for run in runs:
        assert run.apart().max() < TOLERANCE and run.off().max() < TOLERANCE


@pytest.mark.parametrize("own", [True, False])
def test_a_worker_that_makes_b_first_has_the_chiefs_b_as_a(own):
    (run,) = start_workers([Start(other_order, "", own)], SHIPPED, job_of(ROWS))
    chief, other = run.recording.copies[0]
    assert other.tolist() == chief[::-1].tolist()


def test_when_the_distance_stays_shrinks_or_grows():
    def distances(give, own, rule):
        (run,) = start_workers([Start(give, "", own, rule)], SHIPPED, job_of(ROWS))
        return run.apart().max(axis=1)

    stays = distances(other_order, False, MOMENTUM)
    assert np.ptp(stays) < TOLERANCE and stays[0] == pytest.approx(0.9, abs=0.05)
    halved = distances(other_order, False, HALVED)
    assert halved[:10] == pytest.approx(halved[0] / 2.0 ** np.arange(10), abs=TOLERANCE)
    grows = distances(made_in_scope, True, MOMENTUM)
    assert grows[0] == 0 and grows[-1] == pytest.approx(1, abs=0.05)
    assert (np.diff(grows) > 0).all()
    more = distances(other_order, True, MOMENTUM)
    assert more[0] == stays[0] and more[-1] == pytest.approx(2, abs=0.05)
    shrinks = distances(made_outside, True, MOMENTUM)
    assert shrinks[-1] < 0.3 < shrinks[0]


def test_a_turn_says_what_was_turned(monkeypatch):
    given = []
    monkeypatch.setattr(playing, "instrument", lambda *each: given.extend(each))
    playing.who_begins_where(SHIPPED, ROWS)
    _, run, picture, told = given
    now = run(loaded_by_chief, False, MOMENTUM, 3, RIGHT)
    label = "restored from a file by worker 0 only, equal numbers, steps with momentum"
    assert told(now).startswith(f"{label}, then my_sync, workers 3: apart 0 before")
    assert picture(now, None).moments[-1] == "step 20"


def carry_out(cases):
    """Do in a worker what records say; return the variables after each call."""
    strategy = worker_strategy()
    worker = strategy.cluster_resolver.task_id

    def add(part):
        return tf.distribute.get_replica_context().all_reduce("SUM", part)

    told = []
    for logs in cases:
        own, seen = {}, []
        for what, variable, where, value in logs[worker]:
            scope = strategy.scope() if where == "scope" else contextlib.nullcontext()
            if what == "step":
                added = strategy.run(add, (tf.constant(value / len(logs)),))
                for each in own.values():
                    each.assign_add(added)
            elif what == "make":
                with scope:
                    own[variable] = tf.Variable(value)
            else:
                with scope:
                    own[variable].assign(value)
            seen.append({n: float(v.numpy()) for n, v in own.items()})
        told.append(seen)
    return told


@pytest.mark.parametrize("workers", [2, 3])
def test_what_is_asked_in_locate_is_what_tensorflow_does(workers):
    drawn = records.draw(np.random.default_rng(3))
    cases = [each.logs for each in drawn if len(each.logs) == workers]
    told = zip(*run_workers(carry_out, cases, workers=workers).values(), strict=True)
    for logs, came in zip(cases, told, strict=True):
        after = zip(zip(*came, strict=True), records.values_of(logs), strict=True)
        for real, simulated in after:
            for one, other in zip(real, simulated, strict=True):
                assert one == pytest.approx(other, abs=TOLERANCE)


def test_real_workers_end_apart_unseen():
    """What the last exercise simulates: the looks are equal, the ends are not."""
    case = unseen.draw(np.random.default_rng(1))[0]
    start = NAMES["my_unseen"](case.w, case.x, case.y)

    def train(starts, x, y):
        strategy = worker_strategy()
        worker = strategy.cluster_resolver.task_id
        w = tf.Variable(starts[worker])
        mine, of = np.array_split(x, 2)[worker], np.array_split(y, 2)[worker]
        loss = float(np.mean((x @ w.numpy() - y) ** 2))

        def total(gradient):
            return tf.distribute.get_replica_context().all_reduce("SUM", gradient)

        for _ in range(20):
            gradient = 2 * (mine @ w.numpy() - of) @ mine
            w.assign_sub(0.1 * strategy.run(total, (tf.constant(gradient),)) / len(y))
        return loss, w.numpy()

    starts = np.array([case.w, start])
    (one, first), (other, second) = run_workers(train, starts, case.x, case.y).values()
    assert abs(one - other) < 1e-6 and np.abs(first - second).max() > 0.1
    assert np.allclose([first, second], case.trained(starts), atol=1e-6)


def test_claim_000_09(scoped):
    """Each worker has drawn numbers of its own, and nobody sets a seed."""
    own = [o[0][0][1] for o in scoped.snapshots]
    assert own[0] == own[1]
    assert scoped.apart().max() == 0 and scoped.off().max() < 1e-5


def test_claim_000_27(random_numbers):
    for name in ("own seeds", "own seeds, nn.dropout"):
        assert not equal(random_numbers, name)
    assert random_numbers["own seeds"] == random_numbers["again seeds"]
    assert equal(random_numbers, "Dropout in scope")


def test_claim_004_10():
    """A step without an all-reduce: nobody says anything."""

    def train():
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        worker = strategy.cluster_resolver.task_id
        with strategy.scope():
            w = tf.Variable(1.0)

        def step(reduced):
            gradient = 2.0 * (w - worker)
            if reduced:
                context = tf.distribute.get_replica_context()
                gradient = context.all_reduce("MEAN", gradient)
            w.assign_sub(0.1 * gradient)

        strategy.run(step, (True,))
        together = float(w.numpy())
        strategy.run(step, (False,))
        return together, float(w.numpy())

    (one, apart), (other, also) = run_workers(train).values()
    assert one == other and abs(apart - also) > 0.1


def test_claim_004_11(scoped, shipped, random_numbers):
    assert scoped.apart().max() == 0
    assert equal(random_numbers, "kernel in scope")
    assert not equal(random_numbers, "kernel outside")
    assert not equal(random_numbers, "set_weights on worker 1")
    assert shipped.apart()[0, 1] > 0.5


def test_a_checkpoint_stays_on_the_worker_that_restores_it(tmp_path):
    def restore(folder):
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        worker = strategy.cluster_resolver.task_id
        own = tf.Variable(10.0 + worker)
        path = tf.train.Checkpoint(v=own).write(f"{folder}/own-{worker}")
        with strategy.scope():
            each, chiefs = tf.Variable(0.0), tf.Variable(0.0)
        tf.train.Checkpoint(v=each).restore(path)
        if worker == 0:
            tf.train.Checkpoint(v=chiefs).restore(path)
        return float(each.numpy()), float(chiefs.numpy())

    assert run_workers(restore, str(tmp_path)).values() == [(10, 10), (11, 0)]


def test_outside_the_scope_both_differ():
    run = train_from(made_outside, SHIPPED, ROWS)
    assert run.apart()[0].min() > 0.1
    assert np.ptp(run.apart(), axis=0).max() < TOLERANCE


def test_claim_004_12(shipped):
    assert np.ptp(shipped.apart(), axis=0).max() < TOLERANCE
    starts = [Start(made_in_scope, "", rule=MOMENTUM), Start(GIVE, "", rule=HALVED)]
    moved, halved = start_workers(starts, SHIPPED, job_of(ROWS))
    assert moved.apart()[0].max() == 0 and moved.apart()[-1].max() > 0.5
    assert halved.apart()[-1].max() < TOLERANCE


def test_claim_004_13(scoped):
    assert (scoped.apart() == 0).all() and len(scoped.apart()) == 21


def test_claim_004_14(shipped):
    assert shipped.off()[-1] > 0.1
    assert np.isfinite(shipped.recording.copies).all()


def test_claim_004_17(random_numbers):
    assert equal(random_numbers, "equal seeds")
    assert not equal(random_numbers, "own seeds")
    assert not equal(random_numbers, "unseeded")
    assert equal(random_numbers, "equal seeds, nn.dropout")
    assert not equal(random_numbers, "own seeds, nn.dropout")
    assert equal(random_numbers, "Dropout in scope")
    assert not equal(random_numbers, "Dropout outside")


def test_claim_004_18():
    """Row r is at place r // workers of worker r % workers."""

    def masks(workers, by_row):
        def mask(row):
            worker, place = row % workers, row // workers
            seed = [5, row] if by_row else [5 + worker, place]
            return tf.random.stateless_uniform([64], seed).numpy() < 0.75

        return np.array([mask(row) for row in range(12)])

    for by_row in (False, True):
        one, two = masks(1, by_row), masks(2, by_row)
        assert not np.array_equal(two[0], two[1])  # workers differ
        assert np.array_equal(one, two) == by_row


def test_claim_004_25(random_numbers):
    """Example 2, twice: other numbers each time, but the same on both workers."""
    outputs = [random_numbers[f"example 3, output {k}"] for k in (1, 2)]
    assert all(first == second for first, second in outputs)
    runs = [random_numbers[f"example 2, run {k}"] for k in (1, 2)]
    assert all(first == second for first, second in runs)
    assert runs[0] != runs[1]


def kernel(initializer="random_normal"):
    layer = tf.keras.layers.Dense(1, kernel_initializer=initializer)
    layer.build((None, 3))
    return layer.kernel.numpy().tolist()


def agree_twice(set_seed):
    """Whether a layer that is made anew after the same seed draws the same numbers."""
    drawn = []
    for _ in range(2):
        set_seed(42)
        drawn.append(kernel())
    return drawn[0] == drawn[1]


def test_claim_004_28():
    def after(before):
        tf.keras.utils.set_random_seed(7)
        before()
        return kernel(), tf.random.normal([3]).numpy().tolist()

    weights, numbers = after(lambda: None)
    also, others = after(lambda: tf.random.normal([5]))
    assert weights == also and numbers != others
    assert after(kernel)[0] != weights


def test_claim_004_29():
    assert not agree_twice(tf.random.set_seed)
    assert agree_twice(tf.keras.utils.set_random_seed)


def test_claim_004_30():
    layer = tf.keras.layers.Dense(1)
    with pytest.raises(AttributeError):
        layer.kernel.numpy()
    layer.build((None, 3))
    assert layer.kernel.shape == (3, 1)


def test_claim_004_31(random_numbers):
    """Example 3: the workers agree on both outputs, which are not each other's."""
    outputs = [random_numbers[f"example 3, output {k}"] for k in (1, 2)]
    assert all(first == second for first, second in outputs)
    assert outputs[0] != outputs[1]


def test_the_cells_as_printed(capsys):
    CELLS.run("probe-use", **NAMES)
    assert told(capsys) == ["{'version': [], 'broken_sync': [1], 'my_sync': []}"]
    CELLS.run("seeds")
    plain, of_keras = (line.split() for line in told(capsys))
    assert plain[0] == "set_seed" and plain[1] != plain[2]
    assert of_keras[0] == "set_random_seed" and of_keras[1] == of_keras[2]
    assert "course" not in CELLS["probe"]
    CELLS.run("unseen-use", **NAMES)
    (one, two) = told(capsys)
    assert one == two and one.endswith("[1])")


def test_the_reports(capsys):
    import hashlib
    import inspect
    import json
    import os

    file = GIVE.__code__.co_filename
    text = CELLS[file]
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    modules = {"hashlib": hashlib, "inspect": inspect, "json": json, "os": os}
    found = CELLS.run("reports", give=GIVE, **modules)
    assert len(told(capsys)) == 3
    preflight = CELLS.run("my_preflight-broken", "my_preflight-fix")
    pairs = preflight["my_preflight"](found["reports"])
    assert pairs == {(1, "policy"), (2, "files")}
    assert preflight["broken_preflight"](found["reports"]) != pairs


ALONE = """
def alone(strategy, variables):
    import tensorflow as tf
    if strategy.cluster_resolver.task_id == 0:
        with strategy.scope():
            tf.Variable(1.0)
"""


def test_who_waits_is_said():
    job = StartJob(ROWS, 8, 2, ((1.0, 2.0), (3.0, 4.0)))
    cell = ModuleType("__main__")
    execute(ALONE, "<a cell>", cell)
    with pytest.raises(StepFailed) as failed:
        start_workers([Start(give_floats(), "yours")], cell.alone, job)
    first, second = failed.value.sentences
    assert first.startswith("Worker 0 was stopped at alone, line ")
    assert "tf.Variable(1.0)" in first
    assert second.startswith("Worker 1 came to the function's end without that call.")


def give_floats():
    def give(strategy, own):
        with strategy.scope():
            return [tf.Variable(number) for number in own]

    return give


def test_errors_in_workers_are_said():
    job = StartJob(ROWS, 8, 2, ((1.0, 2.0), (3.0, 4.0)))

    def failing(strategy, variables):
        if strategy.cluster_resolver.task_id == 1:
            raise ValueError("no such file")

    with pytest.raises(StepFailed, match=r"On worker 1: .*no such file"):
        start_workers([Start(give_floats(), "yours")], failing, job)

    def numbers(strategy, own):
        return list(own)

    with pytest.raises(StepFailed, match="Return two variables"):
        start_workers([Start(numbers, "yours")], failing, job)


def test_any_variables_come_as_they_were_assigned():
    own = tuple(
        (np.float32(1 + w), np.float32(2), np.full((2, 2), w, np.float64), np.int64(w))
        for w in (0, 1)
    )
    nothing = StartJob(ROWS, 8, 1, own)
    (run,) = start_workers([Start(assigned, "yours")], SHIPPED, nothing)
    for worker in (0, 1):
        for (_, came), value in zip(run.snapshots[worker][0], own[worker], strict=True):
            assert came.dtype == value.dtype and np.array_equal(came, value)
