"""The evidence for what notebook 16 states, in its claims and in its prose."""

import os
from itertools import combinations

import numpy as np
import pytest
import tensorflow as tf
from printed_cells import PrintedCells

from course.checks.declared import find_exercise
from course.checks.failures import StepFailed
from course.lessons.n16_more_workers_slower_steps.delayed_training import (
    TENSORS,
    train_delayed,
)
from course.lessons.n16_more_workers_slower_steps.embedding_bytes import (
    FORMS,
    ROWS,
    WIDTH,
    send_embedding,
)
from course.lessons.n16_more_workers_slower_steps.linked_workers import (
    run_linked,
)
from course.lessons.n16_more_workers_slower_steps.played_steps import (
    WAIT,
    Circumstances,
    play_steps,
)
from course.lessons.n16_more_workers_slower_steps.playing import NO_LIMIT, idle_knobs
from course.lessons.n16_more_workers_slower_steps.playing import run as played_with
from course.lessons.n16_more_workers_slower_steps.reduced_sets import reduce_sets
from course.lessons.n16_more_workers_slower_steps.step_lanes import summary
from course.lessons.n16_more_workers_slower_steps.timed_steps import (
    SLOW,
    SLOW_LINK,
    SLOW_WORK,
    STEPS,
    WORK,
    time_workers,
)
from course.lessons.n16_more_workers_slower_steps.wrong_cheapest import costs
from course.runs.cluster import Cluster, note, run_workers
from course.runs.cluster.link import Links

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),
]  # before TensorFlow starts

CELLS = PrintedCells(__file__, tf=tf, run_workers=run_workers)


SHIPPED = CELLS.run("my_all_reduce-broken")["broken_all_reduce"]
RIGHT = CELLS.run("my_all_reduce-fix")["my_all_reduce"]


@pytest.fixture(scope="module")
def shipped():
    return train_delayed(SHIPPED, (0.0, 0.01), 2)


@pytest.fixture(scope="module")
def timed():
    return time_workers()


def send_large(timeout):
    """All-reduce 1 MB again and again."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    options = tf.distribute.experimental.CommunicationOptions(timeout_seconds=timeout)

    @tf.function
    def step():
        context = tf.distribute.get_replica_context()
        return context.all_reduce("SUM", tf.ones(250_000), options)

    for number in range(1000):
        note(step=number)
        strategy.run(step)


def over_a_thin_link(timeout, bandwidth):
    """The ends of two workers that exchange 1 MB at so many bytes a second."""
    with (
        Cluster({"worker": 2}, seconds=60.0, quiet=None) as cluster,
        Links(cluster, bandwidth=bandwidth) as links,
    ):
        cluster.start(send_large, timeout, configs=links.configs)
        cluster.wait_until(lambda: not cluster.running())
        return cluster.finish().ends


def test_claim_003_05(shipped):
    """From below only: a busy machine adds to it."""
    right = train_delayed(RIGHT, (0.0, 0.01), 2)
    assert shipped.messages == (2 * TENSORS,) * 2 and right.messages == (2, 2)
    slow = shipped.seconds[1].min()
    assert slow >= TENSORS * 2 * 0.01
    assert right.seconds[1].min() >= 2 * 0.01


def test_claim_003_06():
    ends = over_a_thin_link(None, 30_000.0)
    print(*ends, sep="\n")
    assert [end.outcome for end in ends] == ["raised", "raised"]
    assert "eartbeat" in " ".join(ends[0].sentences + ends[1].sentences)


def test_claim_001_18():
    """Now and then a worker crashes in one of TensorFlow's threads instead."""
    errors = set()
    for _ in range(6):
        ends = over_a_thin_link(2.0, 100_000.0)
        assert {end.outcome for end in ends} <= {"raised", "killed"}
        errors |= {end.error for end in ends}
        if "DeadlineExceededError" in errors:
            return
    raise AssertionError(f"only {errors or 'crashes'} in six runs")


def test_claim_003_07(shipped):
    quick = train_delayed(SHIPPED, (0.0, 0.0), 2)
    assert np.array_equal(quick.weights, shipped.weights)
    assert np.array_equal(quick.weights[0], quick.weights[1])
    assert shipped.off() < 1e-5


def test_claim_003_09(timed):
    """From below only. All three wait for the one link."""
    for worker in range(3):
        assert timed[2].wait(worker) >= SLOW_LINK


def test_a_slow_worker_hardly_waits(timed):
    run = timed[1]
    assert run.own(SLOW) >= SLOW_WORK
    for worker in {0, 1, 2} - {SLOW}:
        assert run.wait(worker) >= (SLOW_WORK - WORK) / 2


def mixed(worker):
    return [
        np.full((2, 3), 1.5 + worker, np.float32),
        np.full((), 4 + worker, np.int32),
        np.full((5,), 0.25 + worker, np.float64),
        np.full((4,), 7.0 + worker, np.float32),
    ]


