"""Who works slowly, who waits for ever and who is kept from working are told apart."""

import multiprocessing
import os
import sys
import threading
import time
from collections import Counter
from types import SimpleNamespace

import pytest

from course.checks import patience
from course.checks.deadline import deadline
from course.checks.patience import (
    OutOfTime,
    Patience,
    TooBusy,
    WaitsForEver,
    nothing_cut_short,
    watched_elsewhere,
)

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads what threads do")
RIVALS = 6


def _turn():
    while True:
        pass


@pytest.fixture
def crowded():
    """One core for this process, which others have, too."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    context = multiprocessing.get_context("fork")
    rivals = [context.Process(target=_turn, daemon=True) for _ in range(RIVALS)]
    for rival in rivals:
        rival.start()
    yield
    for rival in rivals:
        rival.kill()
        rival.join()
    os.sched_setaffinity(0, cores)


@LINUX
def test_beside_rivals_who_works_is_not_at_rest(crowded):
    """Short threads, as those of replicas, which use little of the processor."""
    watched, end = Patience(60, rest_seconds=1.0), time.monotonic() + 4
    said = []

    def look():
        while time.monotonic() < end:
            said.append(watched.over())
            time.sleep(0.1)

    looking = threading.Thread(target=look)
    looking.start()
    while looking.is_alive():
        one = threading.Thread(target=sum, args=(range(10**5),))
        one.start()
        one.join()
    assert set(said) == {None}


def test_of_processes_that_have_ended_nothing_is_expected(monkeypatch):
    """The fifth life of a program alone has to use as much as one does."""
    now, running, used = [0.0], [1], Counter()
    clock = SimpleNamespace(monotonic=lambda: now[0])
    monkeypatch.setattr(patience, "time", clock)
    monkeypatch.setattr(patience, "_cpu", used.__getitem__)
    monkeypatch.setattr(patience, "at_work", lambda pid: False)
    watched = Patience(60, lambda: running, rest_seconds=3.0)
    for pid in (2, 3, 4, 5):
        running[0] = pid
        assert watched.over() is None

    def said(share):
        for _ in range(20):
            now[0] += 0.5
            used[5] += 0.5 * share
            yield watched.over()

    assert set(said(share=0.1)) == {None}
    assert WaitsForEver in said(share=0.0)


def test_beside_rivals_who_waits_is_told(crowded):
    with pytest.raises(WaitsForEver), deadline(60, rest_seconds=1.0):
        while True:
            time.sleep(0.01)


def test_beside_rivals_an_endless_loop_uses_up_its_own_time(crowded):
    with pytest.raises(OutOfTime) as stopped, deadline(0.3):
        _turn()
    assert stopped.type is OutOfTime


def test_what_takes_too_long_and_is_no_loop_and_no_wait_says_nothing():
    with pytest.raises(TooBusy) as busy, deadline(60, most_seconds=1.0):
        _turn()
    assert "too busy to tell" in str(busy.value)
    assert "processor" in str(busy.value)


def test_a_wait_for_others_has_a_patience_of_its_own():
    with deadline(60, rest_seconds=0.5), watched_elsewhere():
        time.sleep(2.0)


def test_waits_of_other_code_do_not_count():
    over = threading.Event()

    def wait():
        with watched_elsewhere():
            over.wait()

    other = threading.Thread(target=wait)
    other.start()
    try:
        with pytest.raises(TooBusy), deadline(60, most_seconds=1.0):
            _turn()
    finally:
        over.set()
        other.join()


def test_a_wait_that_the_clock_ended_says_nothing():
    with pytest.raises(TooBusy, match="threads that should meet"), nothing_cut_short():
        patience.cut_short("threads that should meet")
    with nothing_cut_short():
        pass
