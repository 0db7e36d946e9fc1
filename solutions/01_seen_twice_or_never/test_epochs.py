"""The recorder of an epoch: what replicas were given, and words where that fails."""

import re

import pytest
import tensorflow as tf

from course.checks.checking import verdict_on
from course.checks.failures import StepFailed
from course.checks.verdicts import Outcome
from course.lessons.n01_seen_twice_or_never.epochs import Epoch, record_epoch


def batched(data, strategy, batch):
    return data.batch(batch)


def distributed(data, strategy, batch):
    return strategy.experimental_distribute_dataset(data)


def test_times_seen_counts_by_step_and_row():
    epoch = Epoch("x", 4, 2, (((0, 1), (1,)), ((3,), ())))
    assert epoch.times_seen().tolist() == [[1, 2, 0, 0], [0, 0, 0, 1]]
    assert epoch.replicas == 2
    assert Epoch("empty", 4, 2, ()).times_seen().shape == (0, 4)


def test_a_pipeline_without_end_is_cut(devices):
    stages = [batched, lambda data, strategy, batch: data.repeat(), distributed]
    epoch = record_epoch(stages, 10, 4, devices[:2])
    assert epoch.cut
    assert epoch.times_seen().sum(axis=0).max() == 3
    assert not record_epoch([batched], 10, 4, devices[:2]).cut


def test_a_pipeline_of_nothing_without_end_is_cut(devices):
    def empty(data, strategy, batch):
        while True:
            yield tf.zeros(0, tf.int64)

    assert record_epoch([empty], 10, 4, devices[:2]).cut


def test_a_stage_that_never_gives_anything_is_stopped(devices, monkeypatch):
    monkeypatch.setattr("course.lessons.n01_seen_twice_or_never.epochs.SECONDS", 1.0)

    def stuck(data, strategy, batch):
        while True:
            pass
        yield

    with pytest.raises(StepFailed, match="did not end in the processor time"):
        record_epoch([stuck], 10, 4, devices[:2])


@pytest.mark.parametrize(
    ("stages", "words"),
    [
        (None, "Return a list of stages, such as [batch_rows]. Your function returned"),
        (batched, "Return a list of stages"),
        (["batched"], "without brackets. Your list holds 'batched'."),
        ([[batched]], "Your list holds [<function"),
        ([lambda data, strategy, batch: None], "The stage returned None."),
        ([distributed], "In the stage distributed: It stopped with IndexError"),
        ([distributed], "the rows must be batched before"),
        ([batched, distributed, batched], "can only be iterated"),
        ([batched, distributed, distributed], "can only be iterated"),
        ([batched, batched], "are batches batched again?"),
        ([batched, batched], "InvalidArgumentError: Cannot batch tensors"),
        ([batched, batched], "had shape [2]. What is put into one batch"),
        ([lambda data: data], "must keep the arguments"),
        ([lambda d, s, b: [1, 2]], "a step was given int"),
        ([lambda d, s, b: d.map(float_of)], "row numbers are whole numbers"),
        ([lambda d, s, b: d.map(lambda row: row + 5)], "from 0 to 9"),
        ([lambda d, s, b: 3], "'int' object is not iterable"),
    ],
)
def test_a_failure_is_told_in_words(devices, stages, words):
    with pytest.raises(StepFailed, match=re.escape(words)):
        record_epoch(stages, 10, 4, devices[:2])


# no stage is named where the learner wrote none
NO_DATASET = "Return a tf.data.Dataset of single rows.\nYour function returned "


def float_of(row):
    return tf.cast(row, tf.float32)


@pytest.mark.parametrize(
    ("exercise", "function", "words"),
    [
        ("01/my_stages", lambda: None, "Return a list of stages"),
        ("01/my_stages", lambda stages: [], "must keep the arguments"),
        ("01/my_stages", lambda: [batched()], "without brackets: batched."),
        ("01/my_blocks", lambda data, rows, batch, replicas: None, NO_DATASET + "None"),
        ("01/my_blocks", lambda data, rows, batch, replicas: 3, NO_DATASET + "3"),
        ("01/my_blocks", lambda d, rows, batch, n: d.batch(batch), "are row numbers"),
        ("01/my_shards", lambda data, rows, replicas: None, "a list of 4 datasets"),
        ("01/my_shards", lambda data, rows, replicas: [data], "a list of 4 datasets"),
        ("01/my_first_faults", lambda steps, rows: 3, "returned 3."),
        ("01/my_first_faults", lambda steps, rows: [[1, 2]], "returned [[1, 2]]."),
        ("01/my_first_faults", lambda steps, rows: (1, 2, 3), "row never seen"),
        ("01/my_first_faults", lambda steps, rows: (1.5, None), "whole number"),
    ],
)
def test_a_usual_slip_gets_a_sentence(devices, exercise, function, words):
    verdict = verdict_on(exercise, function)
    assert words in verdict.message
    returned = any(line.startswith("Return ") for line in verdict.lines)
    assert verdict.outcome is (Outcome.WRONG if returned else Outcome.CRASHED)
    assert all(len(line) < 400 for line in verdict.lines)
