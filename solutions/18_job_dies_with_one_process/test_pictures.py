"""What this notebook draws: steps made, lost and made again."""

import numpy as np
import pytest
from picture_rules import picture_tests

from course.lessons.n18_job_dies_with_one_process.lost_processes import Life, LostRun
from course.lessons.n18_job_dies_with_one_process.step_counter import step_counter
from course.runs.cluster import Beat, End


def lost_run(label, name, *lives, end="returned", off=0.0):
    """A job of these (first, last) steps; a process is lost in step 28."""
    made, at = [], 0.0
    for first, last in lives:
        begun = tuple((at + 0.05 * k, step) for k, step in enumerate(range(first, 40)))
        begun = begun[: last - first + 1]
        outcome = end if (first, last) == lives[-1] else "raised"
        facts = {"failed": "UnavailableError"} if outcome == "raised" else {}
        state = np.full((2, 2), off) if outcome == "returned" else None
        beats = (Beat(0.0, (), facts),)
        told = End("chief 0", outcome, state, "StepFailed", (), beats, "")
        gone = None if made else (0.05 * 28, name)
        made.append(Life(begun, gone, told, ("worker 0",), begun[-1][0]))
        at = begun[-1][0] + 1.0
    return LostRun(label, tuple(made), np.zeros((2, 2)))


PICTURES = {
    "jobs that lose a process": lambda: step_counter(
        lost_run("(1) servers", "worker 1", (0, 39)),
        lost_run("(2) servers", "ps 0", (0, 28), end="raised"),
        lost_run("(3) mirrored", "worker 0", (0, 28), end="raised"),
    ),
    "steps begun again": lambda: step_counter(
        lost_run("broken_resumable", "ps 0", (0, 28), (0, 39), off=0.36),
        lost_run("my_resumable", "ps 0", (0, 28), (20, 39)),
    ),
    "a job that waits": lambda: step_counter(
        lost_run("servers", "ps 0", (0, 28), end="waited")
    ),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_the_table_says_who_was_lost_and_what_was_made_again():
    again = PICTURES["steps begun again"]()
    assert again.rows == [
        ("broken_resumable", "ps 0 lost", "29", "all 40 steps, weights differ by 0.36"),
        ("my_resumable", "ps 0 lost", "9", "all 40 steps, the right weights"),
    ]
    lost = PICTURES["jobs that lose a process"]()
    assert lost.rows[:2] == [
        ("(1) servers", "worker 1 lost", "0", "all 40 steps, the right weights"),
        ("(2) servers", "ps 0 lost", "0", "ends in step 28, UnavailableError"),
    ]
    (waits,) = PICTURES["a job that waits"]().rows
    assert waits[-1] == "waits in step 28, forever"


def test_the_sentence_says_what_to_look_at():
    again, lost = (
        PICTURES[name]().sentence
        for name in ("steps begun again", "jobs that lose a process")
    )
    assert again.startswith(lost) and "Hatched" in again and "Hatched" not in lost


def test_bad_input_gets_a_sentence():
    with pytest.raises(ValueError, match="one to 3 jobs, not 0"):
        step_counter()
