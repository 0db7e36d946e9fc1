"""The check contract: outcomes, seeds, the second attempt, what is told and when."""

import numpy as np
import pytest

from course.checks import checking
from course.checks.cases import draw
from course.checks.checking import check, course_seed, verdict_on
from course.checks.declared import find_exercise
from course.checks.exercises import UnknownName
from course.checks.verdicts import MIME_TYPE, CheckFailed, Outcome
from course.learner import progress


def broken_spread(copies):
    return np.abs(copies[0] - copies[-1]).max()


def my_spread(copies):
    """A docstring, a comment and other line breaks are no attempt."""
    # nothing changed but this
    return np.abs(
        copies[0] - copies[-1]
    ).max()  # fmt: skip


def right(copies):
    return np.ptp(copies, axis=0).max()


def reworded(copies):
    first, last = copies[0], copies[-1]
    return max(abs(first - last))


def against_first(copies):
    return np.abs(copies - copies[0]).max()


def test_shipped_code_is_not_an_attempt():
    verdict = verdict_on("00/my_spread", my_spread)
    assert verdict.outcome is Outcome.NOT_ATTEMPTED
    assert "my_spread is still the same code as broken_spread." in verdict.message
    assert verdict.mistake is None and "Likely cause" not in verdict.message


def test_changed_code_with_the_shipped_result_says_that_nothing_changed():
    verdict = verdict_on("00/my_spread", reworded)
    assert verdict.outcome is Outcome.WRONG
    assert verdict.mistake == "first_and_last"
    # said of a right one, too
    assert "the shipped code gives the same result. What you" in verdict.message


def test_without_the_shipped_function_nothing_is_said_about_changes(monkeypatch):
    monkeypatch.delitem(globals(), "broken_spread")
    verdict = verdict_on("00/my_spread", my_spread)
    assert verdict.outcome is Outcome.WRONG
    assert "The cell with broken_spread has not run" in verdict.message
    assert "What you changed" not in verdict.message


def test_right():
    verdict = verdict_on("00/my_spread", right)
    assert verdict.outcome is Outcome.RIGHT


def test_a_crash_names_the_error_and_the_line():
    def divides(copies):
        copies = copies * 2
        return 1 // 0

    verdict = verdict_on("00/my_spread", divides)
    assert verdict.outcome is Outcome.CRASHED
    assert "ZeroDivisionError" in verdict.message
    assert "line 3, return 1 // 0" in verdict.message


@pytest.mark.parametrize("nothing", [None, 3, "my_spread"])
def test_what_is_no_function_is_wrong_and_the_card_says_so(nothing):
    verdict = verdict_on("00/my_spread", nothing)
    assert verdict.outcome is Outcome.WRONG
    assert "instead of the function my_spread" in verdict.message


def test_an_object_that_equals_everything_is_not_right():
    class Agreeable(float):
        def __eq__(self, other):
            return True

        __hash__ = float.__hash__

        def __sub__(self, other):
            return 0.0

        __rsub__ = __sub__

    assert verdict_on("00/my_spread", lambda c: Agreeable(7)).outcome is Outcome.WRONG


def test_memorised_answers_fail_under_another_seed(monkeypatch):
    exercise = find_exercise("00/my_spread")
    answers = {
        str(case.values.shape): float(exercise.expect(case).values)
        for case in draw(exercise, course_seed())[:4]
    }

    def memory(copies):
        if np.ptp(copies) == 0 or (copies == copies[0]).all():
            return 0.0
        return answers[str(copies.shape)]

    assert verdict_on("00/my_spread", memory).outcome is Outcome.RIGHT
    monkeypatch.setenv("COURSE_SEED", "4711")
    assert verdict_on("00/my_spread", memory).outcome is Outcome.WRONG
    assert verdict_on("00/my_spread", right).outcome is Outcome.RIGHT


def test_a_seed_that_is_no_number_is_refused_with_a_sentence(monkeypatch):
    monkeypatch.setenv("COURSE_SEED", "spring")
    with pytest.raises(ValueError, match="COURSE_SEED must be a whole number"):
        verdict_on("00/my_spread", right)


@pytest.mark.parametrize("seed", ["-3", "7.5", "seven"])
def test_a_bad_seed_stops_grading_before_it_begins(monkeypatch, seed, tmp_path):
    from autograder.nbgrader_settings import settings

    monkeypatch.setenv("COURSE_SEED", seed)
    with pytest.raises(ValueError, match="COURSE_SEED must be a whole number"):
        settings(tmp_path)


