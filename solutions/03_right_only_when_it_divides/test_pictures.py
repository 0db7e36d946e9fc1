"""What this notebook draws: how much each row of a step counts."""

import numpy as np
import pytest
import tensorflow as tf
from picture_rules import picture_tests

from course.lessons.n03_right_only_when_it_divides import playing
from course.lessons.n03_right_only_when_it_divides.example_bars import example_bars
from course.pictures.parts import parts_at
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
    return example_bars(truth, runs, weights, step=1)


PICTURES = {
    "a lone row": lambda: row_weights((2, 1), mean_of_means),
    "an empty replica": lambda: row_weights((1, 0), mean_of_means),
    "equal rows": lambda: row_weights((1, 1, 1, 0), mean_of_means, sum_over_rows),
}


def played(rows, batch, replicas):
    """What broken_loss gives each row, by arithmetic."""
    steps = regression(rows).batches(batch, -(-rows // batch))
    counts = [[len(shard) for shard in step.shards(replicas)] for step in steps]
    weights = [[np.full(n, 1 / (replicas * max(n, 1))) for n in c] for c in counts]
    return playing.Epoch("broken_loss", rows, batch, weights)


PICTURES |= {
    f"the instrument, {rows} rows, {batch} in a step, {replicas} replicas": (
        lambda knobs=(rows, batch, replicas): playing.picture(played(*knobs))
    )
    for rows, batch, replicas in ((11, 8, 2), (24, 6, 4), (8, 12, 3), (13, 12, 4))
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
        example_bars(follow(sum_over_rows, job, "sequential"), [run], {}, step=0)


def broken_loss(per_example, ctx):
    return tf.reduce_mean(per_example) / ctx.num_replicas_in_sync


@pytest.mark.parametrize(
    ("rows", "batch", "replicas"), [(8, 12, 4), (24, 6, 3), (11, 8, 2)]
)
def test_the_instrument_measures_what_the_loss_gives(devices, rows, batch, replicas):
    now = playing.run(rows, batch, replicas, broken_loss)
    right = played(rows, batch, replicas)
    for step, wanted in zip(now.weights, right.weights, strict=True):
        for own, each in zip(step, wanted, strict=True):
            np.testing.assert_allclose(own, each, rtol=1e-6)
    assert playing.told(now) == playing.told(right)


def test_the_instruments_sentence_says_where_it_is_off():
    sentence = playing.picture(played(11, 8, 2)).sentence
    assert ": in step 1, not every row weighs what it weighs on one device." in sentence
    assert sentence.endswith("The heaviest one weighs 1.5 times as much.")
    line = playing.told(played(11, 8, 2))
    assert line.endswith("last step (2 + 1) counts 0.75 to 1.5 times as on one device")
    assert "every row weighs" in playing.picture(played(16, 8, 4)).sentence
    said = parts_at(playing.picture(played(11, 8, 2)).figure, 0)
    assert "row 10, replica 1, step 1: weight 1/2 instead of 1/3" in said
