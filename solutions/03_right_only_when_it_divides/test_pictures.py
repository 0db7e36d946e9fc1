"""What this notebook draws: how much each row of a step counts."""

import numpy as np
import pytest
from picture_rules import picture_tests

from course.lessons.n03_right_only_when_it_divides.example_bars import example_bars
from course.runs.update_rules import Job, follow, mean_of_means, sum_over_rows
from course.runs.workloads import regression


def row_weights(counts, *rules):
    """Bars for runs of these rules, the last step of an epoch split into `counts`."""
    job = Job(regression(8 + sum(counts)), 8, len(counts))
    truth = follow(sum_over_rows, Job(job.rows, 8, 1), "sequential")
    runs = [follow(rule, job, rule.__name__) for rule in rules]
    right = [np.full(n, 1 / sum(counts)) for n in counts]
    wrong = [np.full(n, 1 / (len(counts) * max(n, 1))) for n in counts]
    weights = {
        run.label: right if run.label == "sum_over_rows" else wrong for run in runs
    }
    return example_bars(truth, runs, weights, step=2)


PICTURES = {
    "a lone row": lambda: row_weights((2, 1), mean_of_means),
    "an empty replica": lambda: row_weights((1, 0), mean_of_means),
    "equal rows": lambda: row_weights((1, 1, 1, 0), mean_of_means, sum_over_rows),
}


test_a_figure_can_be_read_and_has_words = picture_tests(PICTURES)


def test_the_sentence_says_the_weights_of_rows():
    assert "with 1/4, 1/4, 1/2; right is 1/3 each" in PICTURES["a lone row"]().sentence
    assert "with 1/2; right is 1." in PICTURES["an empty replica"]().sentence
    assert "with 1/3 each, as one device" in PICTURES["equal rows"]().sentence


def test_bad_input_gets_a_sentence():
    job = Job(regression(24), 8, 4)
    run = follow(mean_of_means, job, "broken")
    with pytest.raises(ValueError, match="no weights are given for the run"):
        example_bars(follow(sum_over_rows, job, "sequential"), [run], {}, step=1)
