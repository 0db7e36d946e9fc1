"""The evidence for what notebook 20 states, in its claims and in its prose."""

# TODO(room): a test for each claim, test_claim_000_01, and each fact of the text

from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from autograder.source import read_source
from course.lessons.n20_hangs_when_it_saves import totals

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),  # before TensorFlow starts
]

SOURCE = Path(__file__).parent / f"{Path(__file__).parent.name}.py"
CELLS = {cell.id: cell.text for cell in read_source(SOURCE).cells}
PARTS = [np.float32([1, 2, 3]), np.float32([7, 8])]


def defined_in(cell):
    """What a cell of the notebook defines, as it is printed."""
    names = {"tf": tf}
    exec(compile(CELLS[cell], cell, "exec"), names)
    return names


def test_each_replica_adds_up_what_it_holds(devices):
    broken = defined_in("my_total-broken")["broken_total"]
    assert totals(broken, PARTS, devices[:2]).tolist() == [6, 15]


def test_the_solution_adds_up_all(devices):
    mine = defined_in("my_total-fix")["my_total"]
    assert totals(mine, PARTS, devices[:2]).tolist() == [21, 21]