def same_dtype(worker):
    return [np.full((size,), 1.0 + worker, np.float32) for size in range(1, 6)]


def reduce_in_workers(reduce, tensors, times=1):
    """Reduce the tensors of both workers so many times."""
    return reduce_sets(reduce, [[tensors(0), tensors(1)]] * times)


def whole_list(context, gradients):
    return context.all_reduce("SUM", gradients)


def in_packs(context, gradients):
    options = tf.distribute.experimental.CommunicationOptions(bytes_per_pack=8)
    return context.all_reduce("SUM", gradients, options)


def test_a_list_of_one_dtype_is_one_message():
    run = reduce_in_workers(whole_list, same_dtype)
    assert run.messages == (1,)
    for (own,) in run.values:
        assert [total.tolist() for total in own] == [[3.0] * n for n in range(1, 6)]


def test_packs_of_bytes_are_messages():
    assert reduce_in_workers(in_packs, same_dtype).messages == (4,)


def test_dtypes_do_not_mix_in_a_message():
    with pytest.raises(StepFailed, match=r"ConcatV2.*A message has one dtype"):
        reduce_in_workers(whole_list, mixed)


def test_the_right_function_packs_by_dtype():
    run = reduce_in_workers(RIGHT, mixed, times=2)
    assert run.messages == (3, 3)
    for _, own in run.values:
        for total, first, second in zip(own, mixed(0), mixed(1), strict=True):
            assert total.dtype == first.dtype and total.shape == first.shape
            np.testing.assert_array_equal(total, first + second)


def test_a_function_that_fails_on_one_worker_ends_the_run():
    def only_on_1(context, gradients):
        if '"index": 1' in os.environ["TF_CONFIG"]:
            raise ValueError("nothing")
        return context.all_reduce("SUM", gradients)

    with pytest.raises(StepFailed, match=r"On worker 1: It stopped with ValueError"):
        reduce_in_workers(only_on_1, same_dtype)


def eager_messages(gate):
    """Without a tf.function: a list of five tensors."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()

    def step():
        context = tf.distribute.get_replica_context()
        return context.all_reduce("SUM", [tf.ones(3)] * 5)

    gate.wait(0)
    strategy.run(step)
    gate.wait(1)
    return strategy.num_replicas_in_sync


def test_without_a_tf_function_a_list_is_not_packed():
    run = run_linked(eager_messages, delays=[[0.0, 0.0]])
    assert run.values == [2, 2] and run.messages == (5,)


def keras_messages(gate):
    """A Keras optimizer applies four gradients."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        weights = [tf.Variable(tf.ones(3)) for _ in range(4)]
        optimizer = tf.keras.optimizers.SGD(0.1)
        optimizer.build(weights)

    def replica_step():
        optimizer.apply([tf.ones(3)] * 4, weights)

    @tf.function
    def step():
        strategy.run(replica_step)

    gate.wait(0)
    step()
    gate.wait(1)
    return [weight.numpy().tolist() for weight in weights]


def test_what_a_keras_optimizer_sends():
    run = run_linked(keras_messages, delays=[[0.0, 0.0]])
    print(run)
    assert run.messages == (1,)


def test_messages_go_around_all_workers(timed):
    """Whoever is slow: each link is as busy as the next. (Worker 0 is asked more.)"""
    for run in timed:
        assert run.requests[1:] == (STEPS, STEPS)


def test_a_function_without_an_end_is_stopped():
    def endless(context, gradients):
        while len(gradients) > 0:
            gradients = list(gradients)

    with pytest.raises(StepFailed, match="did not come to an end"):
        reduce_in_workers(endless, same_dtype)


def played(reduce=None, bandwidth=NO_LIMIT, **more):
    values = {"workers": 2, "tensors": 12, "numbers": 2400, "delay": 0.002, "loss": 0.0}
    values |= {"one_link": False, "slow": False}
    return played_with(reduce or SHIPPED, bandwidth, **values | more)


@pytest.mark.parametrize(
    ("more", "messages"),
    [
        ({"delay": 0.01}, 24),
        ({"tensors": 1, "delay": 0.01}, 2),
        ({"tensors": 1, "workers": 3, "delay": 0.01}, 4),
        ({"tensors": 1, "workers": 3, "delay": 0.01, "one_link": True}, 4),
        ({"tensors": 1, "numbers": 48_000, "bandwidth": 3e5}, 2),
        ({"reduce": RIGHT, "delay": 0.01}, 2),
    ],
)
def test_no_step_is_quicker_than_the_ideal_of_its_links(more, messages):
    """Asserted from below only: a busy machine adds to it."""
    steps = played(**more)
    print(summary(steps))
    assert steps.messages == messages
    waits = [s.end - s.begin for s in steps.spans if s.kind == WAIT]
    times = 12 if messages == 24 else 1
    # a worker that comes late has less to wait for
    assert max(waits) >= 0.98 * times * (steps.circumstances.ideal - WORK)