def test_an_empty_seed_is_the_learners_own(monkeypatch):
    monkeypatch.setenv("COURSE_SEED", "")
    assert course_seed() == 20


def test_leaving_the_program_is_a_crash():
    def leaves(copies):
        raise SystemExit(3)

    assert verdict_on("00/my_spread", leaves).outcome is Outcome.CRASHED


def test_an_error_without_words_is_a_crash():
    class Mute(Exception):
        def __str__(self):
            raise TypeError

    def fails(copies):
        raise Mute

    verdict = verdict_on("00/my_spread", fails)
    assert verdict.outcome is Outcome.CRASHED and "Mute" in verdict.message


@pytest.mark.parametrize("result", [None, "0.5", [1.0, 2.0]])
def test_a_result_that_is_no_number_says_so(result):
    verdict = verdict_on("00/my_spread", lambda copies: result)
    assert verdict.outcome is Outcome.WRONG
    assert "Return one number." in verdict.message


@pytest.mark.parametrize("place", [(-1, -1), (-3, 2), (1.5, 0), 3, "12"])
def test_a_place_that_cannot_be_says_so(place):
    verdict = verdict_on("02/my_first_drift", lambda copies, sequential: place)
    assert verdict.outcome is Outcome.WRONG
    assert "Return (step, replica), two whole numbers from 0 on" in verdict.message
    assert "none of the mistakes" not in verdict.opened(named=True, placed=True).message


def test_a_step_that_fails_shows_sentences_instead_of_a_traceback(devices):
    from course.checks.failures import StepFailed
    from course.runs.replicas import train_on_replicas
    from course.runs.workloads import regression

    def fails(w, x, y):
        w.assign_sub(x.numpy())

    with pytest.raises(StepFailed, match="use TensorFlow operations") as failed:
        train_on_replicas(fails, regression(8), 8, 1, devices)
    lines = failed.value._render_traceback_()
    assert len(lines) < 6 and any("line 2" in line for line in lines)


def test_the_cause_is_named_when_the_same_mistake_comes_again():
    def attempt(function):
        with pytest.raises(CheckFailed) as failed:
            check("00/my_spread", function)
        return failed.value.verdict

    first = attempt(against_first)
    assert first.mistake == "against_copy_0" and not first.named
    assert first.cause not in first.message
    other = attempt(reworded)  # another mistake in between
    assert not other.named
    assert not attempt(against_first).named
    again = attempt(against_first)
    assert again.named and again.cause in again.message


def test_why_names_the_cause_at_once():
    verdict = verdict_on("00/my_spread", against_first, why=True)
    assert verdict.named and verdict.cause in verdict.message


def test_an_unknown_mistake_gets_a_way_on():
    verdict = verdict_on("00/my_spread", lambda copies: 123.0, why=True)
    assert verdict.mistake is None
    assert "none of the mistakes this check knows" in verdict.message


def test_a_check_shows_one_bundle_and_raises_unless_right(monkeypatch):
    shown = []
    monkeypatch.setattr(checking, "display", shown.append)
    with pytest.raises(CheckFailed) as failed:
        check("00/my_spread", against_first)
    assert len(failed.value._render_traceback_()) == 1
    check("00/my_spread", right)
    assert len(shown) == 2
    bundle = shown[0]._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain", MIME_TYPE}
    assert bundle[MIME_TYPE]["outcome"] == "WRONG"
    assert bundle[MIME_TYPE]["mistake"] == "against_copy_0"
    assert "WRONG" in bundle["text/html"] and "WRONG" in bundle["text/plain"]
    assert progress.load().outcomes == {"00/my_spread": "RIGHT"}


def test_a_card_shows_code_as_text():
    def returns_markup(copies):
        raise ValueError("<script>alert(1)</script>")

    html = verdict_on("00/my_spread", returns_markup)._repr_mimebundle_()["text/html"]
    assert "<script>" not in html and "&lt;script&gt;" in html


def test_an_unknown_exercise_gets_a_suggestion():
    with pytest.raises(UnknownName, match="did you mean 02/my_step"):
        verdict_on("02/mystep", right)


def test_the_place_is_told_only_when_locate_is_solved(devices):
    def nothing(w, x, y):
        pass

    place = "First after 1 step"
    verdict = verdict_on("02/my_step", nothing)
    assert verdict.mistake == "no_update" and place not in verdict.message
    known = progress.load()
    known.outcomes["02/my_first_drift"] = "RIGHT"
    progress.save(known)
    verdict = verdict_on("02/my_step", nothing)
    assert place in verdict.message and verdict.place["step"] == 1
