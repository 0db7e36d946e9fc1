"""What this notebook draws: who reads and writes when, and gradients that are old."""

import numpy as np
import pytest
from picture_rules import picture_tests

from course.lessons.n05_different_every_run.lanes import lanes
from course.lessons.n05_different_every_run.late_gradients import late_gradients
from course.lessons.n05_different_every_run.schedules import Event, Interleaving
from course.pictures.parts import parts_at


def interleaving(label, final, *steps, done=True):
    """Two threads that add 1 and 10; a step is (thread, kind, value)."""
    events = tuple(Event(*step) for step in steps)
    return Interleaving(label, 2, (1.0, 10.0), 0.0, events, final, (done, done))


R0, R1, NAN = (0, "read", 0.0), (1, "read", 0.0), float("nan")
CROSSED = interleaving("crossed", 10.0, R0, R1, (0, "write", 1.0), (1, "write", 10.0))
IN_TURN = interleaving(
    "in turn", 11.0, R0, (0, "write", 1.0), (1, "read", 1.0), (1, "write", 11.0)
)
ADDED = interleaving("added", 11.0, R0, R1, (1, "add", 10.0), (0, "add", 11.0))
POOLED = interleaving("pooled", 11.0, R0, R1, (-1, "add", 11.0))
LOCKED = interleaving(
    "my_update",
    11.0,
    R0,
    (1, "waits", NAN),
    R0,
    (1, "waits", NAN),
    (0, "write", 1.0),
    (1, "read", 1.0),
    (1, "read", 1.0),
    (1, "write", 11.0),
)
THREE = Interleaving(
    "no lock",
    3,
    (1.0, 10.0, 100.0),
    0.0,
    tuple(Event(*step) for step in (R0, R1, (2, "read", 0.0), (0, "write", 1.0))),
    1.0,
    (True, False, False),
)
PICTURES = {
    "two orders": lambda: lanes(IN_TURN, CROSSED),
    "lost, then added": lambda: lanes(CROSSED, ADDED),
    "lost, then locked": lambda: lanes(CROSSED, LOCKED),
    "lost, then pooled": lambda: lanes(CROSSED, POOLED),
    "nothing done yet": lambda: lanes(interleaving("start", 0.0, R0, done=False)),
    "three threads": lambda: lanes(THREE, steps=6),
    "old gradients": lambda: late_gradients(
        {
            "5% under, 3 steps old": np.geomspace(1, 0.05, 301),
            "5% over, 3 steps old": np.geomspace(1, 20, 301),
            "5% over, not old": np.geomspace(1, 1e-9, 301),
        }
    ),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_the_sentence_says_what_was_overwritten():
    assert (
        "thread 1's write of 10 in step 3 loses 1" in PICTURES["two orders"]().sentence
    )
    assert "my_update: the variable ends at 11." in (
        PICTURES["lost, then locked"]().sentence
    )


def test_bad_input_gets_a_sentence():
    with pytest.raises(ValueError, match="one or two runs, not 0"):
        lanes()


def test_a_step_says_what_it_is_when_pointed_at():
    said = parts_at(PICTURES["two orders"]().figure, 0)
    assert "step 3, thread 1: writes 10 loses 1; then the variable holds 10" in said
    assert len(said) == 8
