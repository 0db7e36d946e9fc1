"""What this notebook draws: which device does which work."""

import numpy as np
import pytest
from picture_rules import picture_tests

from course.lessons.n07_only_one_device_works.device_rows import device_rows
from course.lessons.n07_only_one_device_works.placed_training import PlacedRun
from course.pictures.parts import parts_at
from course.runs.placement import Work
from course.runs.recording import Recording
from course.runs.update_rules import Job, descend, each, follow, mean_gradient
from course.runs.workloads import regression

JOB = Job(regression(24), 8, 4)


def averaged(copies, shards):
    return descend(copies, each(mean_gradient, copies, shards).mean(axis=0))


RIGHT = follow(averaged, JOB, "my_step")
DEVICES = ("CPU:0", "CPU:1", "CPU:2", "CPU:3")
ONE = Recording("sequential", RIGHT.copies[:2, :1], (((0,) * 16,),), ((16,),))


def placed(label, rows, *places, off=0.0):
    """A run of one step that multiplies so many rows at each of these places."""
    works = [Work(0, p, p, rows, way) for p in places for way in (True, False)]
    weights = np.repeat(ONE.copies[-1], 4, axis=0) + off
    return PlacedRun(label, DEVICES, tuple(works), weights, DEVICES, 1)


ALL_ON_ONE = placed("broken_train", 16, "CPU:0")
SHARED_OUT = placed("my_train", 4, *DEVICES)
GHOSTS = PlacedRun(
    "two devices too many",
    (*DEVICES, "CPU:4", "CPU:5"),
    tuple(
        Work(replica, f"CPU:{replica}", ran, 16, way)
        for replica, ran in enumerate((*DEVICES, "CPU:0", "CPU:0"))
        for way in (True, False)
    ),
    np.repeat(ONE.copies[-1], 6, axis=0),
    (*DEVICES, "CPU:0", "CPU:0"),
    1,
)
PICTURES = {
    "one device works": lambda: device_rows(ONE, ALL_ON_ONE),
    "work before and after": lambda: device_rows(ONE, ALL_ON_ONE, SHARED_OUT),
    "shares on one device": lambda: device_rows(
        ONE, placed("pinned", 4, *["CPU:0"] * 4)
    ),
    "work elsewhere": lambda: device_rows(ONE, placed("my_train", 8, "GPU:0", "CPU:1")),
    "replicas without a device": lambda: device_rows(ONE, GHOSTS, there=DEVICES),
    "no work, other weights": lambda: device_rows(ONE, placed("my_train", 4, off=0.3)),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_the_sentence_says_who_works():
    words = PICTURES["work before and after"]().sentence
    assert "CPU:0 multiplies 16 rows forward and 16 for the gradient, the oth" in words
    assert "and CPU:3 each multiply 4 rows forward and 4 for the gradient; all" in words
    words = PICTURES["no work, other weights"]().sentence
    assert "no multiplication was seen; weights differ from those" in words


def test_a_device_that_is_not_there_has_a_lane_and_no_work():
    drawn = PICTURES["replicas without a device"]()
    lanes = [label.get_text() for label in drawn.figure.axes[0].get_yticklabels()]
    assert lanes == [*DEVICES, "no CPU:4", "no CPU:5"]
    assert "CPU:0, CPU:1, CPU:2 and CPU:3 multiply 48, 16, 16 and 16" in drawn.sentence
    said = parts_at(drawn.figure, 0)
    assert "CPU:0, replica 5: 16 rows forward; it asked for CPU:5" in said


def test_bad_input_gets_a_sentence():
    with pytest.raises(ValueError, match="one or two runs on the same devices"):
        device_rows(ONE)
