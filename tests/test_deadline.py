"""Code that never ends is stopped, in the caller and in replica threads."""

import contextlib
import select
import socket
import subprocess
import sys
import threading
import time

import pytest
import tensorflow as tf

from course.checks.checking import verdict_on
from course.checks.deadline import POLL, deadline
from course.checks.failures import StepFailed
from course.checks.patience import OutOfTime
from course.checks.verdicts import Outcome
from course.runs.devices import mirrored
from course.runs.replicas import train_on_replicas
from course.runs.workloads import regression


def _only(threads, seconds=30):
    """Return whether there are no more threads than so many, soon."""
    until = time.monotonic() + seconds
    while threading.active_count() > threads and time.monotonic() < until:
        time.sleep(0.05)
    return threading.active_count() <= threads


def test_an_endless_loop_is_stopped():
    with pytest.raises(OutOfTime), deadline(0.5):
        while True:
            pass


def test_a_loop_that_swallows_exceptions_is_stopped():
    with pytest.raises(OutOfTime), deadline(0.5):
        while True:
            with contextlib.suppress(Exception):
                time.time()


def test_what_only_waits_is_stopped_by_the_clock():
    with pytest.raises(OutOfTime), deadline(60, rest_seconds=1.0):
        while True:
            time.sleep(0.01)


def test_what_stays_in_a_library_is_told_and_hits_no_watcher(monkeypatch):
    """The outer deadline must not stop the inner one's own thread."""
    monkeypatch.setattr("course.checks.deadline.HELPLESS_AFTER", 0.5)
    died, told, interval = [], [], sys.getswitchinterval()
    monkeypatch.setattr(threading, "excepthook", died.append)
    until_both_told, end = socket.socketpair()

    def tell(text, **_):
        told.append(text)
        if len(told) == 2:
            end.send(b".")

    monkeypatch.setattr("course.checks.deadline.print", tell, raising=False)
    outer, inner = deadline(60, rest_seconds=0.4), deadline(60, rest_seconds=0.6)
    with until_both_told, end, pytest.raises(OutOfTime), outer, inner:
        # one call of C: nothing can be raised in it
        assert select.select([until_both_told], [], [], 60)[0]
    assert not died
    assert sys.getswitchinterval() == interval  # though both had changed it at once
    assert all("restart the kernel" in text for text in told)


def test_an_endless_replica_is_stopped_and_the_strategy_works_on(devices):
    strategy = mirrored(devices[:2])

    def forever():
        while True:
            pass

    with pytest.raises(OutOfTime), deadline(0.5):
        strategy.run(forever)
    result = strategy.run(lambda: tf.constant(1.0))
    assert float(strategy.reduce("SUM", result, axis=None)) == 2.0


SHORT_RUNS = """
import contextlib, threading, time
import tensorflow as tf
from course import mirrored, virtual_devices
from course.checks.deadline import deadline
from course.checks.patience import OutOfTime

strategy = mirrored(virtual_devices(2))
before = threading.active_count()
with contextlib.suppress(OutOfTime), deadline(0.3):
    while True:
        strategy.run(lambda: tf.constant(1.0))
until = time.monotonic() + 30
while threading.active_count() > before and time.monotonic() < until:
    time.sleep(0.1)
assert threading.active_count() <= before
result = strategy.run(lambda: tf.constant(1.0))
print(float(strategy.reduce("SUM", result, axis=None)))
"""


@pytest.mark.prove
def test_an_endless_loop_of_short_runs_is_stopped_and_leaves_no_thread():
    """In a process of its own: the watcher has to meet the caller between two waits."""
    command = [sys.executable, "-c", SHORT_RUNS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.stdout.splitlines()[-1:] == ["2.0"], (
        done.stderr
    )  # maybe a notice before


def test_what_ends_in_time_is_left_alone():
    before = threading.active_count()
    with deadline(30):
        total = sum(range(1000))
    assert total == 499500
    assert _only(before)


@pytest.mark.parametrize(
    "inside", ["pass", "\n        while True: pass"], ids=["in time", "stopped"]
)
def test_a_debugger_works_afterwards(inside):
    """In a process of its own, as nothing else ends a trace that hangs."""
    code = (
        "import contextlib, sys\n"
        "from course.checks.deadline import deadline\n"
        "from course.checks.patience import OutOfTime\n"
        "with contextlib.suppress(OutOfTime):\n"
        f"    with deadline(0.2): {inside}\n"
        "seen = []\n"
        "sys.settrace(lambda frame, *rest: seen.append(frame.f_code.co_name))\n"
        "def traced(): return 1\n"
        "traced()\n"
        "sys.settrace(None)\n"
        "print(seen[0])\n"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stdout == "traced\n", done.stderr


@pytest.mark.parametrize("late", [0.002, 0.006, 0.010, 0.014])
def test_code_that_ends_while_the_watcher_decides_is_left_alone(late):
    before = threading.active_count()
    with contextlib.suppress(OutOfTime), deadline(0.0):
        time.sleep(POLL + late)
    assert _only(before)  # a watcher that goes on would send another one


def test_an_endless_answer_gets_a_sentence(monkeypatch):
    monkeypatch.setattr("course.checks.observing.CPU_SECONDS", 0.5)

    def endless(copies):
        while True:
            pass

    verdict = verdict_on("00/my_spread", endless)
    assert verdict.outcome is Outcome.CRASHED
    assert "loop that never ends" in verdict.message


def test_an_endless_step_ends_a_run_with_sentences(devices, monkeypatch):
    monkeypatch.setattr("course.runs.replicas.STEP_SECONDS", 0.5)

    def endless(w, x, y):
        while True:
            pass

    with pytest.raises(StepFailed, match="loop that never ends"):
        train_on_replicas(endless, regression(8), 8, 1, devices)
    run = train_on_replicas(lambda w, x, y: None, regression(8), 8, 1, devices)
    assert run.steps == 1


def test_a_thread_that_the_kernel_starts_meanwhile_is_left_alone():
    """Such as the one that serves the widgets, which begins when it is first needed."""
    stop, kernels, begin = threading.Event(), [], threading.Event()

    def serve():
        while not stop.is_set():
            time.sleep(0.001)

    def start_serving():
        begin.wait()
        kernels.append(threading.Thread(target=serve, daemon=True))
        kernels[0].start()

    kernel = threading.Thread(target=start_serving, daemon=True)
    kernel.start()
    with contextlib.suppress(OutOfTime), deadline(0.2):
        begin.set()
        try:
            while True:
                pass
        except OutOfTime:  # what runs at a second look is stopped for not ending
            while True:
                pass
    time.sleep(0.1)
    assert kernels[0].is_alive()
    stop.set()


def test_so_is_one_that_starts_during_a_schedule(devices):
    room = "course.lessons.n05_different_every_run"
    schedules = pytest.importorskip(f"{room}.schedules")
    stop, kernels = threading.Event(), []
    begin, begun = threading.Event(), threading.Event()

    def serve():
        kernels.append(threading.Thread(target=stop.wait, daemon=True))
        begin.wait()
        kernels[0].start()
        begun.set()

    threading.Thread(target=serve, daemon=True).start()

    def update(var, deltas, work):
        begin.set()
        begun.wait()
        threads = [
            threading.Thread(target=var.value.assign_add, args=(d,)) for d in deltas
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert schedules.run_schedule(update, [1, 0]).final == 11.0
    time.sleep(0.1)
    assert kernels[0].is_alive()
    stop.set()
