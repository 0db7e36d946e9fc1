"""The evidence for what notebook 07 states, in its claims and in its prose."""

import contextlib

import numpy as np
import pytest
import tensorflow as tf
from printed_cells import PrintedCells

from course.checks.failures import StepFailed
from course.lessons.n07_only_one_device_works.placed_training import train_placed
from course.lessons.n07_only_one_device_works.playing import (
    idle_knobs,
    loop_in_the_scope,
    run,
    strategy_run,
)
from course.runs.devices import mirrored, short_name
from course.runs.placement import table_of, watching, what_ran
from course.runs.sequential import train_sequentially
from course.runs.workloads import LEARNING_RATE, regression

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),
]  # before TensorFlow starts

ROWS = regression(48)
CELLS = PrintedCells(
    __file__, tf=tf, mirrored=mirrored, LEARNING_RATE=LEARNING_RATE, what_ran=what_ran
)


gradient_of = CELLS.run("gradient")["gradient_of"]


def train(name, devices):
    """Run one of the notebook's two trainings; equal weights are part of each test."""
    names = CELLS.run("gradient", "my_train-broken", "my_train-fix")
    run = train_placed(names[name], ROWS, 16, devices, label=name)
    truth = train_sequentially(ROWS, 16, 3).copies[-1]
    assert np.abs(run.weights - truth).max() < 1e-5
    return run


