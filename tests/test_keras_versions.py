"""Which versions of Keras train wrongly: the table, and the version that is here."""

import os
from importlib.metadata import version

import pytest
import tensorflow as tf

from autograder.keras_versions import (
    clips,
    measured,
    run_trial,
    table,
    tensorflow,
    verdict,
)

RIGHT = {"spread": 0.0, "off": 1e-7, "off_twice": 0.8, "loss": 1e-7, "clipped": 1e-7}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "right"),
        ({"loss": 0.2}, "right; the logged loss is another"),
        ({"off": 0.8, "off_twice": 1e-7}, "wrong: each step is twice as long"),
        ({"off": 0.8}, "wrong: other weights"),
        ({"off": 0.3, "spread": 0.6}, "wrong: the replicas' copies of the weights"),
    ],
)
def test_a_row_says_what_is_wrong_first(change, said):
    assert verdict(RIGHT | change).startswith(said)


def test_neighbours_that_say_the_same_share_a_line():
    rows = [
        {"package": "keras", "version": each, **RIGHT, "off": off, "clipped": clipped}
        for each, off, clipped in (
            ("3.1", 0.5, 0.5),
            ("3.2", 0.0, 0.5),
            ("3.3", 0.0, 0.5),
            ("3.4", 0.0, 0.0),
        )
    ]
    assert table(rows).splitlines()[2:] == [
        "| Keras 3.1 | wrong: other weights |  |",
        "| Keras 3.2 to 3.3 | right | other weights |",
        "| Keras 3.4 | right | right |",
    ]


def test_the_version_that_is_here_does_what_its_row_says():
    (row,) = [each for each in measured() if each["version"] == version("keras")]
    assert tensorflow() == tf.__version__
    seen = run_trial(dict(os.environ))
    assert verdict(seen) == verdict(row) == "right"
    assert clips(seen) == clips(row) == "other weights"
