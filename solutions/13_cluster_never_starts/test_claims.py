"""The evidence for what notebook 13 states, in its claims and in its prose."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys

import psutil
import pytest
import tensorflow as tf
from printed_cells import PrintedCells

from course.lessons.n13_cluster_never_starts import cluster_starts, playing
from course.lessons.n13_cluster_never_starts.cluster_map import cluster_map
from course.lessons.n13_cluster_never_starts.cluster_starts import (
    Job,
    start_cluster,
    start_clusters,
    written_job,
)
from course.lessons.n13_cluster_never_starts.foreseen import foreseen, missing_call
from course.lessons.n13_cluster_never_starts.missing_call import STARTS
from course.lessons.n13_cluster_never_starts.slurm_names import node_names, task_counts
from course.lessons.n13_cluster_never_starts.ways import WAYS, observe_ways
from course.lessons.n13_cluster_never_starts.written import texts_of
from course.runs.cluster import Cluster

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),
]  # before TensorFlow starts

CELLS = PrintedCells(__file__, tf=tf, json=json)
MORE = ("ab 0, xb 1", "ab 0, ax 1", "a 0, ab 1")  # pairs that the reasons explain


def text(hosts, index, kind="worker"):
    task = {"type": kind, "index": index}
    return json.dumps({"cluster": {"worker": hosts}, "task": task})


@contextlib.contextmanager
def silent_port():
    """Yield an address at which more calls wait than the system lets in.

    Others get no answer, as behind a firewall that drops them.
    """
    with contextlib.ExitStack() as held:
        there = held.enter_context(socket.socket())
        there.bind(("127.0.0.1", 0))
        there.listen(0)
        for _ in range(4):
            call = held.enter_context(socket.socket())
            call.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                call.connect(there.getsockname())
        yield f"127.0.0.1:{there.getsockname()[1]}"


def started(train, configs):
    """A start of two whose TF_CONFIGs are made from the hosts."""
    return start_clusters(train, [Job(lambda hosts, nobody: configs(hosts), "")])[0]


def outcomes(start):
    return [member.outcome for member in start.members]


@pytest.fixture(scope="module")
def names():
    return CELLS.run("tools", "train", "my_tf_config-broken", "my_tf_config-fix")


@pytest.fixture(scope="module")
def train(names):
    return names["train"]


@pytest.fixture(scope="module")
def ways(train):
    """The starts of the prediction and of the reasons, by their TF_CONFIGs in short."""
    starts = start_clusters(train, [written_job(short) for short in (*WAYS, *MORE)])
    return {start.label: start for start in starts}


@pytest.fixture(scope="module")
def broken(names):
    return start_cluster(names["train"], names["broken_tf_config"])


@pytest.fixture(scope="module")
def first(ways):
    return ways["ab 0, xb 1"]


@pytest.fixture(scope="module")
def other(ways):
    return ways["ax 0, ab 1"]


@pytest.fixture(scope="module")
def mine(names):
    return start_cluster(names["train"], names["my_tf_config"])


@pytest.fixture(scope="module")
def islands(names):
    kind = tf.distribute.MirroredStrategy
    return start_cluster(names["train"], names["my_tf_config"], kind)


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
    alone = start_cluster(train, "{}, {}")
    assert [member.value for member in alone.members] == [(1, 1.0), (1, 2.0)]
    loud = {
        "exceeds the maximum id": lambda h: [text(h, 2), text(h, 3)],
        "Unrecognized task_type": lambda h: [text(h, k, "workers") for k in (0, 1)],
        "in double quotes": lambda h: [str(json.loads(text(h, k))) for k in (0, 1)],
    }
    for words, configs in loud.items():
        for member in started(train, configs).members:
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
    start = start_cluster(train, "ab 0, ba 1")
    assert sorted(outcomes(start)) == ["raised", "waited"]
    (error,) = (member.error for member in start.members if member.error)
    assert "Could not start gRPC server" in error


def test_claim_003_08(train, first, other):
    """Who can't reach whom decides who gets an error, and whether anybody does."""
    assert outcomes(first) == ["waited", "waited"]
    assert outcomes(other) == ["raised", "waited"]
    assert other.members[0].error.startswith("UnavailableError")
    assert "Connection refused" in other.members[0].error
    with silent_port() as silent:
        start = started(train, lambda h: [text(h, 0), text([silent, h[1]], 1)])
    assert outcomes(start) == ["waited", "waited"]


