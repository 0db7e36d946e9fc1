"""The evidence for what notebook 12 states, in its claims and in its prose."""

import contextlib
import json
import os
import signal
import socket

import psutil
import pytest
import tensorflow as tf
from printed_cells import PrintedCells

from course.lessons.n12_cluster_never_starts.cluster_map import cluster_map
from course.lessons.n12_cluster_never_starts.cluster_starts import start_cluster
from course.lessons.n12_cluster_never_starts.port_kinds import three_ports
from course.lessons.n12_cluster_never_starts.slurm_names import node_names, task_counts
from course.runs.cluster import Cluster

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),
]  # before TensorFlow starts

CELLS = PrintedCells(__file__, tf=tf, json=json)


def text(hosts, index, kind="worker"):
    task = {"type": kind, "index": index}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})


def empty(hosts):
    return ["{}"] * len(hosts)


def outcomes(start):
    return [member.outcome for member in start.members]


@pytest.fixture(scope="module")
def names():
    return CELLS.run("tools", "my_tf_configs-broken", "my_tf_configs-fix")


@pytest.fixture(scope="module")
def train(names):
    return names["train"]


@pytest.fixture(scope="module")
def broken(names):
    return start_cluster(names["train"], names["broken_tf_configs"])


@pytest.fixture(scope="module")
def first(train):
    return start_cluster(train, wrong=(1, 0))


@pytest.fixture(scope="module")
def other(train):
    return start_cluster(train, wrong=(0, 1))


@pytest.fixture(scope="module")
def mine(names):
    return start_cluster(names["train"], names["my_tf_configs"])


@pytest.fixture(scope="module")
def islands(names):
    kind = tf.distribute.MirroredStrategy
    return start_cluster(names["train"], names["my_tf_configs"], kind)


def test_claim_002_13(islands, mine):
    """Two workers with MirroredStrategy: two totals, and no error."""
    assert [member.value for member in islands.members] == [(1, 1.0), (1, 2.0)]
    assert [member.value for member in mine.members] == [(2, 3.0), (2, 3.0)]


def test_claim_002_14(islands, mine):
    """The same two processes: one replica each, or two together."""
    assert {member.value[0] for member in islands.members} == {1}
    assert {member.value[0] for member in mine.members} == {2}


def test_claim_003_02(train, broken, first):
    """Some differences are silent, others stop a worker at once."""
    assert outcomes(broken) == outcomes(first) == ["waited", "waited"]
    alone = start_cluster(train, empty)
    assert [member.value for member in alone.members] == [(1, 1.0), (1, 2.0)]
    loud = {
        "exceeds the maximum id": lambda h: [text(h, 2), text(h, 3)],
        "Unrecognized task_type": lambda h: [text(h, k, "workers") for k in (0, 1)],
        "in double quotes": lambda h: [str(json.loads(text(h, k))) for k in (0, 1)],
    }
    for words, configs in loud.items():
        for member in start_cluster(train, configs).members:
            assert member.outcome == "raised" and words in member.error


def test_claim_001_08(train, devices):
    """In a process the order only names replicas; in a cluster it names workers."""
    for order in (devices, devices[::-1]):
        strategy = tf.distribute.MirroredStrategy(order)
        with strategy.scope():
            v = tf.Variable(1.0)
        total = strategy.run(lambda: tf.constant(3.0))
        assert float(strategy.reduce("SUM", total, axis=None)) == 12.0
        assert v.values[0].device.endswith(order[0])
    start = start_cluster(train, lambda h: [text(h, 0), text(h[::-1], 1)])
    assert sorted(outcomes(start)) == ["raised", "waited"]
    (error,) = (member.error for member in start.members if member.error)
    assert "Could not start gRPC server" in error


