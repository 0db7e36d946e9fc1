"""Faults that come together: all that show are named, and nothing that does not."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from course.checks import declared
from course.checks.checking import CheckFailed, check, verdict_on
from course.checks.exercises import (
    Difference,
    Exercise,
    Mistake,
    Observation,
    Sign,
    UnknownName,
)

NAME = "00/my_sum"


def observe(function, case):
    result, calls = function(case)
    return Observation(np.asarray(result, float), {"calls": (calls,)})


SUM = Exercise(
    name=NAME,
    cases=lambda rng: [rng.integers(1, 9, 4), np.zeros(4)],
    observe=observe,
    expect=lambda case: Observation(np.asarray(sum(case), float), {"calls": (1,)}),
    compare=lambda *_: Difference("It is wrong.", "Expected: the sum."),
    right="Sums are right.",
    mistakes=(Mistake("all", "all is wrong.", lambda case: observe(everything, case)),),
    signs=(
        Sign("mean", "it is a mean.", lambda case, seen: seen.changed(np.mean(case))),
        Sign("often", "it is called often.", lambda _, seen: seen.changed(calls=2)),
        Sign("nothing", "it does nothing.", lambda _, seen: seen),
    ),
    shipped="mean+often",
)


def everything(case):
    return -1, 7


def mean(case):
    return np.mean(case), 1


def mean_often(case):
    return np.mean(case), 2


def mean_and_more(case):
    return np.mean(case), 3


@pytest.fixture(autouse=True)
def in_the_course(monkeypatch):
    declare(monkeypatch, SUM)


def declare(monkeypatch, exercise):
    lesson = SimpleNamespace(EXERCISES=[exercise])
    monkeypatch.setattr(declared, "_lessons", lambda number: [lesson])


@pytest.mark.parametrize(
    ("function", "mistake", "cause"),
    [
        (mean, "mean", "it is a mean."),
        (lambda case: (sum(case), 2), "often", "it is called often."),
        (mean_often, "mean+often", "it is a mean. And: it is called often."),
        (everything, "all", "all is wrong."),
    ],
)
def test_all_signs_that_show_are_named(function, mistake, cause):
    verdict = verdict_on(NAME, function, why=True)
    assert (verdict.mistake, verdict.cause) == (mistake, cause)
    assert f"Likely cause: {cause}" in verdict.message


def test_a_sign_is_not_named_where_something_else_came_too():
    verdict = verdict_on(NAME, mean_and_more, why=True)
    assert verdict.mistake is None
    assert "none of the mistakes this check knows" in verdict.message


def test_a_sign_that_shows_in_some_cases_only_is_not_named():
    def sometimes(case):
        return mean(case) if case.any() else everything(case)

    assert verdict_on(NAME, sometimes).mistake is None


def test_a_later_case_may_show_one_more(monkeypatch):
    """An answer is not judged by the cases before it."""
    later = replace(
        SUM.signs[1], change=lambda c, s: s if c.any() else s.changed(calls=2)
    )
    more = replace(
        SUM,
        signs=(SUM.signs[0], later),
        cases=lambda rng: [np.arange(1, 4), np.arange(2, 7), np.zeros(4)],
    )
    declare(monkeypatch, more)
    verdict = verdict_on(NAME, lambda case: (np.mean(case), 1 if case.any() else 2))
    assert verdict.mistake == "mean+often"


def test_causes_are_named_when_the_same_signs_come_again(monkeypatch):
    def named(function):
        with pytest.raises(CheckFailed) as failed:
            check(NAME, function)
        return failed.value.verdict.named

    assert [named(f) for f in (mean, mean_often, mean, mean)] == [0, 0, 0, 1]


def test_the_shipped_code_is_known_by_its_signs(monkeypatch):
    monkeypatch.setitem(globals(), "broken_sum", everything)
    assert "the same result" in verdict_on(NAME, mean_often).message
    assert "the same result" not in verdict_on(NAME, mean).message


@pytest.mark.parametrize("code", ["", "+", "often+mean", "mean+mean", "all+mean"])
def test_signs_are_joined_in_their_order_once(code):
    assert SUM.mistake("mean+often").cause == "it is a mean. And: it is called often."
    with pytest.raises(UnknownName, match="00/my_sum has no mistake"):
        SUM.mistake(code)


def test_a_sign_changes_what_is_counted_only():
    with pytest.raises(KeyError, match="nothing is counted as 'call'"):
        observe(mean, np.ones(2)).changed(call=2)