def test_a_port_that_never_answers_is_told_late(train):
    """Worker 0's error comes after about 20 s, not at once."""
    cluster = Cluster({"worker": 2}, seconds=60, quiet=None)
    with silent_port() as silent, cluster:
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
    for configs in ("ab 0, ab 1", lambda own, others: None):
        start = start_cluster(train, configs, kind)
        assert [member.value for member in start.members] == [(1, 1.0), (1, 2.0)]
        assert [member.listens for member in start.members] == [(), ()]


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


def test_the_table_is_what_real_starts_show(train):
    assert observe_ways(train) == WAYS


def called(start):
    """Which of A and B has a connection to the other one's port."""
    ports = [int(start.at[letter].rsplit(":", 1)[1]) for letter in "ab"]
    pairs = zip(start.members, ports[::-1], strict=True)
    return [port in member.reached for member, port in pairs]


def test_what_can_be_tried_has_the_answers_that_stand_there(ways, train):
    """In the order of the questions; what two equal texts do, another test shows."""
    assert called(ways["ab 0, xb 1"]) == [False, False]
    assert called(ways["ax 0, ab 1"]) == [False, True]
    assert outcomes(ways["ab 0, ax 1"]) == ["raised", "waited"]
    for short in ("{}, {}", "a 0, b 0"):
        start = start_cluster(train, short)
        assert [member.value for member in start.members] == [(1, 1.0), (1, 2.0)]
    third = start_cluster(train, "abx 0, abx 1")
    assert outcomes(third) == ["waited", "waited"] and called(third) == [False, True]


def test_the_reasons(ways):
    assert outcomes(ways["a 0, ab 1"]) == ["returned", "raised"]
    assert outcomes(ways["ab 0, {}"]) == ["waited", "returned"]
    assert outcomes(ways["ba 1, ba 0"]) == ["returned", "returned"]


@pytest.mark.parametrize("short", ["ab 2, xb 1", "ax 0, {}", "ba 1, abx 2"])
def test_idle_knobs_change_nothing(train, short):
    """MirroredStrategy trains alone, even where the texts are wrong."""
    kind = tf.distribute.MirroredStrategy
    start = start_cluster(train, short, kind)
    assert [member.value for member in start.members] == [(1, 1.0), (1, 2.0)]
    set_here = {"texts": playing.KNOBS, "list0": "ab", "list1": "{}", "index1": 2}
    idle = playing.idle_knobs(**set_here, strategy=kind)
    assert sorted(idle) == ["index0", "index1", "list0", "list1"]
    several = tf.distribute.MultiWorkerMirroredStrategy
    assert [*playing.idle_knobs(**set_here, strategy=several)] == ["index1"]
    mine = {**set_here, "texts": train}
    assert playing.idle_knobs(**mine, strategy=several).keys() == idle.keys()


def test_the_first_line_of_progress_counts_from_1():
    said = [
        cluster_starts._progress(*each) for each in ((0, 4, 7), (4, 3, 7), (0, 1, 1))
    ]
    assert said == ["starts 1 to 4 of 7", "starts 5 to 7 of 7", "start 1 of 1"]


def test_both_wait_and_both_listen(broken):
    """Neither prints a word, and each listens where it should."""
    assert outcomes(broken) == ["waited", "waited"]
    hosts = [broken.at["a"], broken.at["b"]]
    assert broken.lists == [hosts, hosts[::-1]]
    ports = [(int(host.rsplit(":", 1)[1]),) for host in hosts]
    assert [member.listens for member in broken.members] == ports
    assert [member.reached for member in broken.members] == ports  # but only itself


def test_who_waits_when_a_start_is_ended_would_wait_for_ever(ways, train, monkeypatch):
    """Nothing comes of four times the patience."""
    monkeypatch.setattr(cluster_starts, "QUIET", 4 * cluster_starts.QUIET)
    shorts = [short for short, start in ways.items() if "waited" in outcomes(start)]
    later = start_clusters(train, [written_job(short) for short in shorts])
    assert len(shorts) == 5  # of seven
    for start in later:
        assert outcomes(start) == outcomes(ways[start.label]), start.label