def test_a_slow_worker_has_the_shortest_all_reduces_in_the_lanes():
    steps = played(workers=3, tensors=1, slow=True)
    waits = {lane: [] for lane in ("worker 0", "worker 1", "worker 2")}
    for span in steps.spans:
        if span.kind == WAIT:
            waits[span.lane].append(span.end - span.begin)
    assert min(waits, key=lambda lane: sum(waits[lane])) == "worker 1"


def test_the_delay_costs_more_than_the_numbers_unless_the_links_are_thin():
    """From below; a busy machine adds to both."""
    far, many = played(delay=0.01), played(numbers=48_000)
    assert far.step >= 12 * 0.04 + WORK and far.step > many.step
    thin = played(bandwidth=3e5, numbers=48_000)
    by_delay = WORK + 12 * 0.04 + 4 * 2400 / 3e5
    assert thin.step >= WORK + 12 * 0.008 + 4 * 48_000 / 3e5 > by_delay


def test_lanes_do_not_show_which_link_is_slow():
    steps = played(workers=3, delay=0.01, one_link=True)
    waits = dict.fromkeys(("worker 0", "worker 1", "worker 2"), 0.0)
    for span in steps.spans:
        if span.kind == WAIT:
            waits[span.lane] += span.end - span.begin
    assert min(waits.values()) >= 0.9 * max(waits.values())


def test_a_step_waits_for_its_messages():
    """The step's 12 all-reduces of 40 ms and 20 ms of work; then only one of them."""
    twelve, one = (played(delay=0.01, tensors=tensors) for tensors in (12, 1))
    assert twelve.step >= 12 * 0.04 + WORK and one.step >= 0.04 + WORK
    assert one.step < twelve.step / 2


def test_an_idle_knob_changes_nothing():
    idle = {"delay": 0.0, "loss": 0.0, "workers": 2, "one_link": True}
    assert [*idle_knobs(**idle)] == ["one_link"]
    assert (
        idle_knobs(**idle | {"loss": 0.02}) == idle_knobs(**idle | {"delay": 1}) == {}
    )
    one, all_of_them = (Circumstances(one_link=value) for value in (True, False))
    for value in (0.0, idle["delay"], idle["loss"]):
        assert one.of_links(value) == all_of_them.of_links(value)
    assert one.ideal == all_of_them.ideal


def test_from_how_many_ids_on_the_table_is_smaller():
    def rows_and_table(count):
        rows, _, table = costs([[0] * count] * 2, ROWS, WIDTH)
        return rows, table

    assert rows_and_table(888) == (888 * 72, 64_000)
    (few, table), (many, _) = rows_and_table(888), rows_and_table(889)
    assert few < table < many


def test_a_function_that_fails_gives_a_sentence_to_the_instrument():
    with pytest.raises(ValueError, match="Return a list of tensors"):
        played(reduce=lambda context, gradients: 0)


def test_work_in_turn_makes_real_steps_longer():
    turns = CELLS.run("my_turns-fix")["my_turns"]
    job = Circumstances(workers=3, tensors=1, table=turns(3, 6, 0.02))
    assert play_steps(SHIPPED, job).step >= 3 * 0.02 > job.ideal


def test_the_cells_as_printed(capsys):
    CELLS.run("probe", "probe-use", broken_all_reduce=SHIPPED, my_all_reduce=RIGHT)
    printed = capsys.readouterr().out.splitlines()
    print(printed)
    assert printed[-2] == "broken_all_reduce {'CollectiveReduceV2 float32': 3}"
    assert printed[-1] == "my_all_reduce {'CollectiveReduceV2 float32': 1}"


@pytest.mark.parametrize("name", ["my_all_reduce", "my_accumulate"])
def test_mistakes_stay_apart_for_many_seeds(name):
    exercise = find_exercise(f"16/{name}")
    for seed in range(100, 125):
        (case,) = exercise.cases(np.random.default_rng(seed))
        known = {m.code: m.observe(case) for m in exercise.mistakes}
        known["(right)"] = exercise.expect(case)
        alike = [
            (first, second, seed)
            for first, second in combinations(known, 2)
            if known[first].agrees(known[second], 100 * exercise.tolerance)
        ]
        assert not alike


@pytest.mark.parametrize("workers", [2, 3, 4])
def test_an_embedding_sends_what_further_3_counts(workers):
    """Beyond the rule, a kilobyte of each message's own for each peer."""
    for each in send_embedding([300], workers=workers):
        ids = [list(range(each.most))] * workers
        came, _, table = costs(ids, ROWS, WIDTH)
        rule = table if each.form == FORMS[-1] else came
        assert rule < each.passed < rule + 2500 * (workers - 1), each
