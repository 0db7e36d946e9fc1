"""The evidence for what notebook 09 states, in its claims and in its prose."""

import importlib.metadata
import inspect
import threading
from collections import Counter

import numpy as np
import pytest
import tensorflow as tf
from printed_cells import PrintedCells

from course.checks.declared import find_prediction
from course.checks.failures import StepFailed
from course.lessons.n09_four_devices_speed_of_one.job_events import run_job
from course.lessons.n09_four_devices_speed_of_one.jobs import draw as draw_jobs
from course.lessons.n09_four_devices_speed_of_one.jobs import later
from course.lessons.n09_four_devices_speed_of_one.loops import (
    QUESTIONS,
    observe_loops,
    work,
)
from course.lessons.n09_four_devices_speed_of_one.playing import idle_knobs
from course.lessons.n09_four_devices_speed_of_one.playing import run as play
from course.lessons.n09_four_devices_speed_of_one.step_training import (
    Schedule,
    train_by_schedule,
    train_watched,
)
from course.lessons.n09_four_devices_speed_of_one.switched_loop import (
    HOST,
    IN_THE_LOOP,
    MADE_ONCE,
    NO_GRAPH,
    STEPS,
)
from course.lessons.n09_four_devices_speed_of_one.uneven_job import profiled
from course.runs.devices import mirrored
from course.runs.host_watch import asynchronous, watching_host
from course.runs.rendezvous import Rendezvous
from course.runs.spans import stamped
from course.runs.workloads import regression

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),
]  # before TensorFlow starts

SCHEDULE = Schedule(regression(52), 13, (0.1, 0.05, 0.12, 0.03))
IN_VAIN = 0.5  # seconds; replicas in turn wait in vain in any case
CELLS = PrintedCells(__file__, tf=tf, mirrored=mirrored, Counter=Counter)


def watched(train, devices, seconds=IN_VAIN):
    """Run a training of the notebook; equal numbers are part of each test."""
    place = Rendezvous(len(devices), seconds)
    run = train_watched(train, SCHEDULE, devices, lambda *_: place.wait())
    losses, weights = train_by_schedule(SCHEDULE)
    assert np.abs(run.losses - losses).max() < 1e-5
    assert np.abs(run.weights - weights).max() < 1e-5
    assert set(run.steps) == {len(SCHEDULE.rates)}
    return run, place.met


def values_of(strategy):
    """A number of its own for each replica."""
    return strategy.experimental_distribute_values_from_function(
        lambda context: tf.constant([1.0 + context.replica_id_in_sync_group])
    )


def meets(devices, call, seconds=IN_VAIN):
    """How many replicas are at once in a step that `call(strategy, step, x)` runs."""
    strategy, place = mirrored(devices), Rendezvous(len(devices), seconds)
    call(strategy, lambda x: 2 * place.stamp(x), values_of(strategy))
    return place.met


def in_a_graph(strategy, step, x):
    tf.function(lambda x: strategy.run(step, args=(x,)))(x)


def eagerly(strategy, step, x):
    strategy.run(step, args=(x,))


def around_the_work(log, devices):
    """How many replicas meet in a graph whose values go through `log` on both sides."""
    strategy, place = mirrored(devices), Rendezvous(len(devices), IN_VAIN)
    in_a_graph(strategy, lambda x: log(place.stamp(log(x))), values_of(strategy))
    return place.met


@pytest.fixture(scope="module")
def broken(devices):
    """The shipped training, watched, and how many replicas met in it."""
    return watched(CELLS.run("my_train-broken")["broken_train"], devices)


@pytest.fixture(scope="module")
def traced(devices):
    """A profiler's trace of five steps."""
    return profiled([2, 0, 1], devices[:3], 5)


def test_claim_000_02(devices):
    """What a stateful log writes stands in the order of the program."""
    strategy, written = mirrored(devices), []

    def log(x):
        def write(value):
            written.append(float(value[0]))
            return value

        return tf.numpy_function(write, [x], x.dtype)

    in_a_graph(strategy, lambda x: log(10 * log(x)), values_of(strategy))
    assert written == [1, 10, 2, 20, 3, 30, 4, 40]


def test_claim_002_01(broken):
    run, met = broken
    assert met == 1 and run.eager == 4 and run.traced == 0


