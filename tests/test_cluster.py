"""Real clusters: they start, say what went wrong where, and leave nothing behind."""

import contextlib
import functools
import json
import os
import signal
import socket
import threading
import time

import psutil
import pytest
import tensorflow as tf
from test_warm import gone, kernel

from course.checks.failures import StepFailed
from course.kernels import warm
from course.kernels.siblings import Sibling
from course.runs.cluster import Cluster, note, run_workers, serve
from course.runs.cluster.ports import Ports
from course.runs.cluster.turn import Turn

START_SECONDS, SLACK = 2.0, 3

pytestmark = [
    pytest.mark.skipif(bool(warm.unavailable()), reason=warm.unavailable() or "-"),
    pytest.mark.xdist_group("warm"),
]


def train(what="", victim=1):
    """Take four steps together; in the third, one worker does something else."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    me = strategy.cluster_resolver.task_id

    @tf.function
    def step():
        here = tf.distribute.get_replica_context()
        return here.all_reduce("sum", tf.constant(me + 1.0))

    for number in range(4):
        note(step=number)
        if me == victim and number == 2:
            misbehave(what)
        total = strategy.run(step)
    return me, strategy.num_replicas_in_sync, float(total)


def misbehave(what):
    if what == "wait":
        threading.Event().wait()
    if what == "loop":
        while True:
            pass
    if what == "fail":
        tf.reshape(tf.zeros(3), [2, 2])
    if what == "leave":
        os._exit(0)


def test_workers_meet_and_hand_back_what_they_return():
    run = run_workers(train, workers=3)
    assert run.values() == [(0, 3, 6.0), (1, 3, 6.0), (2, 3, 6.0)]
    assert [end.outcome for end in run.ends] == ["returned"] * 3
    steps = [beat.facts.get("step") for beat in run["worker 2"].beats]
    assert steps[-1] == 3 and {0, 1, 2, 3} <= set(steps)
    assert "num_workers = 3" in run["worker 1"].log


def test_an_error_names_the_worker_and_its_line():
    run = run_workers(train, "fail")
    end = run["worker 1"]
    assert (end.outcome, end.error) == ("raised", "InvalidArgumentError")
    assert end.line.endswith("tf.reshape(tf.zeros(3), [2, 2])")
    assert run["worker 0"].outcome == "waited"
    with pytest.raises(StepFailed, match=r"^On worker 1: It stopped with Inv") as error:
        run.values()
    assert len(str(error.value)) < 400


def test_who_waits_is_found_with_the_line_it_waits_at():
    run = run_workers(train, "wait")
    assert [end.outcome for end in run.ends] == ["waited", "waited"]
    line = run["worker 0"].line
    assert line.startswith("train, line ")
    assert line.endswith(": total = strategy.run(step)")
    with pytest.raises(StepFailed, match=r"^Worker 0 waited at train, line"):
        run.values()


def test_who_left_is_told_from_who_waits_for_it():
    """The other one waits, or TensorFlow sees the closed connection in time."""
    run = run_workers(train, "leave")
    assert run["worker 1"].outcome == "left"
    other = run["worker 0"]
    assert (other.outcome, other.error) in (
        ("waited", ""),
        ("raised", "UnavailableError"),
    )
    with pytest.raises(StepFailed, match=r"^Worker 1 left\.$"):
        run.values()


@pytest.mark.prove
def test_one_that_has_left_does_not_make_the_others_look_idle():
    """What it had used of the processor is not taken off what the others use."""

    def work_on():
        busy = time.process_time() + (1.0 if index() == 1 else 3.0)
        while time.process_time() < busy:
            pass
        if index() == 1:
            os._exit(0)
        while time.process_time() < busy + 1.0:
            pass
        return "done"

    def index():
        return json.loads(os.environ["TF_CONFIG"])["task"]["index"]

    run = run_workers(work_on, quiet=0.5)
    assert [end.outcome for end in run.ends] == ["returned", "left"]
    assert run["worker 0"].value == "done"


@pytest.mark.prove
def test_a_cluster_that_never_starts_shows_where():
    """TensorFlow waits there with Python's lock held: no thread could look."""
    with Cluster({"worker": 2}) as cluster:
        wrong = json.loads(cluster.configs["worker 1"])
        wrong["cluster"]["worker"][0] = "127.0.0.1:1"
        configs = {**cluster.configs, "worker 1": json.dumps(wrong)}
        cluster.start(train, configs=configs)
        run = cluster.join()
    for end in run.ends:
        assert end.outcome == "waited"
        assert end.line.endswith("tf.distribute.MultiWorkerMirroredStrategy()")


