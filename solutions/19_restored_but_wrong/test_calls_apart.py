"""Calls that hang, flood or kill their process are told, and the others go on."""

import os
import signal
import sys
import time

import pytest

from course.checks import patience
from course.checks.failures import StepFailed
from course.lessons.n19_restored_but_wrong import calls_apart
from course.lessons.n19_restored_but_wrong.calls_apart import DIED, codes_apart


def act(word):
    if word == "kill":
        os.kill(os.getpid(), signal.SIGSEGV)
    if word == "flood":
        try:
            return len(bytearray(2**32)) and 1
        except MemoryError:
            return 2
    while word == "hang":
        time.sleep(0.1)
    while word == "loop":
        pass
    return len(word)


def test_each_call_has_its_code():
    assert codes_apart(act, "", ["a", "abc", ""]) == [1, 3, 0]


def test_a_death_is_told_and_the_next_calls_are_made():
    assert codes_apart(act, "", ["a", "kill", "abc"]) == [1, DIED, 3]


def test_what_hangs_is_stopped(monkeypatch):
    monkeypatch.setattr(calls_apart, "CALL_SECONDS", 0.5)
    monkeypatch.setattr(calls_apart, "REST_SECONDS", 0.5)
    assert codes_apart(act, "", ["hang", "abc", "loop", "a"]) == [DIED, 3, DIED, 1]


def test_a_busy_machine_tells_nothing(monkeypatch):
    monkeypatch.setattr(patience, "MOST_SECONDS", 1.0)
    with pytest.raises(patience.TooBusy, match="Waited in vain for a call to end"):
        codes_apart(act, "", ["abc", "hang"])


def test_after_some_deaths_the_rest_is_left():
    assert codes_apart(act, "", ["kill"] * 9) == [DIED] * calls_apart.STARTS


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_memory_is_limited():
    assert codes_apart(act, "", ["flood", "a"]) == [2, 1]


def test_a_harmless_call_that_kills_is_an_error():
    with pytest.raises(StepFailed, match="process of its own"):
        codes_apart(act, "kill", ["a"])