def test_claim_002_02(devices, broken):
    assert broken[1] == 1
    run, met = watched(CELLS.run("my_train-fix")["my_train"], devices, 10.0)
    assert met == 4 and (run.traced, run.graphs, run.reads) == (1, 1, 0)


def test_claim_002_06(devices):
    """No gain from devices, yet nothing in turn: all the work is on one device."""
    strategy, place, seen = mirrored(devices), Rendezvous(4), []

    def step(x):
        with tf.device("CPU:0"):
            return 2 * stamped(place.stamp(x), lambda device, _: seen.append(device))

    in_a_graph(strategy, step, values_of(strategy))
    assert place.met == 4 and seen == ["CPU:0"] * 4


def test_claim_002_10(devices):
    place = Rendezvous(4)
    strategy = mirrored(devices)
    step = tf.function(lambda x: strategy.run(place.stamp, args=(x,)))
    for _ in range(5):
        step(values_of(strategy))
    assert (place.met, place.came, place.in_vain) == (4, 20, False)


def test_claim_002_17(devices):
    """The notebook's job: line 3 traces in each step, line 5 reads in one."""
    names = CELLS.run("job", run_job=run_job, devices=devices)
    events = names["events"]
    by_line = Counter((line, what) for step, line, what in events)
    assert by_line[1, "read"] == 9
    assert by_line[2, "trace"] == 1  # a constant Python number: one trace
    assert by_line[3, "trace"] == 6  # another one in each step: six
    assert by_line[0, "trace"] == 1
    later = Counter(line for step, line, what in events if step > 0)
    assert later.most_common(1)[0][0] != 1  # the shipped answer's line
    blocker = CELLS.run("my_blocker-fix")["my_blocker"]
    assert blocker(events) == (3, 5)  # a line that costs in EVERY step
    assert 0 < later[5] < 5 and len(set(later.values())) == len(later)
    in_turn = run_job(["strategy.run(step, args=(batch,))"], devices[:2], 3)
    assert in_turn == [(i, 0, "in turn") for i in range(3)]


@pytest.mark.parametrize("seed", range(20))
def test_one_line_always_has_the_most(devices, seed):
    for job in draw_jobs(np.random.default_rng(seed)):
        counts = sorted(later(job.events).values())
        assert not counts or counts[-1] not in counts[:-1], job
        assert bool(counts) == (job.label != "a healthy job")


def test_claim_002_26(devices):
    strategy, data = mirrored(devices), tf.data.Dataset.range(8).batch(8)
    data = strategy.experimental_distribute_dataset(data.prefetch(tf.data.AUTOTUNE))
    with pytest.raises(AttributeError, match="experimental_run_v2"):
        for batch in data:
            strategy.experimental_run_v2(lambda x: x, args=(batch,))


def test_claim_002_29(devices):
    """Example 3 with the name repaired, its batches distributed, and no tf.function."""
    strategy, place = mirrored(devices), Rendezvous(4, IN_VAIN)
    data = tf.data.Dataset.from_tensor_slices(tf.range(8.0)).batch(8)

    def train_step(features):
        return tf.reduce_sum(place.stamp(features))

    for batch in strategy.experimental_distribute_dataset(data):
        strategy.run(train_step, args=(batch,))
    assert place.met == 1

    def moved(replicas, loss_fn):
        strategy, rows = mirrored(devices[:replicas]), regression(8)
        with strategy.scope():
            dense = tf.keras.layers.Dense(1, use_bias=False, kernel_initializer="zeros")
            dense.build((None, 2))
            optimizer = tf.keras.optimizers.SGD(0.1)
            optimizer.build(dense.trainable_variables)
            loss_fn = loss_fn()

        def train_step(features, labels):
            with tf.GradientTape() as tape:
                loss = loss_fn(labels[:, None], dense(features))
            gradients = tape.gradient(loss, dense.trainable_variables)
            optimizer.apply_gradients(
                zip(gradients, dense.trainable_variables, strict=True)
            )

        data = tf.data.Dataset.from_tensor_slices((rows.x, rows.y)).batch(8)
        for batch in strategy.experimental_distribute_dataset(data):
            strategy.run(train_step, args=batch)
        return dense.get_weights()[0]

    def plain():
        return lambda labels, found: tf.reduce_mean((labels - found) ** 2)

    keras_loss = tf.keras.losses.MeanSquaredError
    alone = moved(1, keras_loss)
    assert np.abs(moved(2, keras_loss) - alone).max() < 1e-6
    assert np.abs(moved(2, plain) - 2 * alone).max() < 1e-6