def test_claim_003_08(train, first, other):
    """Who can't reach whom decides who gets an error, and whether anybody does."""
    assert outcomes(first) == ["waited", "waited"]
    assert outcomes(other) == ["raised", "waited"]
    assert other.members[0].error.startswith("UnavailableError")
    assert "Connection refused" in other.members[0].error
    assert "kind()" in broken_line(train, first.members[1])
    with three_ports() as (_, _, silent):
        start = start_cluster(train, lambda h: [text(h, 0), text([silent, h[1]], 1)])
    assert outcomes(start) == ["waited", "waited"]


def broken_line(train, member):
    """The line of `train` in which a worker stood: tests' cells are in no file."""
    return member.line if "train" in member.line else CELLS["tools"]


@pytest.mark.prove
def test_a_port_that_never_answers_is_told_late(train):
    """Worker 0's error comes after about 20 s, not at once."""
    cluster = Cluster({"worker": 2}, seconds=60, quiet=None)
    with three_ports() as (_, _, silent), cluster:
        hosts, names = cluster.hosts["worker"], ("worker 0", "worker 1")
        texts = [text([hosts[0], silent], 0), text(hosts, 1)]
        for number, name in enumerate(names):
            cluster.start(train, number, only=[name], configs={name: texts[number]})
        early = cluster.wait_until(lambda: passed(cluster) > 12)
        assert early and cluster.running() == set(names)
        cluster.wait_until(lambda: "worker 0" not in cluster.running())
        assert cluster.running() == {"worker 1"}


def passed(cluster):
    beats = cluster.beats("worker 1")
    return beats[-1].at if beats else 0.0


def test_claim_003_27(train):
    """With a TF_CONFIG and without: the devices of its own process."""
    kind = tf.distribute.MirroredStrategy
    for configs in (None, lambda hosts: [None, None]):
        start = start_cluster(train, configs, kind)
        assert [member.value for member in start.members] == [(1, 1.0), (1, 2.0)]
        assert start.listens == ["", ""]


def test_claim_003_39(monkeypatch, capsys):
    """The resolver sorts by name, and needs GPUs."""
    CELLS.run("slurm-names", "slurm")
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "['node8', 'node9', 'node10', 'gpu2'] [2, 2, 2, 1]"
    assert printed[1] == "{'worker': ['node10:8888', 'node8:8888', 'node9:8888']}"
    step = {"PROCID": "0", "STEP_NODELIST": "a[1-2]", "STEP_NUM_TASKS": "2"}
    for name, value in {**step, "STEP_TASKS_PER_NODE": "1(x2)"}.items():
        monkeypatch.setenv(f"SLURM_{name}", value)
    resolver = tf.distribute.cluster_resolver.SlurmClusterResolver(gpus_per_node=0)
    with pytest.raises(ValueError, match="range\\(\\) arg 3 must not be zero"):
        resolver.cluster_spec()


@pytest.mark.parametrize(
    "nodes", ["node[08-10,12],gpu3", "b[1,3-4],a", "x", "r1n[001-003],r2n[9-11]"]
)
def test_nodes_are_read_as_tensorflow_reads_them(nodes):
    from tensorflow.python.distribute.cluster_resolver import slurm_cluster_resolver

    assert node_names(nodes) == slurm_cluster_resolver.expand_hostlist(nodes)
    tasks = "2(x3),1,4(x2)"
    assert task_counts(tasks) == slurm_cluster_resolver.expand_tasks_per_node(tasks)


def test_both_wait_and_both_listen(broken):
    """Neither prints a word, and each listens where it should."""
    assert outcomes(broken) == ["waited", "waited"]
    assert broken.listens == list(broken.hosts)
    assert broken.lists == [list(broken.hosts), list(broken.hosts)[::-1]]
    assert all("kind()" in broken_line(None, member) for member in broken.members)