@pytest.mark.prove
def test_a_run_in_which_a_worker_waits_is_tried_again(tmp_path):
    def waits_once():
        try:
            (tmp_path / "waited").touch(exist_ok=False)
        except FileExistsError:
            return "done"
        threading.Event().wait()

    once = functools.partial(run_workers, waits_once, workers=1, quiet=0.5)
    assert once().ends[0].outcome == "waited"
    (tmp_path / "waited").unlink()
    assert once(tries=2).values() == ["done"]

    def works_on():
        (tmp_path / str(os.getpid())).touch()
        while True:
            pass

    before = len(list(tmp_path.iterdir()))
    run_workers(works_on, workers=1, seconds=2.0, tries=2)
    assert len(list(tmp_path.iterdir())) == before + 1


@pytest.mark.prove
def test_who_sleeps_but_tells_something_is_not_at_rest():
    def steps():
        for step in range(8):
            note(step=step)
            time.sleep(0.3)
        return "done"

    assert run_workers(steps, workers=1, quiet=1.0).values() == ["done"]


def test_what_never_ends_is_stopped_after_its_seconds():
    run = run_workers(train, "loop", seconds=4.0)
    assert [end.outcome for end in run.ends] == ["waited", "waited"]
    assert run["worker 1"].line.startswith("misbehave, line ")


def test_nobody_hears_of_the_others_ends_at_the_end(monkeypatch):
    """Also where this process is kept from killing them all at once."""

    def hold(port):
        name = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
        if name == 0:
            server = socket.create_server(("127.0.0.1", port))
            note(serves=True)
            line, _ = server.accept()
        else:
            line = socket.create_connection(("127.0.0.1", port))
        note(meets=True)
        if not line.recv(1):
            raise ConnectionError("the other one has gone")

    def slow_kill(self):
        kill(self)
        time.sleep(0.5)

    def meets(name):
        beats = cluster.beats(name)
        return bool(beats) and bool(beats[-1].facts.get("meets"))

    kill = Sibling.kill
    monkeypatch.setattr(Sibling, "kill", slow_kill)
    ports = Ports(1)
    with Cluster({"worker": 2}, quiet=None, seconds=60.0) as cluster:
        cluster.start(hold, ports.numbers[0], only=["worker 0"])
        assert cluster.wait_until(lambda: cluster.serves("worker 0"))
        cluster.start(hold, ports.numbers[0], only=["worker 1"])
        assert cluster.wait_until(lambda: all(map(meets, cluster.configs)))
        run = cluster.finish()
    ports.close()
    assert [end.outcome for end in run.ends] == ["waited", "waited"]


def test_a_killed_worker_and_a_halted_one():
    def count():
        for step in range(10_000):
            note(step=step)
            time.sleep(0.01)

    def step_of(name):
        beats = cluster.beats(name)
        return beats[-1].facts.get("step", 0) if beats else 0

    with Cluster({"worker": 2}, quiet=None, seconds=60.0) as cluster:
        cluster.start(count)
        assert cluster.wait_until(lambda: min(map(step_of, cluster.configs)) > 3)
        cluster.stop("worker 0")
        time.sleep(0.3)  # what was under way is over
        halted = step_of("worker 0")
        assert cluster.asked("worker 0") == ()
        cluster.kill("worker 1")
        assert step_of("worker 0") == halted
        cluster.resume("worker 0")
        assert cluster.wait_until(lambda: step_of("worker 0") > halted + 3)
        (now,) = cluster.asked("worker 0")
        assert now.place.startswith("in count, line ")
        before = len(cluster.beats("worker 1"))
        cluster.start(count, only=["worker 1"])
        assert "worker 1" in cluster.running()
        assert len(cluster.beats("worker 1")) > before


