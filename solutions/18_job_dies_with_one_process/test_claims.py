"""The evidence for what notebook 18 states, in its claims and in its prose."""

import inspect
import os
import resource
import time

import keras
import numpy as np
import psutil
import pytest
import tensorflow as tf
from printed_cells import PrintedCells

from course.lessons.n18_job_dies_with_one_process import playing
from course.lessons.n18_job_dies_with_one_process.lost_processes import (
    AT,
    EVERY,
    STEPS,
    with_mirrors,
    with_servers,
)
from course.lessons.n18_job_dies_with_one_process.queued_gradients import wait_for
from course.lessons.n18_job_dies_with_one_process.server_errors import errors_seen
from course.lessons.n18_job_dies_with_one_process.step_counter import step_counter
from course.runs.cluster import Cluster, note, run_workers, serve
from course.runs.cluster.live import LiveRun

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),
]  # before TensorFlow starts

CELLS = PrintedCells(__file__, tf=tf)


SHIPPED = CELLS.run("my_resumable-broken")["broken_resumable"]
RIGHT = CELLS.run("my_resumable-fix")["my_resumable"]


@pytest.fixture(scope="module")
def lost_server():
    return with_servers(SHIPPED, "ps 0", lives=2)


@pytest.fixture(scope="module")
def resumed():
    return with_servers(RIGHT, "ps 0", lives=2)


@pytest.fixture(scope="module")
def halted():
    return with_servers(SHIPPED, "ps 0", halt=True)


@pytest.fixture(scope="module")
def seen():
    return {each.kind: each for each in errors_seen()}


def beside_servers(function, *arguments, servers=1, workers=1, lose=None, then=None):
    """Run `function` on a chief; when it notes `ready`, lose a process."""
    tasks = {"chief": 1, "worker": workers, "ps": servers}
    names = [f"{task} {k}" for task in ("worker", "ps") for k in range(tasks[task])]
    with Cluster(tasks) as cluster:
        cluster.start(serve, only=names)
        cluster.wait_until(lambda: all(map(cluster.serves, names)))
        cluster.start(function, *arguments, only=["chief 0"])
        if lose:
            cluster.wait_until(lambda: "ready" in _facts(cluster))
            cluster.kill(lose)
            cluster.wait_until(lambda: lose not in cluster.running())
        if then:
            then()
        cluster.wait_until(lambda: "chief 0" not in cluster.running())
        return cluster.finish()["chief 0"]


def _facts(cluster):
    beats = cluster.beats("chief 0")
    return beats[-1].facts if beats else {}


def test_a_lost_worker_is_replaced():
    run = with_servers(SHIPPED, "worker 1")
    assert run.done and [step for _, step in run.log] == [*range(STEPS)]
    assert run.off() < 1e-6


def test_the_prediction_comes_true(lost_server):
    assert lost_server.lives[0].end.facts["failed"] == "UnavailableError"
    assert lost_server.lives[0].begun[-1][1] == AT
    mirrored = with_mirrors(SHIPPED, "worker 0")
    assert not mirrored.done and mirrored.log[-1][1] == AT
    assert mirrored.lives[0].end.facts["failed"] == "UnavailableError"


def test_the_other_mirrored_worker_hears_of_it_after_seconds():
    run = with_mirrors(SHIPPED, "worker 1")
    (life,) = run.lives
    assert not run.done and run.log[-1][1] == AT
    assert life.end.facts["failed"] in ("UnavailableError", "DeadlineExceededError")
    assert life.until - life.lost[0] > 5


def test_the_shipped_code_trains_on_trained_weights(lost_server):
    assert [step for _, step in lost_server.log] == [*range(AT + 1), *range(STEPS)]
    assert lost_server.done and lost_server.off() > 0.1


def test_the_figure_of_both(lost_server, resumed):
    shipped, mine = step_counter(lost_server, resumed).rows
    assert shipped[2] == str(AT + 1) and mine[2] == str(AT - 2 * EVERY + 1)
    assert mine[-1].endswith("the right weights")


def test_a_cell_reads_its_own_logs(lost_server):
    names = CELLS.run("my_fall_back-fix")
    assert names["my_fall_back"](lost_server.log) == (0, AT + 1)


def test_a_cell_halts_the_server(halted, capsys):
    def again(train, lose, *, halt):
        assert (train, lose, halt) == (SHIPPED, "ps 0", True)
        return halted

    CELLS.run("halted", with_servers=again, broken_resumable=SHIPPED)
    said = capsys.readouterr().out
    assert "there are still: chief 0, ps 0, worker 0, worker 1" in said
    assert f"step {AT} began" in said


def test_the_probe_as_printed(capsys):
    CELLS.run("probe", "probe-use")
    said = capsys.readouterr().out
    assert "worker 1" in said and "worker 0" not in said


def test_a_cell_lists_errors(capsys):
    CELLS.run("errors", errors_seen=errors_seen)
    said = capsys.readouterr().out
    assert said.count("RuntimeError? True") == 1 and "AbortedError" in said


