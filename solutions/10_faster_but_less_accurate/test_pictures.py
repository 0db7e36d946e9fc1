"""What this notebook draws: the loss of runs, on the line of which batch."""

from picture_rules import picture_tests

from course.lessons.n10_faster_but_less_accurate.loss_curves import loss_curves
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


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_loss_curves_say_on_which_line_a_run_lies():
    said = PICTURES["on a line"]().sentence
    assert "broken_plan, 4 replicas lies on batch 32 at every step" in said
    assert "my_plan lies on one device, batch 8 at every step" in said
    assert "lies on no line" in PICTURES["a loss that leaves the figure"]().sentence