SEEN = """
import json, re
from course.lessons.n13_cluster_never_starts import cluster_starts
from course.lessons.n13_cluster_never_starts.cluster_starts import (
    start_clusters, written_job)
from course.lessons.n13_cluster_never_starts.missing_call import STARTS
from course.lessons.n13_cluster_never_starts.starts import add_up

def missing(member):
    # TensorFlow says again and again who is missing: the last time counts
    said = re.split(r"Waiting for \\d/\\d tasks to connect", member.log)[-1]
    return sorted({int(task) for task in re.findall(r"/task:(\\d)$", said, re.M)})

if __name__ == "__main__":
    cluster_starts.AT_ONCE = 16
    jobs = [written_job(short) for ways in STARTS for short in ways]
    for start in start_clusters(add_up, jobs):
        counted = [member.facts.get("counted", 0) for member in start.members]
        told = [(m.outcome, missing(m), n) for m, n in zip(start.members, counted)]
        print(json.dumps([start.label, told]))
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What TensorFlow itself writes in real starts with the TF_CONFIGs of Locate."""
    file = tmp_path_factory.mktemp("seen") / "seen.py"
    file.write_text(SEEN)
    env = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "0"}
    run = subprocess.run(
        [sys.executable, str(file)],
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
    )
    lines = [line for line in run.stdout.splitlines() if line.startswith("[")]
    return dict(map(json.loads, lines))


def test_locates_rule_says_what_tensorflows_log_says(seen):
    assert len(seen) == sum(map(len, STARTS))
    for short, members in seen.items():
        told = [
            (worker, tasks[0])
            for worker, (outcome, tasks, _) in enumerate(members)
            if outcome == "waited" and tasks
        ]
        assert missing_call(texts_of(short)) == next(iter(told), None), short


def test_it_is_foreseen_who_has_a_strategy(seen):
    for short, members in seen.items():
        counted = [count for _, _, count in members]
        assert list(foreseen(texts_of(short)).counted) == counted, short


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


def test_locate_finds_what_the_figures_show():
    names = CELLS.run("tools", "read", "my_missing_call-broken", "my_missing_call-fix")
    pairs = ("ab 0, ba 0", "ab 0, xb 1", "ax 0, ab 1", "ab 0, ab 1")
    found = {
        name: [names[name](texts_of(pair)) for pair in pairs]
        for name in ("my_missing_call", "broken_missing_call")
    }
    assert found["my_missing_call"] == [(0, 1), (0, 1), None, None]
    assert found["broken_missing_call"] == [None, (1, 0), (0, 1), None]


def test_the_maps_say_who_looks_for_whom(broken, first, other, mine, islands):
    assert "both say \u201cI am worker 0\u201d. Both wait, without an error" in (
        cluster_map(broken).sentence
    )
    port = first.lists[1][0].split(":")[1]
    words = cluster_map(first, other).sentence
    assert f"B's list has worker 0 at x, port {port}, where nobody listens" in words
    assert "A: UnavailableError; B: waits, no error" in words
    assert "each finds the other. Both: done: total 3" in cluster_map(mine).sentence
    assert "neither list has the other" in cluster_map(islands).sentence


def test_the_same_index_on_one_machine(train):
    """The second of them can't have the port."""
    start = start_cluster(train, "ab 0, ab 0")
    assert sorted(outcomes(start)) == ["raised", "waited"]
    (error,) = (member.error for member in start.members if member.error)
    assert "Could not start gRPC server" in error


def test_fit_works_alone_and_fails_in_a_cluster(capsys):
    CELLS.run("fit", start_cluster=start_cluster)
    printed = capsys.readouterr().out.splitlines()
    lines = [line.strip() for line in printed if line.strip()]
    words = "raised ValueError: Attempt to convert"
    assert all(f"ab 0, ab 1: {'AB'[k]} {words}" in lines[k] for k in (0, 1))
    assert lines[2:] == [f"{{}}, {{}}: {name} returned" for name in "AB"]