@pytest.mark.parametrize(("caller", "calls"), [(1, True), (0, False)])
def test_who_calls_whom_at_the_start(train, caller, calls):
    """Worker 1 calls worker 0, again and again; worker 0 calls nobody."""
    with Cluster({"worker": 2}, quiet=2.0) as cluster, socket.socket() as there:
        there.bind(("127.0.0.1", 0))
        there.listen(50)
        there.setblocking(False)
        hosts, name = cluster.hosts["worker"], f"worker {caller}"
        hosts[1 - caller] = f"127.0.0.1:{there.getsockname()[1]}"
        configs, met = {name: text(hosts, caller)}, []
        cluster.start(train, caller, only=[name], configs=configs)

        def refuse():
            with contextlib.suppress(BlockingIOError):
                call, _ = there.accept()
                call.close()
                met.append(call)

        cluster.wait_until(refuse)
        assert cluster.join()[name].outcome == "waited"
    assert len(met) > 1 if calls else not met


def test_locate_finds_what_the_figures_show(broken, first, other, mine):
    names = CELLS.run("my_wrong_entry-broken", "my_wrong_entry-fix")
    found = {
        name: [names[name](s.lists, s.listens) for s in (broken, first, other, mine)]
        for name in ("my_wrong_entry", "broken_wrong_entry")
    }
    assert found["my_wrong_entry"] == [(1, 0), (1, 0), (0, 1), None]
    assert found["broken_wrong_entry"] == [(1, 0), (1, 0), (1, 0), None]


def test_the_maps_say_who_looks_for_whom(broken, first, other, mine, islands):
    assert "both say \u201cI am worker 0\u201d. Both wait, without an error" in (
        cluster_map(broken).sentence
    )
    port = first.lists[1][0].split(":")[1]
    words = cluster_map(first, other).sentence
    assert f"worker 1 looks for worker 0 at port {port}, where nobody listens" in words
    assert "Worker 0: UnavailableError; worker 1: waits, no error" in words
    assert "each finds the other. Both: done: total 3" in cluster_map(mine).sentence
    assert "neither looks for the other" in cluster_map(islands).sentence


def test_the_same_index_on_one_machine(train):
    """The second of them can't have the port."""
    start = start_cluster(train, lambda hosts: [text(hosts, 0)] * 2)
    assert sorted(outcomes(start)) == ["raised", "waited"]
    (error,) = (member.error for member in start.members if member.error)
    assert "Could not start gRPC server" in error


def test_fit_works_alone_and_fails_in_a_cluster(capsys):
    CELLS.run("fit", start_cluster=start_cluster)
    printed = capsys.readouterr().out.splitlines()
    lines = [line for line in printed if line.startswith("worker")]
    assert lines[0].startswith("worker 0 raised ValueError: Attempt to convert")
    assert lines[1].startswith("worker 1 raised ValueError: Attempt to convert")
    assert [line.strip() for line in lines[2:]] == [
        "worker 0 returned",
        "worker 1 returned",
    ]


def test_an_interrupt_does_not_end_a_worker_that_waits(train):
    with Cluster({"worker": 2}, quiet=2.0) as cluster:
        cluster.start(train, 0, only=["worker 0"])  # worker 1 never comes
        cluster.wait_until(lambda: False)
        process = psutil.Process(cluster.pid("worker 0"))
        os.kill(process.pid, signal.SIGINT)
        with pytest.raises(psutil.TimeoutExpired):
            process.wait(1.0)
        cluster.kill("worker 0")
        cluster.join()


def test_the_probe_as_printed(capsys):
    CELLS.run("probe", "probe-use")
    head, answers, refused, silent = capsys.readouterr().out.splitlines()
    assert head.startswith("this is {'type': 'worker', 'index': 0} of {'worker': [")
    assert answers.endswith(": answers")
    assert refused.endswith(": refused: nobody listens there")
    assert silent.endswith(": no answer: timed out")
    assert "course" not in CELLS["probe"]


def test_the_probe_goes_on_after_an_address_without_a_port(capsys):
    who_answers = CELLS.run("probe")["who_answers"]
    who_answers({"cluster": {"worker": ["127.0.0.1", "127.0.0.1:1"]}})
    _, without, refused = capsys.readouterr().out.splitlines()
    assert "worker 0 at 127.0.0.1: no answer: not enough values" in without
    assert refused.endswith(": refused: nobody listens there")
