"""Where a grader judges, `check` hands over what it observed, and says nothing."""

import base64
from dataclasses import replace

import numpy as np
import pytest
from IPython.utils.capture import capture_output

from course.checks import checking, handing_over
from course.checks.declared import find_exercise
from course.checks.exercises import UnknownName
from course.checks.judging import judge
from course.checks.observed import Stopped, from_npz
from course.checks.observing import trial_of, try_out
from course.checks.verdicts import Outcome

NAME, SEED = "00/my_spread", 7  # no learner's seed


@pytest.fixture(autouse=True)
def grader(monkeypatch):
    monkeypatch.setattr(handing_over, "_sent", None)
    monkeypatch.setattr(handing_over, "_trials", {})
    trial = trial_of(find_exercise(NAME), SEED)
    handing_over.install(handing_over.pack({NAME: trial}))


@pytest.fixture
def sent(monkeypatch):
    """What the grader gets: pairs of its kind and content."""
    given = []
    monkeypatch.setattr(handing_over, "send", lambda *each: given.append(each))
    return given


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (lambda copies: np.ptp(copies, axis=0).max(), Outcome.RIGHT),
        (lambda copies: 0.0, Outcome.WRONG),
        (lambda copies: 1 / 0, Outcome.CRASHED),
        (3, Outcome.WRONG),
    ],
    ids=["right", "wrong", "stops", "no function"],
)
def test_what_it_hands_over_can_be_judged_with_the_graders_seed(
    answer, outcome, sent, capsys
):
    checking.check(NAME, answer)
    ((kind, data),) = sent
    assert (kind, data["exercise"]) == ("observed", NAME)
    assert not capsys.readouterr().out
    seen = from_npz(base64.b64decode(data["npz"]))
    assert judge(NAME, SEED, seen).outcome is outcome


@pytest.fixture
def trials():
    """The trial in its own order, and mixed so that the last case comes first."""
    trial = trial_of(find_exercise(NAME), SEED)
    backwards = range(len(trial.cases))[::-1]
    return trial, replace(trial, order=backwards)


def test_results_written_down_are_right_only_in_the_order_they_were_written_in(trials):
    truths = [
        float(find_exercise(NAME).expect(case).values) for case in trials[0].cases
    ]
    outcomes = []
    for trial in trials:
        written = iter(truths)
        seen = try_out(trial, lambda copies, written=written: next(written))
        outcomes.append(judge(NAME, SEED, seen).outcome)
    assert outcomes == [Outcome.RIGHT, Outcome.WRONG]


def fails_at_two(copies):
    if len(copies) == 2:
        raise ValueError("two")
    return 0.0


@pytest.mark.parametrize(
    "answer",
    [
        lambda copies: np.ptp(copies, axis=0).max(),
        lambda copies: float(np.ptp(copies)),
        lambda copies: 0.0,
        lambda copies: 1 / 0,
        fails_at_two,
    ],
    ids=["right", "all numbers", "zero", "stops", "stops at the third"],
)
def test_the_order_changes_no_verdict(trials, answer):
    told = [judge(NAME, SEED, try_out(trial, answer)).data() for trial in trials]
    assert told[0] == told[1]


def test_what_never_ends_is_run_at_most_twice(trials):
    calls = []

    def answer(copies):
        calls.append(len(copies))
        raise ValueError

    seen = list(try_out(trials[1], answer).cases)
    assert [type(came) for came in seen] == [Stopped]
    assert calls == [len(trials[0].cases[n].values) for n in (-1, 0)]


def test_each_class_has_an_order_of_its_own(trials):
    orders = {tuple(trials[0].mixed(np.random.default_rng(s)).order) for s in range(9)}
    assert len(orders) > 5 and all(sorted(each) == [*range(5)] for each in orders)


def test_a_name_that_no_exercise_has_is_told():
    with pytest.raises(UnknownName):
        checking.check("00/my_spraed", abs)


def test_without_a_grader_it_judges(monkeypatch, tmp_path):
    monkeypatch.setenv("COURSE_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(handing_over, "_sent", None)
    with capture_output(), pytest.raises(checking.CheckFailed):
        checking.check(NAME, lambda copies: 0.0)
