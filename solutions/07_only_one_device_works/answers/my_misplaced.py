"""Answers to 07/my_misplaced, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import changed, right, wrong


@right
def misplaced_list(operations, devices):
    """All indices first."""
    wrong = [i for i, line in enumerate(operations) if line[2] != devices[line[0]]]
    return (wrong[0], sum(operations[i][3] for i in wrong)) if wrong else None


@right
def loop(operations, devices):
    """One loop that remembers the first."""
    first, total = None, 0
    for index, (replica, _, ran, rows) in enumerate(operations):
        if ran != devices[replica]:
            first = index if first is None else first
            total += rows
    return None if first is None else [first, float(total)]


@right
def numpy(operations, devices):
    """NumPy masks."""
    ran = np.array([line[2] for line in operations])
    own = np.array(devices)[[line[0] for line in operations]]
    rows = np.array([line[3] for line in operations])
    wrong = ran != own
    if not wrong.any():
        return None
    return wrong.argmax(), rows[wrong].sum()


@wrong
@changed(
    misplaced_list,
    ("return (wrong[0], sum(operations[i][3] for i in wrong))", "return wrong[0]"),
)
def index_only():
    """Only the index."""


@wrong
@changed(misplaced_list, ("sum(", "2 * sum("))
def unknown():
    """Twice the rows: no known mistake."""
