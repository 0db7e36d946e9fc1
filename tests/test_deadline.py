"""Code that never ends is stopped, in the caller and in replica threads."""

import contextlib
import threading
import time

import pytest
import tensorflow as tf

from course.checking import judge
from course.deadline import OutOfTime, deadline
from course.devices import mirrored
from course.failures import StepFailed
from course.replicas import train_on_replicas
from course.verdicts import Outcome
from course.workloads import regression


def test_an_endless_loop_is_stopped():
    with pytest.raises(OutOfTime), deadline(0.5, 60):
        while True:
            pass


def test_a_loop_that_swallows_exceptions_is_stopped():
    with pytest.raises(OutOfTime), deadline(0.5, 60):
        while True:
            with contextlib.suppress(Exception):
                time.time()


def test_what_only_waits_is_stopped_by_the_clock():
    with pytest.raises(OutOfTime), deadline(60, 1.0):
        while True:
            time.sleep(0.01)


def test_an_endless_replica_is_stopped_and_the_strategy_works_on(devices):
    strategy = mirrored(devices[:2])

    def forever():
        while True:
            pass

    with pytest.raises(OutOfTime), deadline(0.5, 60):
        strategy.run(forever)
    result = strategy.run(lambda: tf.constant(1.0))
    assert float(strategy.reduce("SUM", result, axis=None)) == 2.0


def test_an_endless_loop_of_short_runs_is_stopped_and_leaves_no_thread(devices):
    strategy = mirrored(devices[:2])
    before = threading.active_count()
    with pytest.raises(OutOfTime), deadline(0.3, 60):
        while True:
            strategy.run(lambda: tf.constant(1.0))
    until = time.monotonic() + 30
    while threading.active_count() > before and time.monotonic() < until:
        time.sleep(0.1)
    assert threading.active_count() <= before
    result = strategy.run(lambda: tf.constant(1.0))
    assert float(strategy.reduce("SUM", result, axis=None)) == 2.0


def test_what_ends_in_time_is_left_alone():
    before = threading.active_count()
    with deadline(30, 30):
        total = sum(range(1000))
    assert total == 499500
    time.sleep(0.6)  # the watcher looks twice a second
    assert threading.active_count() <= before


def test_an_endless_answer_gets_a_sentence(monkeypatch):
    monkeypatch.setattr("course.checking.CPU_SECONDS", 0.5)

    def endless(copies):
        while True:
            pass

    verdict = judge("00/my_spread", endless)
    assert verdict.outcome is Outcome.CRASHED
    assert "loop that never ends" in verdict.message


def test_an_endless_step_ends_a_run_with_sentences(devices, monkeypatch):
    monkeypatch.setattr("course.replicas.STEP_SECONDS", (0.5, 60.0))

    def endless(w, x, y):
        while True:
            pass

    with pytest.raises(StepFailed, match="loop that never ends"):
        train_on_replicas(endless, regression(8), 8, 1, devices)
    run = train_on_replicas(lambda w, x, y: None, regression(8), 8, 1, devices)
    assert run.steps == 1
