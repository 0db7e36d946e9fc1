"""What the cards of this notebook say was expected."""

import numpy as np
import pytest

from course.lessons.n02_replicas_drift_apart.alike import ALIKE
from course.lessons.n02_replicas_drift_apart.even_shards import EVEN
from course.runs.replica_exercises import observation
from course.runs.update_rules import follow, own_step


@pytest.mark.parametrize(
    ("exercise", "what"),
    [
        (EVEN, "the sequential run"),
        (ALIKE, "one device that has replica 0's rows only"),
    ],
)
def test_a_card_names_the_run_that_was_expected(devices, exercise, what):
    (job, *_) = exercise.cases(np.random.default_rng(0))
    drifted = observation(follow(own_step, job))
    said = exercise.compare(job, drifted, exercise.expect(job))
    assert f"from {what} by up to" in said.came
    assert said.expected == (
        f"Expected: every replica within 1e-05 of {what} after each of the 10 steps."
    )