def test_keras_brings_its_own_state_back(tmp_path):
    x = np.random.default_rng(0).normal(size=(16, 2)).astype("float32")
    y = (x @ [1.0, 2.0])[:, None]

    class Stop(keras.callbacks.Callback):
        def on_epoch_begin(self, epoch, logs=None):
            if epoch == 2:
                raise KeyboardInterrupt

    def fit(*callbacks):
        keras.utils.set_random_seed(1)
        model = keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(1)])
        model.compile(keras.optimizers.SGD(0.05, momentum=0.9), "mse")
        given = {"epochs": 4, "batch_size": 4, "shuffle": False, "verbose": 0}
        told = model.fit(x, y, callbacks=list(callbacks), **given)
        return told.epoch, model.get_weights()

    _, truth = fit()
    backup = str(tmp_path / "backup")
    with pytest.raises(KeyboardInterrupt):
        fit(keras.callbacks.BackupAndRestore(backup), Stop())
    epochs, weights = fit(keras.callbacks.BackupAndRestore(backup))
    assert epochs == [2, 3]
    for came, right in zip(weights, truth, strict=True):
        np.testing.assert_allclose(came, right, atol=1e-6)


def test_fit_stops_under_mirrored_workers():
    def fit():
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        with pytest.raises(ValueError, match="PerReplica"):
            _fit(strategy)
        return True

    assert run_workers(fit).values() == [True, True]


def _fit(strategy):
    with strategy.scope():
        model = keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(1)])
        model.compile("sgd", "mse")
    rows = tf.data.Dataset.from_tensor_slices((tf.ones((8, 2)), tf.ones((8, 1))))
    note(device=model.trainable_variables[0].value.device)
    model.fit(rows.batch(2), verbose=0)


def _servers():
    found = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    return tf.distribute.ParameterServerStrategy(found)


def test_claim_003_10():
    def fit():
        with pytest.raises(ValueError, match="create_per_worker_dataset"):
            _fit(_servers())
        return True

    end = beside_servers(fit)
    assert end.value is True and "/job:ps" in end.facts["device"]


@pytest.fixture(scope="module")
def lost_one_of_two():
    """How a chief ends that trains on two parameter servers and loses one."""

    def train():
        strategy = _servers()
        coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
        with strategy.scope():
            both = [tf.Variable(1.0), tf.Variable(2.0)]
        step = tf.function(lambda: both[0].assign_add(both[1]))
        coordinator.schedule(step)
        coordinator.join()
        note(ready=[each.device for each in both])
        with pytest.raises(tf.errors.UnavailableError):
            while True:
                coordinator.schedule(step)
                coordinator.join()
        reads = []
        for each in both:
            try:
                reads.append(float(each.numpy()))
            except tf.errors.UnavailableError:
                reads.append(None)
        return reads

    return beside_servers(train, servers=2, lose="ps 1")


def test_claim_003_11(lost_one_of_two):
    """The variables are on different servers; the next step is the last."""
    assert lost_one_of_two.outcome == "returned"
    places = lost_one_of_two.facts["ready"]
    assert ["task:0" in each for each in places] == [True, False]


def test_a_lost_workers_step_may_be_made_twice(tmp_path):
    """Two workers have written, and wait for a file; one of them is killed."""

    def train(file):
        strategy = _servers()
        coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
        with strategy.scope():
            w = tf.Variable(0.0)

        @tf.function
        def step():
            with tf.control_dependencies([w.assign_add(1.0)]):
                return wait_for(tf.constant(file))

        for _ in range(2):
            coordinator.schedule(step)
        while w.numpy() < 2:
            time.sleep(0.01)
        note(ready=True)
        coordinator.join()
        return float(w.numpy())

    go = tmp_path / "go"
    end = beside_servers(train, str(go), workers=2, lose="worker 1", then=go.touch)
    assert end.value == 3.0


def test_claim_003_12(lost_one_of_two):
    """The lost server's variable is in no other place; nothing asks for copies."""
    assert lost_one_of_two.value[1] is None
    made = inspect.signature(tf.distribute.ParameterServerStrategy.__init__)
    assert [*made.parameters] == ["self", "cluster_resolver", "variable_partitioner"]


def test_claim_003_13(resumed):
    steps = [step for _, step in resumed.log]
    assert steps == [*range(AT + 1), *range(2 * EVERY, STEPS)]
    assert resumed.off() < 1e-6


def test_claim_003_14(halted):
    (life,) = halted.lives
    assert life.end.outcome == "waited" and "failed" not in life.end.facts
    assert life.alive == ("chief 0", "ps 0", "worker 0", "worker 1")
    assert life.until - life.begun[-1][0] > 2


def test_claim_003_28():
    """As printed, and with a statement where the comment is."""
    sketch = (
        "try:\n    {}\nexcept tf.errors.UnavailableError as error:\n"
        "    caught.append(error)\nexcept RuntimeError as error:\n    raise\n"
    )
    with pytest.raises(IndentationError):
        compile(sketch.format("# the training"), "as printed", "exec")
    caught = []
    failing = "raise tf.errors.UnavailableError(None, None, 'gone')"
    exec(sketch.format(failing), {"tf": tf, "caught": caught})
    assert len(caught) == 1


