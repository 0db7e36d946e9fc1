"""Links between real workers: requests are counted, and a link can be slow or cut."""

import time

import pytest
import tensorflow as tf

from course.kernels import warm
from course.runs.cluster import Cluster, note
from course.runs.cluster.grpc_requests import RequestCounter
from course.runs.cluster.link import RESEND_SECONDS, Links

pytestmark = [
    pytest.mark.skipif(bool(warm.unavailable()), reason=warm.unavailable() or "-"),
    pytest.mark.xdist_group("warm"),
]


def reduce_all(steps, tensors, size=4):
    """All-reduce `tensors` tensors one by one in each step; return seconds a step."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()

    @tf.function
    def step():
        here = tf.distribute.get_replica_context()
        return [here.all_reduce("sum", tf.ones(size)) for _ in range(tensors)]

    strategy.run(step)
    begin = time.monotonic()
    for number in range(steps):
        note(step=number)
        strategy.run(step)
    return (time.monotonic() - begin) / max(1, steps)


def run(steps, tensors, size=4, **options):
    with Cluster({"worker": 2}, seconds=60.0) as cluster:
        with Links(cluster, **options) as links:
            cluster.start(reduce_all, steps, tensors, size, configs=links.configs)
            ended = cluster.join()
        return ended, links["worker 1"].requests


@pytest.mark.parametrize(("steps", "tensors"), [(4, 1), (9, 1), (4, 5)])
def test_each_all_reduce_is_one_request(steps, tensors):
    ended, requests = run(steps, tensors)
    ended.values()
    assert requests == (steps + 1) * tensors


def test_a_delay_is_paid_by_each_all_reduce():
    """Asserted from below only: a busy machine adds to it."""
    ended, _ = run(3, 3, delay=0.02)
    assert min(ended.values()) >= 3 * 2 * 0.02


def test_a_lost_piece_comes_late():
    with Cluster({"worker": 2}, seconds=60.0) as cluster, Links(cluster) as links:
        links["worker 1"].loss = 1.0
        cluster.start(reduce_all, 2, 1, configs=links.configs)
        assert min(cluster.join().values()) >= RESEND_SECONDS


def test_a_thin_link_takes_its_time():
    """Each worker fetches at least half of the other's 4000 bytes."""
    ended, _ = run(3, 1, 1000, bandwidth=20_000.0)
    assert min(ended.values()) >= 2000 / 20_000


def test_a_cut_link_ends_the_step_with_an_error():
    with Cluster({"worker": 2}, quiet=None) as cluster, Links(cluster) as links:
        cluster.start(reduce_all, 100_000, 1, configs=links.configs)

        def under_way():
            beats = cluster.beats("worker 0")
            return bool(beats) and beats[-1].facts.get("step", 0) > 2

        assert cluster.wait_until(under_way)
        links.cut("worker 1")
        assert cluster.wait_until(lambda: "worker 0" not in cluster.running())
        ended = cluster.finish()
    assert ended["worker 0"].error == "UnavailableError"


def test_a_deaf_link_lets_nothing_through():
    with Cluster({"worker": 2}, quiet=2.0) as cluster, Links(cluster) as links:
        links["worker 0"].deaf = True
        cluster.start(reduce_all, 1, 1, configs=links.configs)
        ended = cluster.join()
    assert [end.outcome for end in ended.ends] == ["waited", "waited"]


def test_requests_are_counted_in_pieces_of_any_size():
    def frame(kind, size):
        return size.to_bytes(3, "big") + bytes([kind]) + bytes(5) + bytes(size)

    stream = bytes(24) + frame(4, 6) + frame(1, 40) + frame(0, 300) + frame(1, 0)
    for size in (1, 7, 24, 1000):
        counter = RequestCounter()
        for start in range(0, len(stream), size):
            counter.see(stream[start : start + size])
        assert counter.requests == 2