def test_an_error_names_what_the_further_exercise_says(other, ways):
    """The wrong entry, where that is worker 0's; else where worker 1 should be."""
    assert other.members[0].error.count(other.at["x"]) == 1
    own = ways["ab 0, ax 1"]
    assert own.members[0].error.count(own.at["b"]) == 1
    assert outcomes(own) == ["raised", "waited"]


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
    CELLS.run("tools", "train", "probe", "probe-use")
    printed = capsys.readouterr().out.splitlines()
    assert "course" not in CELLS["probe"]
    jobs = [printed[k : k + 7] for k in (0, 7, 14)]
    for lines in jobs:
        assert lines[0].startswith(
            "this is {'type': 'worker', 'index': 0} of {'worker'"
        )
    refused = [sum("refused" in line for line in lines) for lines in jobs]
    answers = [sum("answers" in line for line in lines) for lines in jobs]
    assert refused == [1, 0, 0] and answers == [3, 4, 4]
    assert "'index': 0}" in jobs[1][3] and "'index': 1}" in jobs[2][3]
    lists = [[lines[k].split(" of ")[1] for k in (0, 3)] for lines in jobs]
    assert lists[1][0] != lists[1][1] and lists[2][0] == lists[2][1]
    assert [lines[6] for lines in jobs] == [
        "-> ab 0, xb 1: waited waited",
        "-> ab 0, ba 0: waited waited",
        "-> ab 0, ab 1: returned returned",
    ]


def test_the_probe_tells_of_a_port_that_is_silent(capsys):
    with silent_port() as silent:
        who_answers = CELLS.run("probe")["who_answers"]
        who_answers({"cluster": {"worker": [silent]}}, seconds=0.5)
    assert capsys.readouterr().out.rstrip().endswith(": no answer: timed out")


def test_the_probe_goes_on_after_an_address_without_a_port(capsys):
    who_answers = CELLS.run("probe")["who_answers"]
    who_answers({"cluster": {"worker": ["127.0.0.1", "127.0.0.1:1"]}})
    _, without, refused = capsys.readouterr().out.splitlines()
    assert "worker 0 at 127.0.0.1: no answer: not enough values" in without
    assert refused.endswith(": refused: nobody listens there")


ON_TWO = r"""
ip link set lo up
unshare -n sleep 600 & OTHER=$!
sleep 0.5
ip link add here type veth peer name there netns $OTHER
ip addr add 10.0.0.1/24 dev here && ip link set here up
nsenter -t $OTHER -n ip addr add 10.0.0.2/24 dev there
nsenter -t $OTHER -n ip link set there up
nsenter -t $OTHER -n ip link set lo up
TF_CONFIG="$FIRST" timeout -s KILL 24 "$PYTHON" -c "$WORK" 2>/dev/null &
sleep 5
TF_CONFIG="$SECOND" timeout -s KILL 18 nsenter -t $OTHER -n "$PYTHON" -c "$WORK" \
    2>/dev/null
kill $OTHER
wait
"""
IN_EACH = """
import tensorflow as tf
try:
    tf.distribute.MultiWorkerMirroredStrategy()
    print("STARTED")
except Exception as error:
    print(type(error).__name__, error.message)
"""


def on_two_machines(*texts):
    """What two workers print that are in two networks, each alone at its address."""
    env = {**os.environ, "FIRST": texts[0], "SECOND": texts[1], "WORK": IN_EACH}
    command = ["unshare", "-rn", "bash", "-c", ON_TWO]
    env |= {"PYTHON": sys.executable, "CUDA_VISIBLE_DEVICES": "-1"}
    return subprocess.run(command, env=env, capture_output=True, text=True).stdout


@pytest.mark.skipif(
    not all(map(shutil.which, ("unshare", "nsenter", "ip")))
    or subprocess.run(["unshare", "-rn", "true"], capture_output=True).returncode != 0,
    reason="needs networks of its own, which Linux does not let everybody make",
)
def test_on_two_machines():
    """With the same port number: the right one gets an error, or both wait."""
    hosts = ["10.0.0.1:2222", "10.0.0.2:2222"]
    said = on_two_machines(text(hosts, 0), text(hosts, 0))
    assert said.startswith("InternalError")
    assert "unexpectedly tried to connect with a different incarnation" in said
    assert "STARTED" not in said
    assert on_two_machines(text(hosts, 0), text(hosts[::-1], 1)) == ""
