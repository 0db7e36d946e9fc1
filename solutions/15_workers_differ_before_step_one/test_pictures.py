"""The paths of workers that begin apart, and what is said of them."""

import numpy as np
from picture_rules import picture_tests

from course.lessons.n15_workers_differ_before_step_one.start_paths import start_paths
from course.lessons.n15_workers_differ_before_step_one.worker_starts import StartRun
from course.pictures.parts import parts_at
from course.runs.recording import Recording

STEPS = 6


def run(label, shift=0.0, off=0.0, workers=2):
    """Workers that walk side by side, `shift` apart in b; all `off` one device."""
    path = np.linspace((0.0, 1.0), (1.0, 0.0), STEPS + 1)
    copies = np.repeat(path[:, None] + off, workers, axis=1)
    copies[:, :, 1] += shift * np.arange(workers)
    return StartRun(Recording(label, copies), path, [])


def words(axis):
    return [text.get_text() for text in axis.texts]


def test_a_run_is_a_film_of_its_steps():
    picture = start_paths(run("broken", shift=0.7))
    left, right = picture.figure.axes
    assert picture.sentence == (
        "broken: the workers are 0.700 apart before step 1 and 0.700 after step 6; "
        "from one device, 0.700 and 0.700."
    )
    assert len(picture.moments) == len(picture.said) == STEPS + 1
    assert picture.said[0].startswith("broken: before step 1 the workers are 0.700")
    assert words(left) == ["worker 0,\none device", "worker 1"]
    assert words(right) == ["between\nworkers", "from one\ndevice"]
    assert picture.rows[0] == (
        "0",
        "0.0000, 1.0000",
        "0.0000, 1.7000",
        "0.0000, 1.0000",
    )
    says = "worker 1 after step 2: a 0.333, b 1.367"
    assert says in parts_at(picture.figure, 2)
    assert says not in parts_at(picture.figure, 1)


def test_the_run_before_stays():
    picture = start_paths(run("mine"), run("broken", shift=-0.4))
    left, right = picture.figure.axes
    assert words(left) == ["both workers,\none device"] and words(right) == [
        "both\ndistances"
    ]
    assert "Before that, broken ended 0.400 apart (dotted)." in picture.sentence


def test_equal_workers_off_one_device_are_named_apart():
    left, _ = start_paths(run("mean", off=0.3)).figure.axes
    assert words(left) == ["both workers", "one device"]


PICTURES = {
    "workers begin apart": lambda: start_paths(run("broken_sync", 1.1)),
    "three workers": lambda: start_paths(run("made outside", 0.4, workers=3)),
    "workers begin apart, then equal": lambda: start_paths(
        run("my_sync"), run("broken_sync", 1.1)
    ),
    "workers begin the other way round": lambda: start_paths(
        run("made in the scope, on worker 1 b first", -0.9), run("my_sync", -0.9)
    ),
    "three workers agree on other weights": lambda: start_paths(
        run("my_sync", off=0.5, workers=3), run("broken_sync", 1.1)
    ),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)
