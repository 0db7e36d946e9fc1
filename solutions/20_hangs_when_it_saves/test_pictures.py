"""What this notebook draws: which calls met, and what lies in the file."""

import pytest
from picture_rules import picture_tests

from course.lessons.n20_hangs_when_it_saves.meetings import meetings
from course.lessons.n20_hangs_when_it_saves.saving_job import SHOWN, SavedRun, job_of
from course.pictures.parts import parts_at
from course.runs.cluster import ClusterRun, End

pytestmark = pytest.mark.usefixtures("devices")  # a truth starts TensorFlow
JOB = job_of(SHOWN[:4])
STEPS = [(k, "step") for k in range(4)]
TOGETHER = [*STEPS[:2], (1, "save"), *STEPS[2:], (3, "save")]


def run(label, outcomes, calls, held):
    ends = [
        End(f"worker {k}", outcome, None, "", (), (), "")
        for k, outcome in enumerate(outcomes)
    ]
    made = SavedRun(label, JOB, ClusterRun(tuple(ends), 5.0), held)
    object.__setattr__(made, "calls", lambda: calls)  # of beats that are not there
    return made


def broken():
    calls = [[*STEPS[:2], (1, "log"), (1, "save"), *STEPS[2:]], STEPS]
    held = {"weights": JOB.truths[0] + 7}
    return run("broken_save", ("waited", "returned"), calls, held)


def whole(label, outcomes, held):
    return run(label, outcomes, [TOGETHER, TOGETHER], {"weights": held})


def mine():
    return whole("my_save", ("returned", "returned"), JOB.truths[1])


def killed():
    return whole("my_save", ("killed", "raised"), JOB.truths[0])


def torn():
    return whole("straight", ("killed", "returned"), None)


def none():
    return run("nothing", ("returned", "returned"), [STEPS, STEPS], {})


PICTURES = {
    "broken": lambda: meetings(broken()),
    "before and after": lambda: meetings(broken(), mine()),
    "killed": lambda: meetings(killed()),
    "torn": lambda: meetings(torn()),
    "none": lambda: meetings(none()),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_the_sentence_tells_the_broken_run_from_the_right_one():
    said = meetings(broken()).sentence
    assert "The save after step 1 of worker 0 met step 2 of worker 1" in said
    assert "Worker 0 waited forever." in said and "At the end it should be" in said
    assert meetings(mine()).sentence == (
        "In each meeting, both workers made the same call. The file weights is right "
        "for step 3."
    )


def test_what_lies_in_the_folder_is_told():
    assert "right for step 1" in meetings(killed()).sentence
    assert "Worker 0 was killed. Worker 1 got an error." in meetings(killed()).sentence
    assert "incomplete" in meetings(torn()).sentence
    assert "no file" in meetings(none()).sentence


def test_a_box_says_what_it_met():
    said = parts_at(meetings(broken()).figure, 0)
    met = "worker 0, the save after step 1: it met step 2 of the other worker"
    assert met in said and "worker 0, step 3: it waits" in said
