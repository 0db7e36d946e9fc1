"""Locate: which training of one device is this run, and how closely?"""

from __future__ import annotations

import numpy as np

from course.checks.findings import finding
from course.checks.places import Place
from course.lessons.n11_faster_but_less_accurate.runs import (
    EQUAL,
    Found,
    draw,
    gap,
)
from course.lessons.n11_faster_but_less_accurate.wrong_same_training import MISTAKES


def _found(run: np.ndarray, alone: dict[int, np.ndarray]) -> Found:
    fits = {
        batch: gap(run, weights)
        for batch, weights in alone.items()
        if len(weights) >= len(run)
    }
    batch = min(fits, key=fits.get)
    return (batch, fits[batch]) if fits[batch] < EQUAL else None


MY_SAME_TRAINING = finding(
    "11/my_same_training",
    Place(("batch",), ("gap",)),
    draw,
    given=lambda case: (case.run.copy(), {b: w.copy() for b, w in case.alone.items()}),
    find=_found,
    nothing="no training of one device stays within 0.01 of this run at every step.",
    wanted="the batch whose training stays within 0.01 at every step of the run, and "
    "the largest difference of a weight in these steps.",
    mistakes=MISTAKES,
    usual={
        "nothing_found": "it never finds a training. Runs were rounded: compare with "
        "0.01, and only the steps that the run has.",
    },
    tolerance=1e-6,
    right="Right on seven runs: two whole ones, one that was stopped, and four that "
    "are no training of one device with these batches.",
)
