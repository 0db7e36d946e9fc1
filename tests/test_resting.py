"""Waits end when nobody has anything to do, and no sooner."""

import hashlib
import sys
import threading
import time

import pytest

from course.checks import patience
from course.checks.deadline import deadline
from course.runs.resting import Waits

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux tells")


def test_a_wait_ends_when_nobody_has_anything_to_do():
    waits = Waits()
    with waits.changed:
        assert not waits.wait_for(lambda: False, rest=0.1, at_most=3600)


def test_a_deadline_does_not_call_it_a_rest(monkeypatch):
    """On a busy machine, who looks gets so little of it that it seems to do nothing."""
    monkeypatch.setattr(patience, "IDLE", 1.0)
    waits, came = Waits(), []

    def wait():
        with waits.changed:
            came.append(waits.wait_for(lambda: False, rest=3.0, at_most=3600))

    foreign = threading.Thread(target=wait)  # as those of TensorFlow are
    foreign.start()
    with deadline(60, rest_seconds=0.3):
        while foreign.is_alive():
            time.sleep(0.05)
    assert came == [False]


def test_all_who_wait_in_vain_go_on():
    waits, came = Waits(), []

    def wait():
        with waits.changed:
            came.append(waits.wait_for(lambda: False, rest=0.1, at_most=3600))

    threads = [threading.Thread(target=wait, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert came == [False] * 4


def test_whoever_rests_for_less_goes_on_first():
    """Its going on may be what the other waits for."""
    waits, gone = Waits(), []

    def short():
        with waits.changed:
            waits.wait_for(lambda: False, rest=0.1, at_most=3600)
            gone.append(True)
            waits.changed.notify_all()

    threading.Thread(target=short, daemon=True).start()
    with waits.changed:
        assert waits.wait_for(lambda: gone, rest=1.0, at_most=3600)


def test_nobody_gives_up_while_a_thread_works():
    """However long that takes: a thread without a processor works, too."""
    waits, ready = Waits(), []

    def work():
        data = bytes(10_000_000)
        while time.thread_time() < 1.0:
            hashlib.sha256(data)
        with waits.changed:
            ready.append(True)
            waits.changed.notify_all()

    threading.Thread(target=work, daemon=True).start()
    with waits.changed:
        assert waits.wait_for(lambda: ready, rest=0.1, at_most=3600)