def rows_by_device(run, devices):
    """device -> (rows forward, rows for the gradient) of one step."""
    return {
        d: tuple(sum(run.rows_on(d, way)) // run.steps for way in (True, False))
        for d in devices
    }


def train_pinned(devices, pin):
    """The broken training with another pin, and with shares of the batches."""
    names = CELLS.run("gradient")
    shares = "in strategy.experimental_distribute_dataset(batches)"
    code = CELLS["my_train-broken"].replace('"CPU:0"', repr(pin))
    exec(code.replace("in batches", shares), names)
    return train_placed(names["broken_train"], ROWS, 16, devices)


def _static(rows, batch):
    data = tf.data.Dataset.from_tensor_slices((rows.x, rows.y))
    return data.batch(batch, drop_remainder=True)


def gradients_by(strategy):
    """A step that gives the gradient of each replica's share."""
    return tf.function(lambda x, y: strategy.run(gradient_of, args=(tf.zeros(2), x, y)))


@pytest.fixture
def probe(devices):
    return CELLS.run("table", "probe", devices=devices)["places_of_work"]


def test_claim_001_03(devices):
    """What asks for nothing, or for a missing device, runs on the first."""
    assert tf.config.get_soft_device_placement()
    assert short_name(tf.matmul([[1.0]], [[1.0]]).device) == devices[0]
    with tf.device("CPU:9"):
        assert short_name(tf.matmul([[1.0]], [[1.0]]).device) == devices[0]

    @tf.function
    def graph(x):
        with tf.device("CPU:9"):
            y = tf.matmul(x, x)
        return tf.matmul(y, x)

    table = what_ran(graph, tf.ones((2, 2)))
    assert {line[1]: line[2] for line in table} == {"CPU:9": "CPU:0", "": "CPU:0"}


def test_claim_001_04(devices):
    """All rows on one device, or a quarter on each of four, with the same weights."""
    broken = train("broken_train", devices)
    rows = rows_by_device(broken, devices)
    assert list(rows.values()) == [(64, 64), (0, 0), (0, 0), (0, 0)]
    assert [work.rows for work in broken.step_works] == [16] * 8  # once a replica
    mine = rows_by_device(train("my_train", devices), devices)
    assert set(mine.values()) == {(4, 4)}


def test_claim_001_05(devices):
    assert train("my_train", devices).held == tuple(devices)
    strategy = tf.distribute.experimental.CentralStorageStrategy(devices)
    with strategy.scope():
        w = tf.Variable([1.0, 2.0])
    assert short_name(w.device) == "CPU:0"
    data = tf.data.Dataset.from_tensors(tf.ones((8, 2))).unbatch().batch(8)
    with watching() as watch:
        for x in strategy.experimental_distribute_dataset(data):
            strategy.run(lambda x: tf.linalg.matvec(x, w), args=(x,))
    assert {work.ran for work in watch.works} == set(devices)
    assert {work.rows for work in watch.works} == {2}


def test_claim_001_06(devices):
    """Outside the scope: one copy, updated by each replica; Keras refuses."""
    strategy, counter = mirrored(devices), tf.Variable(1.0)
    strategy.run(tf.function(lambda: counter.assign_add(1.0)))
    assert counter.numpy() == 5.0
    model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
    with strategy.scope():
        model.compile("sgd", loss="mse")
        with pytest.raises((ValueError, AssertionError, RuntimeError)):
            model.fit(ROWS.x, ROWS.y, batch_size=16, verbose=0)


def test_claim_001_07(capsys):
    """As the notebook prints it; and soft placement is on again afterwards."""
    CELLS.run("names")
    assert capsys.readouterr().out.splitlines() == [
        "CPU:3: ran on CPU:3",
        "cpu:2: ran on CPU:2",
        "CPU:9: ran on CPU:0",
        "gpu:O: ValueError",
        "CPU1: ValueError",
        "CPU:9: InvalidArgumentError",
    ]
    assert tf.config.get_soft_device_placement()


def test_claim_001_09(devices):
    with mirrored(devices).scope():
        w = tf.Variable([0.0, 0.0])
    w.values[1].assign([5.0, 5.0])
    assert [float(copy[0]) for copy in w.values] == [0.0, 5.0, 0.0, 0.0]


def document_example(strategy):
    """Example 1 as printed, with fewer rows."""
    with strategy.scope():
        model = tf.keras.Sequential(
            [tf.keras.Input((5,)), tf.keras.layers.Dense(10), tf.keras.layers.Dense(1)]
        )
        optimizer = tf.keras.optimizers.Adam()
    x, y = tf.random.normal((32, 5)), tf.random.normal((32, 1))
    with watching() as watch:
        with tf.GradientTape() as tape:
            loss = tf.keras.losses.MeanSquaredError()(y, model(x))
        gradients = tape.gradient(loss, model.trainable_variables)
    return model, optimizer, gradients, watch


@pytest.mark.parametrize("number", [1, 2])
def test_claim_001_21(devices, number):
    model, optimizer, gradients, _ = document_example(mirrored(devices[:number]))
    with pytest.raises(RuntimeError, match=r'Need to be inside "with strategy.scope'):
        optimizer.apply_gradients(
            zip(gradients, model.trainable_variables, strict=True)
        )


def test_claim_001_22(devices):
    strategy = tf.distribute.MirroredStrategy()
    found = [short_name(name) for name in strategy.extended.worker_devices]
    assert found == [short_name(d.name) for d in tf.config.list_logical_devices("CPU")]
    assert found == devices


def test_claim_001_23(devices):
    """Copies on all devices; up to the error, all multiplications on the first."""
    model, _, _, watch = document_example(mirrored(devices))
    kernel = model.trainable_variables[0].value
    assert [short_name(copy.device) for copy in kernel.values] == devices
    assert len(watch.works) > 2 and {work.ran for work in watch.works} == {"CPU:0"}


def test_claim_001_26(devices):
    """One copy on each device; a replica reads and writes its own."""
    strategy = mirrored(devices)
    with strategy.scope():
        v = tf.Variable(0.0)
    assert [short_name(copy.device) for copy in v.values] == devices

    def write():
        me = tf.distribute.get_replica_context().replica_id_in_sync_group
        v.assign(tf.cast(me, tf.float32))
        return v.read_value()

    read = strategy.run(tf.function(write))
    assert [float(copy) for copy in v.values] == [0, 1, 2, 3]
    each = strategy.experimental_local_results(read)
    assert [float(value) for value in each] == [0, 1, 2, 3]


@pytest.mark.parametrize("kind", ["default", "one device", "mirrored on one"])
def test_claim_002_12(devices, kind):
    strategies = {
        "default": tf.distribute.get_strategy,
        "one device": lambda: tf.distribute.OneDeviceStrategy(devices[0]),
        "mirrored on one": lambda: mirrored(devices[:1]),
    }
    strategy = strategies[kind]()
    assert strategy.num_replicas_in_sync == 1
    step = gradients_by(strategy)
    with watching() as watch:
        for x, y in strategy.experimental_distribute_dataset(_static(ROWS, 16)):
            step(x, y)
    assert {(work.ran, work.rows) for work in watch.works} == {("CPU:0", 16)}


@pytest.mark.parametrize("pin", ["CPU:0", "CPU:2", "GPU:7"])
def test_claim_002_15(devices, pin):
    """One pin moves the rows of all replicas; the weights do not change."""
    pinned, free = train_pinned(devices, pin), train("my_train", devices)
    full = pin if pin in devices else "CPU:0"
    assert {work.ran for work in pinned.works} == {full}
    assert [work.rows for work in pinned.step_works] == [4] * 8
    assert np.abs(pinned.weights - free.weights).max() < 1e-6


PLAYED = {"asked": 4, "loop": strategy_run, "pin": "", "scoped": True, "soft": True}


def played(**turned):
    """A run of the instrument, other knobs as they stand here."""
    return run(**PLAYED | turned)


def rows_forward(played):
    """How many rows each of the four devices multiplies forward in a step."""
    placed = played.run
    return [sum(placed.rows_on(d, True)) // placed.steps for d in played.there]


def is_right(played):
    return abs(played.run.weights - played.sequential.copies[-1, 0]).max() < 1e-5


def test_without_the_pin_each_device_multiplies_all_rows(devices):
    free = played()
    assert rows_forward(free) == [12] * 4 and is_right(free)


def test_a_loop_in_the_scope_computes_one_gradient_for_all_copies(devices):
    looped = played(loop=loop_in_the_scope)
    assert rows_forward(looped) == [12, 0, 0, 0] and is_right(looped)
    assert looped.run.held == tuple(devices)


def test_replicas_without_a_device_run_on_the_first(devices):
    """Their copies of w, too."""
    ghosts = played(asked=6)
    assert rows_forward(ghosts) == [36, 12, 12, 12] and is_right(ghosts)
    assert ghosts.run.held == (*devices, "CPU:0", "CPU:0")


@pytest.mark.parametrize("turned", [{"asked": 5}, {"pin": "CPU:9"}])
def test_only_without_soft_placement_a_missing_device_is_refused(devices, turned):
    assert is_right(played(**turned))
    with pytest.raises(ValueError, match="InvalidArgumentError: "):
        played(**turned, soft=False)
    assert tf.config.get_soft_device_placement()


def test_knobs_that_change_nothing(devices):
    assert [*idle_knobs(**PLAYED)] == ["soft"]
    assert rows_forward(played(soft=False)) == rows_forward(played())
    assert idle_knobs(**PLAYED | {"asked": 5}) == {}
    assert idle_knobs(**PLAYED | {"pin": "CPU:9"}) == {}
    mine = CELLS.run("gradient", "my_train-fix")["my_train"]
    knobs = PLAYED | {"loop": mine, "pin": "CPU:9"}
    assert [*idle_knobs(**knobs)] == ["pin", "scoped", "soft"]
    turned = run(**knobs | {"scoped": False, "soft": False})
    assert rows_forward(turned) == rows_forward(run(**knobs)) == [3] * 4


def test_a_variable_made_before_the_scope_is_updated_by_every_replica(devices):
    alone = played(scoped=False)
    assert len(alone.run.weights) == 1 and not is_right(alone)


def test_an_unrelated_pin_moves_all_work(devices):
    assert rows_forward(played(pin="CPU:0")) == [48, 0, 0, 0]


def test_claim_003_24(devices):
    """In or out of the scope, a loop without run: one device, the same weights."""

    def loop(devices, batches, inside):
        strategy = mirrored(devices)
        with strategy.scope():
            w = tf.Variable([0.0, 0.0])

        with strategy.scope() if inside else contextlib.nullcontext():
            for x, y in batches:
                w.assign_sub(LEARNING_RATE * gradient_of(w, x, y))
        return w

    runs = [
        train_placed(lambda d, b, way=way: loop(d, b, way), ROWS, 16, devices)
        for way in (True, False)
    ]
    assert {work.ran for run in runs for work in run.works} == {"CPU:0"}
    assert np.array_equal(runs[0].weights, runs[1].weights)
    assert runs[0].held == tuple(devices)


def test_the_usual_tape_refuses(capsys, devices):
    """And the counter of the scope is updated per copy, the other one by all."""
    CELLS.run("refused", devices=devices, strategy=mirrored(devices))
    first, second, third = capsys.readouterr().out.splitlines()
    assert first.startswith("DistributedVariable.handle is not available outside")
    assert second == f"in the scope: {[(name, 1.0) for name in devices]}"
    assert third == "outside: ('CPU:0', 4.0)"


def test_the_table_of_the_notebook(capsys, devices):
    """Line 0 is where it belongs; the first lines of the others are not."""
    names = CELLS.run("table", devices=devices)
    assert names["operations"] == [
        line
        for replica in range(4)
        for line in (
            (replica, "CPU:9", "CPU:0", 6),
            (replica, f"CPU:{replica}", f"CPU:{replica}", 6),
        )
    ]
    mine = CELLS.run("my_misplaced-fix")["my_misplaced"]
    assert mine(names["operations"], devices) == (2, 18)


class Pinned(tf.keras.layers.Layer):
    """A dense layer with a device left over in it."""

    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, x):
        with tf.device("CPU:0"):
            return self.dense(x)


@pytest.mark.parametrize("kind", ["healthy", "pinned layer", "ghosts"])
def test_fit_calls_run_but_keeps_pins_and_ghosts(devices, kind):
    names = ("CPU:0", "CPU:9") if kind == "ghosts" else devices
    reduction = tf.distribute.ReductionToOneDevice()
    with tf.distribute.MirroredStrategy(list(names), reduction).scope():
        layer = Pinned() if kind == "pinned layer" else tf.keras.layers.Dense(1)
        model = tf.keras.Sequential([tf.keras.Input((2,)), layer])
        model.compile("sgd", loss="mse")
    with watching() as watch:
        model.fit(_static(ROWS, 16), verbose=0)
    forward = {work.ran for work in watch.works if work.forward}
    assert forward == (set(devices) if kind == "healthy" else {"CPU:0"})


def test_the_probe_as_printed(probe, devices):
    """On foreign code: convolutions, nested functions, Keras's own train function."""
    assert "course" not in CELLS["probe"]

    @tf.function
    def inner(x):
        with tf.device("CPU:2"):
            return tf.nn.conv2d(x, tf.ones((2, 2, 1, 1)), 1, "SAME")

    outer = tf.function(
        lambda x: tf.cond(x[0, 0, 0, 0] > 0, lambda: inner(x), lambda: x)
    )
    concrete = outer.get_concrete_function(tf.ones((1, 4, 4, 1)))
    assert probe(concrete) == ({"CPU:2": 1}, devices)
    plain = tf.function(lambda x: x @ x).get_concrete_function(tf.ones((2, 2)))
    assert probe(plain) == ({"": 1}, devices)


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("pinned", [False, True])
def test_the_probe_shows_one_pinned_layer(probe, devices, pinned, nested):
    """Equal counts for a healthy Keras model, not with one layer on CPU:0."""
    strategy = mirrored(devices)
    with strategy.scope():
        layer = Pinned() if pinned else tf.keras.layers.Dense(1)
        model = tf.keras.Sequential([tf.keras.Input((2,)), layer])
        model.add(tf.keras.layers.Dense(1))

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        return loss if nested else tape.gradient(loss, model.trainable_variables)

    called = tf.function(replica_step) if nested else replica_step
    step = tf.function(lambda x, y: strategy.run(called, args=(x, y)))
    data = strategy.experimental_distribute_dataset(_static(ROWS, 16))
    asked, exist = probe(step.get_concrete_function(*next(iter(data))))
    assert list(asked) == exist == devices
    assert (len(set(asked.values())) > 1) == pinned


def test_the_probe_on_the_notebooks_job(capsys, devices):
    """The half-misplaced job: a name that does not exist has four of the eight."""
    CELLS.run("table", "probe", devices=devices)
    told = capsys.readouterr().out.splitlines()[-1]
    assert told == str(({**dict.fromkeys(devices, 1), "CPU:9": 4}, devices))


def test_no_device_in_a_function_is_that_of_its_call(probe):
    """The prose on "" in the probe: inherited, or else the first device."""
    w = tf.Variable([[1.0], [1.0]])

    @tf.function
    def outer(x):
        with tf.device("CPU:2"):
            y = tf.function(lambda x: tf.matmul(x, w), autograph=False)(x)
        return y, tf.matmul(x, w)

    with watching() as watch:
        outer(tf.ones((3, 2)))
    assert {work.ran for work in watch.works} == {"CPU:2", "CPU:0"}
    assert "" in probe(outer.get_concrete_function(tf.ones((3, 2))))[0]


def test_result_device_does_not_say_where_the_work_was_done(devices):
    """The prose beside the probe: all results report CPU:0, the work was shared."""
    strategy = mirrored(devices)
    data = strategy.experimental_distribute_dataset(_static(ROWS, 16))
    with watching() as watch:
        result = gradients_by(strategy)(*next(iter(data)))
    assert {line[2] for line in table_of(watch.works)} == set(devices)
    each = strategy.experimental_local_results(result)
    assert {short_name(value.device) for value in each} == {"CPU:0"}


def test_a_graph_is_seen_at_its_later_calls_too(devices):
    """TensorFlow shows the placement of a graph at its first call only."""
    traced = tf.function(gradient_of)

    def whole(devices, batches):
        for x, y in batches:
            traced(tf.zeros(2), x, y)
        return [0.0, 0.0]

    first, again = (train_placed(whole, ROWS, 16, devices) for _ in range(2))
    assert first.works == again.works and len(first.works) == 3 * 2
    assert len(first.step_works) == 2


def test_a_loop_that_tensorflow_runs_is_refused(devices):
    """Nothing tells how often what stands in it has run."""

    def mapped(devices, batches):
        w = tf.Variable([0.0, 0.0])

        @tf.function
        def step(x, y):
            parts = tf.stack(tf.split(x, 4)), tf.stack(tf.split(y, 4))
            of_part = tf.map_fn(
                lambda part: gradient_of(w, *part),
                parts,
                fn_output_signature=tf.float32,
            )
            w.assign_sub(LEARNING_RATE * tf.reduce_mean(of_part, axis=0))

        for x, y in batches:
            step(x, y)
        return w

    with pytest.raises(StepFailed, match="in a loop over a tensor"):
        train_placed(mapped, ROWS, 16, devices)


def test_weights_in_a_column_are_taken_too(devices):
    flat = train_placed(lambda devices, batches: tf.ones((2, 1)), ROWS, 16, devices)
    assert flat.weights.tolist() == [[1.0, 1.0]]
    with pytest.raises(StepFailed, match=r"returned a EagerTensor of shape \(3,\)"):
        train_placed(lambda devices, batches: tf.ones(3), ROWS, 16, devices)


def test_what_cannot_be_seen_is_explained(devices):
    """Rows that a graph does not know, and weights that are none."""

    def loop(devices, batches):
        w = tf.Variable([0.0, 0.0])

        @tf.function
        def inside(x, y):
            w.assign_sub(LEARNING_RATE * gradient_of(w, x, y))

        shape = (tf.TensorSpec((None, 2)), tf.TensorSpec((None,)))
        graph = inside.get_concrete_function(*shape)
        for x, y in batches:
            graph(x, y)
        return w

    with pytest.raises(StepFailed, match="keep loops in Python"):
        train_placed(loop, ROWS, 16, devices)
    with pytest.raises(StepFailed, match="returned None"):
        train_placed(lambda devices, batches: None, ROWS, 16, devices)
