"""Stamps note what ran when and where; a rendezvous tells parallel from sequential."""

import threading
from itertools import pairwise

import numpy as np
import pytest
import tensorflow as tf

from course.runs.devices import mirrored
from course.runs.rendezvous import Rendezvous
from course.runs.spans import Span, SpanRecorder, Timeline, asked_device, stamped

LANES = ("CPU:0", "CPU:1", "CPU:2", "CPU:3")
IN_VAIN = 0.5  # seconds; sequential runs wait in vain in any case


@pytest.fixture
def strategy(devices):
    return mirrored(devices)


def each_own(strategy):
    """Values that differ between replicas, float32 of shape (2,)."""
    return strategy.experimental_distribute_values_from_function(
        lambda context: tf.constant([1.0 + context.replica_id_in_sync_group, 2.0])
    )


def in_a_graph(strategy, step, values):
    return tf.function(lambda v: strategy.run(step, args=(v,)))(values)


def run_of_a_graph(strategy, step, values):
    return strategy.run(tf.function(step), args=(values,))


def eager_run(strategy, step, values):
    return strategy.run(step, args=(values,))


def loop_over_devices(strategy, step, values):
    for device in LANES:
        with tf.device(device):
            step(tf.constant([1.0, 2.0]))


def graph_over_devices(strategy, step, values):
    @tf.function
    def graph(x):
        results = []
        for device in LANES:
            with tf.device(device):
                results.append(step(x))
        return tf.add_n(results)

    graph(tf.constant([1.0, 2.0]))


def chained_devices(strategy, step, values):
    @tf.function
    def graph(x):
        for device in LANES:
            with tf.device(device):
                x = step(x)
        return x

    graph(tf.constant([1.0, 2.0]))


@pytest.mark.parametrize("run", [in_a_graph, run_of_a_graph, graph_over_devices])
def test_parallel_runs_meet(strategy, run):
    place = Rendezvous(4)
    run(strategy, place.stamp, each_own(strategy))
    assert (place.met, place.came) == (4, 4)


@pytest.mark.parametrize("run", [eager_run, loop_over_devices, chained_devices])
def test_sequential_runs_do_not_meet(strategy, run):
    place = Rendezvous(4, seconds=IN_VAIN)
    run(strategy, place.stamp, each_own(strategy))
    assert (place.met, place.came) == (1, 4)


def test_a_stateful_stamp_would_make_replicas_run_in_turn(strategy):
    """The second half of the step, behind a stateful operation, never meets."""
    place = Rendezvous(4, seconds=IN_VAIN)

    def step(v):
        counted = tf.numpy_function(lambda a: (place.wait(), a)[1], [v], tf.float32)
        return counted * 2.0

    in_a_graph(strategy, step, each_own(strategy))
    assert (place.met, place.came) == (1, 4)


def test_who_waits_in_vain_waits_once():
    place = Rendezvous(2, seconds=0.2)
    place.wait()
    thread = threading.Thread(target=place.wait, daemon=True)
    thread.start()
    thread.join(20)
    assert not thread.is_alive()
    place.wait()
    assert (place.met, place.came) == (1, 3)


def test_stamps_name_the_device_forward_and_backward(devices):
    seen = []

    def loss_and_gradient(x):
        with tf.device("CPU:2"), tf.GradientTape() as tape:
            tape.watch(x)
            y = stamped(
                x, lambda *a: seen.append(("forward", *a)), lambda d, a: seen.append(d)
            )
            loss = tf.reduce_sum(y**2)
        return tape.gradient(loss, x)

    gradient = tf.function(loss_and_gradient)(tf.constant([3.0, 4.0]))
    assert gradient.numpy().tolist() == [6.0, 8.0]
    (kind, device, values), back = seen
    assert (kind, device, values.tolist()) == ("forward", "CPU:2", [3.0, 4.0])
    assert back == ""  # the tape forgets tf.device


def test_asked_device_outside_of_a_graph(devices):
    with tf.device("CPU:3"):
        assert asked_device() == "CPU:3"


def test_a_lane_does_one_thing_at_a_time(strategy):
    """Four replicas that share one lane wait for each other; in four they overlap."""

    def run(lane_of):
        recorder = SpanRecorder()

        def step(v):
            return stamped(v, lambda d, a: recorder.wait(lane_of(d), 0.05, "1", "work"))

        in_a_graph(strategy, step, each_own(strategy))
        return recorder.timeline("run", LANES)

    shared, own = run(lambda d: "CPU:0"), run(lambda d: d)
    assert shared.most_at_once == 1 and {s.lane for s in shared.spans} == {"CPU:0"}
    assert [s.lane for s in sorted(own.spans, key=lambda s: s.lane)] == list(LANES)
    assert all(a.end <= b.begin for a, b in pairwise(shared.spans))
    assert all(span.end - span.begin >= 0.05 for span in own.spans + shared.spans)


def test_a_timeline_counts_what_overlaps_and_what_is_idle():
    spans = (Span("a", 1.0, 3.0), Span("b", 2.0, 3.0), Span("b", 3.0, 5.0))
    run = Timeline("run", ("a", "b"), spans)
    assert run.seconds == 4.0 and run.begin == 1.0
    assert run.most_at_once == 2  # the third begins where the others end
    assert np.isclose(run.idle, 1 - 5 / 8)
    empty = Timeline("nothing", ("a",), ())
    assert (empty.seconds, empty.most_at_once, empty.idle) == (0.0, 0, 0.0)


def test_a_span_in_no_lane_is_an_error():
    recorder = SpanRecorder()
    recorder.wait("CPU:9", 0.0)
    with pytest.raises(ValueError, match="CPU:9"):
        recorder.timeline("run", LANES)