def test_claim_002_30(devices):
    assert meets(devices, eagerly) == 1
    assert meets(devices, in_a_graph, 10.0) == 4


def test_claim_002_33(devices, traced):
    """Threads, not devices; and stateful stamps chain where the values go through."""
    assert not any("CPU" in name for _, name in traced)
    times = Counter(name for _, name in traced if name.endswith(":MatMul"))
    assert times == {
        "layer/MatMul:MatMul": 5,
        "layer/MatMul_1:MatMul": 5,
        "replica_2/layer/MatMul:MatMul": 5,
    }

    def printing(x):
        with tf.control_dependencies([tf.print(x, output_stream="file:///dev/null")]):
            return tf.identity(x)

    def passing(stateful):
        def log(x):
            passed = tf.numpy_function(lambda v: v, [x], x.dtype, stateful=stateful)
            return tf.ensure_shape(passed, x.shape)

        return log

    assert around_the_work(printing, devices) == 1
    assert around_the_work(passing(True), devices) == 1
    assert around_the_work(passing(False), devices) == 4


def test_claim_003_37(traced):
    """Nothing that TensorFlow asks for; and its traces are read without it."""
    (package,) = importlib.metadata.packages_distributions()["tensorflow"]
    needed = importlib.metadata.requires(package)
    assert len(needed) > 10
    assert not [each for each in needed if each.startswith(("tensorboard", "xprof"))]
    assert traced


def test_the_prediction(devices):
    """Each loop, in the work of all replicas at once or not; the ticks say the same."""
    names = CELLS.run("steps", "loops", devices=devices, work=work)
    found = observe_loops(names["loops"], names["strategy"])
    table = find_prediction("09")
    assert found == table.rows and table.columns == QUESTIONS


def test_stateful_operations(devices):
    """What hint 2 of Further 1 lists, and what the probe leaves out."""

    def types(make):
        def body(x):
            make(x)
            return x

        graph = tf.function(body).get_concrete_function(tf.constant(1.0)).graph
        return [op.type for op in graph.get_operations() if op.op_def.is_stateful]

    quiet = "file:///dev/null"
    assert "PrintV2" in types(lambda x: tf.print(x, output_stream=quiet))
    assert "CheckNumerics" in types(lambda x: tf.debugging.check_numerics(x, "x"))
    assert "Timestamp" in types(lambda x: tf.timestamp())
    assert "EagerPyFunc" in types(lambda x: tf.py_function(abs, [x], x.dtype))
    assert "PyFunc" in types(lambda x: tf.numpy_function(abs, [x], x.dtype))
    held = types(lambda x: tf.numpy_function(abs, [x], x.dtype, stateful=False))
    assert not set(held) - {"Placeholder"}


def test_fit_traces_once_and_its_replicas_meet(devices):
    def fitted(eager):
        place, traces = Rendezvous(4, IN_VAIN if eager else 10.0), []

        class Meeting(tf.keras.layers.Layer):
            def call(self, x):
                if not eager:
                    traces.append(tf.distribute.in_cross_replica_context())
                return place.stamp(x)

        with mirrored(devices).scope():
            model = tf.keras.Sequential([Meeting(), tf.keras.layers.Dense(1)])
            model.compile("sgd", "mse", run_eagerly=eager)
        x = np.arange(60, dtype=np.float32).reshape(30, 2)  # the last batch has 6
        model.fit(x, x[:, :1], batch_size=8, epochs=2, verbose=0, shuffle=False)
        return place, len(traces)

    place, bodies = fitted(eager=False)
    assert place.met == 4 and not place.in_vain
    assert place.came == 4 * 8
    assert bodies <= 4 + 2  # once for each replica, and to find the shapes
    assert fitted(eager=True)[0].met == 1


