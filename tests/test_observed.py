"""Observing and judging meet in plain data; what the machine did gives no verdict."""

import time

import numpy as np
import pytest

from course.checks import observing, patience
from course.checks.checking import check, verdict_on
from course.checks.exercises import Observation
from course.checks.judging import judge
from course.checks.observed import Observed, Stopped, from_npz, to_npz
from course.checks.observing import observe
from course.checks.verdicts import CheckFailed, Outcome
from course.learner import progress


def right(copies):
    return np.ptp(copies, axis=0).max()


def slow(copies):
    time.sleep(3)
    return np.ptp(copies, axis=0).max()


def wrong_then_slow(copies):
    if len(copies) == CALLED.setdefault("copies", len(copies)) and not CALLED["more"]:
        CALLED["more"] = True
        return -1.0
    return slow(copies)


CALLED = {"more": False}


@pytest.fixture
def busy_machine(monkeypatch):
    """Stands for one: patience with it ends before anything else can be told."""
    monkeypatch.setattr(patience, "MOST_SECONDS", 0.6)


def test_what_was_observed_survives_as_bytes():
    cases = [
        Observation(np.array([1.0, np.nan]), {"rows": (2, 3)}, "two rows"),
        {"ids": np.arange(3), "name": np.array("a"), "none": np.zeros((0, 2))},
        Stopped(("It stopped.", "In line 2."), busy=True),
    ]
    back = from_npz(to_npz(Observed(cases, shipped=None, own={"place": [1, "rows"]})))
    first, second, third = back.cases
    assert first.agrees(cases[0], 0.0) and first.told == "two rows"
    assert {k: v.tolist() for k, v in second.items()} == {
        k: v.tolist() for k, v in cases[1].items()
    }
    assert third == cases[2]
    assert back.shipped is None and back.own == {"place": [1, "rows"]}


def test_only_plain_data_can_be_written():
    with pytest.raises(TypeError, match="0/what is of dtype object: not plain data"):
        to_npz(Observed([{"what": np.array([right], object)}]))
    for data in (b"", b"something", to_npz(Observed())[:40]):
        with pytest.raises(ValueError, match="nothing that a check has observed"):
            from_npz(data)


def test_a_verdict_needs_the_bytes_only():
    seen = from_npz(to_npz(observe("00/my_spread", right, 5)))
    assert judge("00/my_spread", 5, seen).outcome == Outcome.RIGHT
    assert judge("00/my_spread", 6, seen).outcome == Outcome.WRONG  # other cases


def test_a_busy_machine_gives_no_verdict_and_counts_as_no_attempt(busy_machine, capsys):
    before = progress.load().outcomes
    with pytest.raises(CheckFailed) as failed:
        check("00/my_spread", slow)
    verdict = failed.value.verdict
    assert verdict.outcome == Outcome.NO_VERDICT
    assert "too busy to tell. Waited in vain for the code to end." in verdict.message
    assert "wanted" in verdict.message and "run this cell again" in verdict.message
    assert "NO VERDICT" in verdict._repr_mimebundle_()["text/html"]
    assert progress.load().outcomes == before


def test_what_was_wrong_before_it_grew_busy_stays_wrong(busy_machine):
    CALLED.clear()
    CALLED["more"] = False
    assert verdict_on("00/my_spread", wrong_then_slow).outcome == Outcome.WRONG


def test_what_the_code_uses_is_its_own(monkeypatch):
    def endless(copies):
        while True:
            pass

    monkeypatch.setattr(observing, "CPU_SECONDS", 0.5)
    assert verdict_on("00/my_spread", endless).outcome == Outcome.CRASHED
