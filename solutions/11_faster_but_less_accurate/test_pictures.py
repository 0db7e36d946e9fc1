"""What this notebook draws: the loss of runs, on the line of which batch."""

from dataclasses import replace

from picture_rules import picture_tests

from course.lessons.n11_faster_but_less_accurate.loss_curves import loss_curves
from course.lessons.n11_faster_but_less_accurate.playing import Played
from course.lessons.n11_faster_but_less_accurate.run_and_step import draw
from course.pictures.parts import parts_at
from course.runs.spans import Span, Timeline
from course.runs.update_rules import Job, each, follow, mean_gradient
from course.runs.workloads import regression


def by_batches(batch, label, rate=0.1):
    """One device on 64 rows, four epochs, computed in NumPy."""
    job = Job(regression(64), batch, 1, 256 // batch)
    run = follow(
        lambda copies, shards: copies - rate * each(mean_gradient, copies, shards),
        job,
        label,
    )
    return run


EIGHT, THIRTY_TWO = by_batches(8, "one device, batch 8"), by_batches(32, "batch 32")
PICTURES = {
    "on a line": lambda: loss_curves(
        [EIGHT, THIRTY_TWO],
        [by_batches(32, "broken_plan, 4 replicas"), by_batches(8, "my_plan")],
        regression(64),
    ),
    "a loss that leaves the figure": lambda: loss_curves(
        [EIGHT, THIRTY_TWO], [by_batches(64, "batch 64, rate 1.6", 1.6)], regression(64)
    ),
}


def played(run, *alone):
    spans = [
        Span("CPU:0", 0, 0.02, kind="fixed"),
        Span("CPU:0", 0.02, 0.1, kind="rows"),
    ]
    spans.append(Span("exchange", 0.1, 0.28, kind="exchange"))
    lanes = ("CPU:0", "CPU:1", "CPU:2", "CPU:3", "exchange")
    step = Timeline("4 replicas", lanes, tuple(spans))
    return Played(run.label, "settings", run, alone, step, 16, normalised=False)


def one(batch, rate):
    return by_batches(batch, f"one device, batch {batch}, rate {rate:g}", rate)


SAME = played(by_batches(32, "4 replicas (8 + 8 + 8 + 8 rows), rate 0.1"), one(8, 0.1))
NONE = played(by_batches(64, "4 replicas (16 + 16 + 16 + 16 rows), rate 1.6", 1.6))
PICTURES |= {
    "another training": lambda: draw(
        replace(SAME, alone=(*SAME.alone, one(32, 0.1))), None, regression(64)
    ),
    "no training": lambda: draw(
        replace(NONE, alone=(one(16, 0.1), one(8, 1.6))), SAME, regression(64)
    ),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_loss_curves_say_on_which_line_a_run_lies():
    said = PICTURES["on a line"]().sentence
    assert "broken_plan, 4 replicas lies on batch 32 at every step" in said
    assert "my_plan lies on one device, batch 8 at every step" in said
    assert "lies on no line" in PICTURES["a loss that leaves the figure"]().sentence


def test_the_instrument_names_the_training_and_its_parts():
    picture = PICTURES["another training"]()
    assert "it equals one device, batch 32, rate 0.1 after every" in picture.sentence
    says = parts_at(picture.figure, 0)
    assert "CPU:0: 16 rows, 80 ms" in says and "exchange: exchange, 180 ms" in says
    assert any(each.startswith("after 8 steps: 256 examples seen") for each in says)
    assert "it equals no run of one device" in PICTURES["no training"]().sentence