def test_what_a_read_costs(devices):
    """The host goes ahead: no step can end before the loop has, unless it reads."""
    go, over = threading.Event(), []

    def wait(device, value):
        go.wait(20)
        over.append(1)

    slow = tf.function(lambda v: stamped(v, wait))
    go.set()
    one = tf.constant(1.0)
    slow(one)
    usual = tf.config.experimental.get_synchronous_execution()
    go.clear()
    over.clear()
    with asynchronous():
        for _ in range(4):
            value = slow(one)
        assert not over  # nobody said go, and the loop has ended
        go.set()
        value.numpy()
        assert len(over) == 4
        over.clear()
        for done in range(1, 5):
            float(slow(one))
            assert len(over) == done
    assert tf.config.experimental.get_synchronous_execution() == usual
    with pytest.raises(ZeroDivisionError), asynchronous():
        _ = 1 / 0
    assert tf.config.experimental.get_synchronous_execution() == usual


def test_the_probes_at_work(devices, capsys):
    """They meet; the graph is made anew in each step, and each step reads."""
    names = CELLS.run("probe", "probe-reads", "use-probe", strategy=mirrored(devices))
    first, second = capsys.readouterr().out.splitlines()
    assert first == "in turn: False - traces: 6"
    line = 1 + CELLS["use-probe"].splitlines().index(
        "    losses.append(float(train(x, i)))"
    )
    assert second == f"('use-probe:{line} ', 5)"
    strategy, x = names["strategy"], names["x"]
    barrier = threading.Barrier(4, timeout=IN_VAIN)
    strategy.run(lambda x: names["meet"](x, barrier), args=(x,))
    assert barrier.broken


def test_reads_are_seen(devices):
    t = tf.constant([1.0, 2.0])
    for way in (
        lambda: t.numpy(),
        lambda: float(t[0]),
        lambda: repr(t),
        lambda: bool(t[0] > 0),
        lambda: np.asarray(t),
        lambda: np.array(t),
        lambda: f"{t[0]}",
    ):
        with watching_host() as watch:
            way()
        assert watch.reads == 1, inspect.getsource(way)
    with watching_host() as watch:
        tf.stack([t, t])
        tf.function(lambda: t + 1)()  # TensorFlow reads the constant, while tracing
        strategy = mirrored(devices)
        strategy.reduce("SUM", values_of(strategy), axis=None)
    assert watch.reads == 0


def test_an_unfinished_training_is_told_in_sentences(devices):
    def train(strategy, step, batches):
        return missing  # noqa: F821

    with pytest.raises(StepFailed, match="NameError"):
        watched(train, devices)


@pytest.mark.parametrize(
    ("switch", "traces", "at_once"),
    [
        ("reads", 1, 4),
        ("new_rate", STEPS, 4),
        ("prints", 1, 4),
        ("tf_prints", 1, 4),
        ("checks", 1, 1),
        ("ahead", 1, 4),
    ],
)
def test_what_a_switch_does_to_a_graph_made_once(devices, switch, traces, at_once):
    made = play(MADE_ONCE, **{switch: True})
    assert (made.traces, made.at_once) == (traces, at_once)


@pytest.mark.parametrize("reads", [False, True])
def test_a_read_costs_time_where_calls_return_at_once(devices, reads):
    """Whether the host prepares the next batch while the replicas still work."""

    def prepares_meanwhile(ahead):
        spans = play(MADE_ONCE, reads=reads, ahead=ahead).timeline.spans
        begins = next(s.begin for s in spans if (s.kind, s.name) == ("prepares", "1"))
        work = [s for s in spans if s.lane != HOST and s.name == "0"]
        return begins < max(span.end for span in work)

    assert not prepares_meanwhile(ahead=False)
    assert prepares_meanwhile(ahead=True) != reads


@pytest.mark.parametrize(("graph", "prints"), [(NO_GRAPH, 12), (MADE_ONCE, 4)])
def test_how_often_python_prints_in_three_steps(devices, graph, prints):
    assert play(graph, prints=True).printed == prints


@pytest.mark.parametrize("graph", [NO_GRAPH, IN_THE_LOOP, MADE_ONCE])
def test_knobs_that_change_nothing(devices, graph):
    idle = idle_knobs(graph, reads=True, new_rate=True)
    plain = play(graph)
    assert ("new_rate" in idle) == (play(graph, new_rate=True).traces == plain.traces)
    assert ("checks" in idle) == (play(graph, checks=True).at_once == plain.at_once)
