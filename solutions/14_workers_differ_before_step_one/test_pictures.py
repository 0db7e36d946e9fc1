"""The paths of workers that begin apart, and what is said of them."""

import numpy as np
import pytest
from picture_rules import picture_tests

from course.lessons.n14_workers_differ_before_step_one.start_paths import start_paths
from course.lessons.n14_workers_differ_before_step_one.worker_starts import StartRun
from course.runs.recording import Recording

STEPS = 6


def run(label, shift=0.0, off=0.0, workers=2):
    """Workers that walk side by side, `shift` apart in b; both `off` one device."""
    path = np.linspace((0.0, 1.0), (1.0, 0.0), STEPS + 1)
    copies = np.repeat(path[:, None] + off, workers, axis=1)
    copies[:, 1, 1] += shift
    return StartRun(Recording(label, copies), path, [])


def test_one_run_has_a_panel_of_distances():
    picture = start_paths(run("broken", shift=0.7))
    left, right = picture.figure.axes
    assert picture.sentence == (
        "broken: before step 1 the workers are 0 apart in a and 0.700 in b, after 6 "
        "steps 0 and 0.700; the end is 0.7 from one device."
    )
    words = [text.get_text() for text in left.texts]
    assert "0.700\nstep 0" in words and "0.700\nstep 6" in words
    assert {"one device", "worker 0", "worker 1"} <= set(words)
    assert [text.get_text() for text in right.texts] == ["a", "b"]
    assert right.get_title("left") == "distance from worker 0 to worker 1"
    assert len(picture.rows) == STEPS + 1
    assert picture.rows[0] == (
        "broken",
        "0",
        "0.0000, 1.0000",
        "0.0000, 1.7000",
        "0.0000, 1.0000",
    )


def test_two_runs_share_their_axes():
    picture = start_paths(run("broken", shift=-0.4), run("mine"))
    left, right = picture.figure.axes
    assert left.get_ylim() == right.get_ylim()
    assert "mine: the workers are equal all the way" in picture.sentence
    assert "both workers,\none device" in [text.get_text() for text in right.texts]


def test_equal_workers_off_one_device_are_named_apart():
    left, _ = start_paths(run("mean", off=0.3)).figure.axes
    assert [t.get_text() for t in left.texts] == ["one device", "both workers"]


def test_only_two_workers_and_one_or_two_runs():
    for runs in ((), (run("a"),) * 3, (run("a", workers=3),)):
        with pytest.raises(ValueError, match="one or two runs"):
            start_paths(*runs)


PICTURES = {
    "workers begin apart": lambda: start_paths(run("broken_sync", 1.1)),
    "workers begin apart, then equal": lambda: start_paths(
        run("broken_sync", 1.1), run("my_sync")
    ),
    "workers begin the other way round": lambda: start_paths(
        run("broken_sync", -0.9), run("my_sync", -0.9)
    ),
    "workers agree on other weights": lambda: start_paths(
        run("broken_sync", 1.1), run("my_sync", off=0.5)
    ),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)
