"""Where a grader judges, `check` hands over what it observed, and says nothing."""

import base64

import numpy as np
import pytest
from IPython.utils.capture import capture_output

from course.checks import checking, handing_over
from course.checks.declared import find_exercise
from course.checks.exercises import UnknownName
from course.checks.judging import judge
from course.checks.observed import from_npz
from course.checks.observing import trial_of
from course.checks.verdicts import OBSERVED_TYPE, Outcome

NAME, SEED = "00/my_spread", 7  # no learner's seed


@pytest.fixture(autouse=True)
def grader(monkeypatch):
    monkeypatch.setattr(handing_over, "_sent", None)
    monkeypatch.setattr(handing_over, "_trials", {})
    trial = trial_of(find_exercise(NAME), SEED)
    handing_over.install(handing_over.pack({NAME: trial}))


@pytest.fixture
def shown(monkeypatch):
    """What is displayed."""
    outputs = []
    monkeypatch.setattr(handing_over, "display", lambda data, raw: outputs.append(data))
    return outputs


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (lambda copies: np.ptp(copies, axis=0).max(), Outcome.RIGHT),
        (lambda copies: 0.0, Outcome.WRONG),
        (lambda copies: 1 / 0, Outcome.CRASHED),
        (3, Outcome.CRASHED),
    ],
    ids=["right", "wrong", "stops", "no function"],
)
def test_what_it_hands_over_can_be_judged_with_the_graders_seed(
    answer, outcome, shown, capsys
):
    checking.check(NAME, answer)
    ((kind, data),) = shown[0].items()
    assert (kind, data["exercise"], len(shown)) == (OBSERVED_TYPE, NAME, 1)
    assert not capsys.readouterr().out
    seen = from_npz(base64.b64decode(data["npz"]))
    assert judge(NAME, SEED, seen).outcome is outcome


def test_a_name_that_no_exercise_has_is_told():
    with pytest.raises(UnknownName):
        checking.check("00/my_spraed", abs)


def test_without_a_grader_it_judges(monkeypatch, tmp_path):
    monkeypatch.setenv("COURSE_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(handing_over, "_sent", None)
    with capture_output(), pytest.raises(checking.CheckFailed):
        checking.check(NAME, lambda copies: 0.0)
