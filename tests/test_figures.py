"""Figures that several notebooks draw; pictures and recordings refuse what is none."""

import numpy as np
import pytest
from picture_rules import picture_tests

from course.pictures.picture import png, show
from course.pictures.timeline import timeline
from course.runs.recording import Recording
from course.runs.spans import Span, Timeline


def in_stages(micro_batches, label):
    """Four stages, the forward and backward passes of the micro-batches."""
    long, last = 0.4 / micro_batches, micro_batches + 3
    spans = [
        Span(f"stage {s}", at * long, (at + 1) * long, str(m + 1), kind)
        for m in range(micro_batches)
        for s in range(4)
        for at, kind in ((m + s, "forward"), (last + m + 3 - s, "backward"))
    ]
    return Timeline(label, tuple(f"stage {s}" for s in range(4)), tuple(spans))


def steps_of_replicas(label, apart):
    """Three steps of four replicas, which begin `apart` seconds after each other."""
    lanes = tuple(f"replica {r}" for r in range(4))
    spans = [
        Span(lanes[r], begin, begin + 0.05, str(step + 1))
        for step in range(3)
        for r in range(4)
        for begin in (step * (4 * apart + 0.06) + r * apart,)
    ]
    return Timeline(label, lanes, tuple(spans))


PICTURES = {
    "spans in turn, and at once": lambda: timeline(
        steps_of_replicas("broken_train", 0.06), steps_of_replicas("my_train", 0.0)
    ),
    "nothing ran": lambda: timeline(Timeline("broken", ("CPU:0", "CPU:1"), ())),
    "four pipelines": lambda: timeline(
        *(in_stages(m, f"{m} micro-batches") for m in (1, 2, 4, 8)),
        idle=True,
        tell=lambda run: f"{run.idle:.0%} idle",
    ),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_the_same_recording_gives_the_same_picture():
    name = "spans in turn, and at once"
    assert png(PICTURES[name]()) == png(PICTURES[name]())


def test_bad_input_gets_a_sentence():
    with pytest.raises(TypeError, match="show takes a picture"):
        show(Timeline("no picture", (), ()))
    with pytest.raises(ValueError, match="copies needs the shape"):
        Recording("flat", np.zeros((3, 2)))
