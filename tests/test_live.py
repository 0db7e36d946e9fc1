"""A cluster under somebody's hands: halted, going on, killed, cut off, ended."""

import threading
import time

import pytest
import tensorflow as tf

from course.kernels import warm
from course.runs.cluster import note
from course.runs.cluster.live import Job, LiveRun

pytestmark = [
    pytest.mark.skipif(bool(warm.unavailable()), reason=warm.unavailable() or "-"),
    pytest.mark.xdist_group("warm"),
]

LONG = 60.0  # seconds, after which a test gives up


def count_alone():
    """Count steps, without the other worker."""
    for step in range(10_000):
        note(step=step)
        time.sleep(0.02)


def count_together():
    """All-reduce again and again."""
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    one = tf.constant(1.0)

    @tf.function
    def count():
        context = tf.distribute.get_replica_context
        return strategy.run(lambda: context().all_reduce("SUM", tf.identity(one)))

    for step in range(10_000):
        note(step=step)
        count()
        time.sleep(0.02)


class Watched:
    """A run in a thread of its own, and the last look at it."""

    def __init__(self, function, seconds=45.0):
        self._seconds = seconds
        self.live = LiveRun(Job({"worker": 2}, function), seconds)
        self.now, self.run = None, None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self):
        self.run = self.live.run(lambda run: setattr(self, "now", run))

    def until(self, true):
        """Wait until something is true of what was seen last."""
        over = time.monotonic() + LONG
        while not (self.now and true(self.now)):
            assert time.monotonic() < over and self._thread.is_alive(), self.run
            time.sleep(0.05)

    def end(self):
        self._thread.join(self._seconds + LONG)
        assert not self._thread.is_alive()
        return {end.name: end for end in self.run.ends}


def step(run, name):
    return run[name].facts.get("step", -1)


def test_a_halted_process_stands_still_and_goes_on():
    watched = Watched(count_alone)
    watched.until(lambda run: step(run, "worker 1") > 3)
    watched.live.halt("worker 1")
    watched.until(lambda run: run["worker 1"].outcome == "halted")
    stood, other = (step(watched.now, f"worker {k}") for k in (1, 0))
    watched.until(lambda run: step(run, "worker 0") > other + 5)
    assert step(watched.now, "worker 1") <= stood + 1
    assert watched.now["worker 0"].outcome == "running"
    watched.live.go_on("worker 1")
    watched.until(lambda run: step(run, "worker 1") > stood + 3)
    watched.live.end()
    assert {end.outcome for end in watched.end().values()} == {"waited"}


def test_a_killed_one_is_gone_and_those_who_need_it_get_an_error():
    watched = Watched(count_together)
    watched.until(lambda run: step(run, "worker 1") > 3)
    watched.live.kill("worker 0")
    ends = watched.end()
    assert ends["worker 0"].outcome == "killed"
    assert ends["worker 1"].outcome == "raised"
    watched.live.halt("worker 0")  # nobody is there any more: nothing happens


@pytest.mark.prove  # TensorFlow notices after 40 s, later on a busy machine
def test_a_link_that_is_cut_ends_what_goes_over_it():
    watched = Watched(count_together, seconds=240.0)
    watched.until(lambda run: step(run, "worker 1") > 3)
    watched.live.cut("worker 1")
    ends = watched.end()
    assert "raised" in {end.outcome for end in ends.values()}


def test_its_time_ends_by_the_clock():
    watched = Watched(count_alone, seconds=3.0)
    assert {end.outcome for end in watched.end().values()} == {"waited"}