def test_claim_003_29(seen):
    assert seen["UnavailableError"].how == "a server was killed"
    assert seen["DeadlineExceededError"].how == "an answer came too late"


def test_claim_003_30(seen):
    assert [each.kind for each in seen.values() if each.runtime] == ["RuntimeError"]
    others = {"AbortedError", "DeadlineExceededError", "InternalError"}
    assert {*others, "InvalidArgumentError"} <= set(seen)
    kinds = [each for each in vars(tf.errors).values() if isinstance(each, type)]
    assert not any(issubclass(each, RuntimeError) for each in kinds)


def test_claim_003_31(seen):
    assert seen["AbortedError"].how == "a server came back, empty"

    def again_and_again(folder, batches, w, momentum, step, every):
        failed = []
        for x, y in batches:
            try:
                step(x, y)
            except tf.errors.OpError as error:
                failed.append(type(error).__name__)
        note(again=failed)

    end = with_mirrors(again_and_again, "worker 0").lives[0].end
    assert end.facts["again"] == ["UnavailableError"] * (STEPS - AT)


def test_claim_003_32(lost_server, resumed):
    assert resumed.off() < 1e-6 < 0.1 < lost_server.off()


def test_claim_003_36():
    more, room = 8 * 2**20, 320 * 2**20

    def climbs():
        process = psutil.Process(os.getpid())
        before = process.memory_info()
        resource.setrlimit(resource.RLIMIT_AS, (before.vms + room, before.vms + room))
        kept = []
        while True:
            note(share=(process.memory_info().vms - before.vms) / room)
            kept.append(np.ones(more, np.uint8))

    end = run_workers(climbs, workers=1).ends[0]
    assert "MemoryError" in end.error
    shares = [beat.facts["share"] for beat in end.beats if "share" in beat.facts]
    assert sum(share > 0.75 for share in dict.fromkeys(shares)) >= 2


def played(lives, what=(), names=(), *, anew=False, function=None, seconds=40.0):
    """Run the panel's job; do `what`, or several things, after twelve steps.

    Returns what was lost, the number of steps begun again, and the end.
    """
    whats, names = ([each] if isinstance(each, str) else each for each in (what, names))
    live = LiveRun(lives.job(function or RIGHT, 5, anew), seconds)

    def look(run):
        beats = run["chief 0"].beats
        if not live.acts and beats and beats[-1].facts.get("begun", 0) > 12:
            for what, name in zip(whats, names, strict=True):
                getattr(live, what)(name)
        lives.picture(run, live.acts)

    (row,) = lives.picture(live.run(look), live.acts).rows
    return row[1:]


def test_in_the_panel_a_job_goes_on_in_its_folder():
    lives = playing.Lives()
    assert "ends in step" in played(lives, "kill", "ps 0")[-1]
    lost, again, end = played(lives)
    assert lost == "ps 0 lost" and int(again) > 0
    assert end == "all 40 steps, the right weights"
    assert played(lives, anew=True)[0] == "nothing"


def test_in_the_panel_one_worker_does_without_the_other_and_none_is_missed():
    *_, end = played(playing.Lives(), "kill", "worker 0", function=SHIPPED)
    assert end == "all 40 steps, the right weights"
    both = ("kill", "kill"), ("worker 0", "worker 1")
    *_, end = played(playing.Lives(), *both, function=SHIPPED, seconds=25.0)
    assert "waits in step" in end and "forever" in end


def test_in_the_panel_the_shipped_job_starts_its_steps_again():
    lives = playing.Lives()
    assert "UnavailableError" in played(lives, "kill", "ps 0", function=SHIPPED)[-1]
    _, again, end = played(lives, function=SHIPPED)
    assert again == str(len(lives._before[0].begun))
    assert "weights differ" in end


def test_in_the_panel_a_halted_server_is_noticed_by_nobody():
    *_, end = played(playing.Lives(), "halt", "ps 0", seconds=25.0)
    assert "waits in step" in end and "forever" in end


def service():
    """Whether this process has a service to which it tells that it is alive."""
    from tensorflow.python.eager import context

    found = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    if found.task_type == "chief":
        strategy = tf.distribute.ParameterServerStrategy(found)
        tf.distribute.coordinator.ClusterCoordinator(strategy)
    elif "chief" in found.cluster_spec().jobs:
        serve()
    else:
        tf.distribute.MultiWorkerMirroredStrategy()
    told = context.context().coordination_service
    return bool(told) and told.enable_health_check


def test_mirrored_workers_have_a_service_and_parameter_servers_none():
    assert run_workers(service).values() == [True, True]
    with Cluster({"chief": 1, "worker": 1, "ps": 1}) as cluster:
        cluster.start(service)
        cluster.wait_until(lambda: "chief 0" not in cluster.running())
        assert cluster.finish()["chief 0"].value is False