@pytest.mark.prove
def test_parameter_servers():
    def coordinate():
        found = tf.distribute.cluster_resolver.TFConfigClusterResolver()
        strategy = tf.distribute.ParameterServerStrategy(found)
        coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
        with strategy.scope():
            total = tf.Variable(0.0)

        @tf.function
        def add():
            total.assign_add(1.0)

        for _ in range(6):
            coordinator.schedule(add)
        coordinator.join()
        return float(total), total.device

    others = ["worker 0", "worker 1", "ps 0"]
    with Cluster({"chief": 1, "worker": 2, "ps": 1}) as cluster:
        cluster.start(serve, only=others)
        cluster.start(coordinate, only=["chief 0"])
        assert cluster.wait_until(lambda: "chief 0" not in cluster.running())
        run = cluster.finish()
    value, device = run["chief 0"].value
    assert value == 6.0 and "/job:ps/" in device


def test_no_two_clusters_share_a_port():
    with contextlib.ExitStack() as stack:
        held = [stack.enter_context(contextlib.closing(Ports(4))) for _ in range(5)]
        numbers = [number for each in held for number in each.numbers]
    assert len(set(numbers)) == 20


def test_starts_take_turns():
    first, begun = Turn(), []
    second = threading.Thread(target=lambda: begun.append(Turn()))
    second.start()
    time.sleep(0.2)
    assert not begun
    first.end()
    second.join(10)
    begun[0].end()


def test_what_cannot_be_sent_is_named():
    lock = threading.Lock()

    def uses():
        return lock

    with pytest.raises(StepFailed, match="uses lock, which can't be sent"):
        run_workers(uses)


def test_what_cannot_come_back_is_said():
    run = run_workers(threading.Lock, workers=1)
    with pytest.raises(StepFailed, match="can't be sent from one process to another"):
        run.values()


CELL = """
import time
import tensorflow as tf
from course.runs.cluster import run_workers
tf.constant(1.0)
def count(n):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    @tf.function
    def step():
        total = 0
        for i in tf.range(n):  # AutoGraph has to read this line in the worker
            if i > 1:
                total += i
        return tf.distribute.get_replica_context().all_reduce("sum", total)
    return int(strategy.run(step))
begin = time.monotonic()
values = run_workers(count, 4).values()
seconds = time.monotonic() - begin
"""


@pytest.mark.prove
def test_a_notebooks_function_runs_in_workers_within_two_seconds(record_property):
    with kernel() as (_, _, run):
        assert run(CELL + "print(values)") == "[10, 10]"
        seconds = float(run(CELL + "print(seconds)"))
    record_property("cluster_start_seconds", seconds)
    print(f"a cluster of two: {seconds:.2f} s (limit {START_SECONDS:.0f} s)")
    assert seconds < SLACK * START_SECONDS


@pytest.mark.prove
def test_two_notebooks_at_once():
    said = []
    with kernel() as (_, _, one), kernel() as (_, _, two):
        threads = [
            threading.Thread(target=lambda run=run: said.append(run(CELL + "values")))
            for run in (one, two)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert one("print(values)") == two("print(values)") == "[10, 10]"
    assert said == ["", ""]


ENDLESS = """
import threading, psutil
from course.runs.cluster import Cluster
def endless():
    while True:
        pass
cluster = Cluster({"worker": 2}, quiet=None, seconds=600)
cluster.start(endless)
while min(len(cluster.beats(name)) for name in cluster.configs) < 2:
    pass
cluster.stop("worker 1")
print(*map(cluster.pid, cluster.configs))
"""


@pytest.mark.prove
@pytest.mark.parametrize("level", ["3", "2"], ids=["warm", "ordinary"])
def test_a_killed_kernel_leaves_no_worker_behind(level):
    env = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": level}  # read at import: not forked
    with kernel(env=env) as (_, _, run):
        said = run("import os; print(os.getpid())")
        workers = [int(number) for number in run(ENDLESS).split()]
        assert len(workers) == 2 and all(map(psutil.pid_exists, workers))
        os.kill(int(said), signal.SIGKILL)
        assert gone(workers) == []
