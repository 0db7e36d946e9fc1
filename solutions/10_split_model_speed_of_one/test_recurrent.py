"""The evidence for what notebook 10 states of recurrent models.

One is cut in two: its rows, its time, or its recurrence.
"""

from dataclasses import dataclass

import numpy as np
import pytest
import tensorflow as tf

from course.lessons.n10_split_model_speed_of_one.gradients import MY_PIPELINE_GRADS
from course.lessons.n10_split_model_speed_of_one.pipeline import in_micro_batches
from course.runs.devices import virtual_devices
from course.runs.rendezvous import Rendezvous
from course.runs.spans import SpanRecorder, stamped

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),
]  # before TensorFlow starts

TIMES, ROWS, WIDTH = 6, 4, 3
SECONDS = 0.02  # the work of one cell, a wait

Cut = list[tuple[slice, list[range]]]  # rows, and the times that a device computes

# how: for some rows, the times in parts; each part on the next device
CUTS: dict[str, Cut] = {
    "not cut": [(slice(0, 4), [range(6)])],
    "rows cut in two": [(slice(0, 2), [range(6)]), (slice(2, 4), [range(6)])],
    "time cut in two": [(slice(0, 4), [range(3), range(3, 6)])],
    "time cut, no state handed on": [(slice(0, 4), [range(3), range(3, 6)])],
}


@dataclass(frozen=True)
class CellsRun:
    """What a way to cut gave.

    cells: how many were computed; at_once: the most at the same time; chain: the
    longest row of cells in which each needs the one before; off: the largest
    difference of the last states from those of the uncut model.
    """

    cells: int
    at_once: int
    chain: int
    off: float


def run_cells(how: str) -> CellsRun:
    """Run 6 times of a recurrent cell on 4 rows, cut as `how` says.

    Raises:
        KeyError: `how` is none of CUTS.
    """
    uncut, _, _ = _run(CUTS["not cut"], True)
    states, recorder, chain = _run(CUTS[how], "no state" not in how)
    devices = virtual_devices(4)
    run = recorder.timeline(how, devices)
    off = float(np.abs(states - uncut).max())
    return CellsRun(len(run.spans), run.most_at_once, chain, off)


def _run(cut: Cut, handed_on: bool) -> tuple[np.ndarray, SpanRecorder, int]:
    devices, recorder = virtual_devices(4), SpanRecorder()
    rng = np.random.default_rng(9)
    w, u = (rng.normal(size=(WIDTH, WIDTH)).astype(np.float32) for _ in "wu")
    inputs = rng.normal(size=(TIMES, ROWS, WIDTH)).astype(np.float32)
    longest = 0

    def note(device: str, array: np.ndarray) -> None:
        recorder.wait(device, SECONDS)

    @tf.function(autograph=False)
    def forward(x):
        nonlocal longest
        device, ends = 0, []
        for rows, parts in cut:
            h, chain = x[0, rows] * 0, 0
            ends.append(h)
            for part in parts:
                if not handed_on:
                    # a new state; the sum keeps the first part from being left out
                    h, chain = x[0, rows] * 0, 0
                with tf.device(devices[device]):
                    for t in part:
                        h = stamped(tf.tanh(x[t, rows] @ w + h @ u), note)
                        chain += 1
                longest, device = max(longest, chain), device + 1
                ends[-1] = h + 0 * ends[-1]
        return tf.concat(ends, axis=0)

    states = forward(tf.constant(inputs)).numpy()
    return states, recorder, longest


def test_claim_002_05():
    """Time cut in two is one row of cells; three micro-batches are in three stages."""
    cut = run_cells("time cut in two")
    assert (cut.cells, cut.chain, cut.at_once) == (6, 6, 1)
    assert cut.off == 0
    job = MY_PIPELINE_GRADS.cases(np.random.default_rng(1))[0]
    assert MY_PIPELINE_GRADS.observe(in_micro_batches, job).counts["met"] == (1, 1, 1)


def test_claim_002_11(monkeypatch):
    """Rows on two devices: the same result, and both compute at the same time."""
    alone, cut = run_cells("not cut"), run_cells("rows cut in two")
    assert (alone.cells, cut.cells) == (6, 12)
    assert cut.chain == alone.chain == 6
    assert cut.off < 1e-6
    broken = run_cells("time cut, no state handed on")
    assert broken.chain == 3
    assert broken.off > 0.1
    meeting = Rendezvous(2)
    monkeypatch.setattr(SpanRecorder, "wait", lambda *what: meeting.wait())
    _run(CUTS["rows cut in two"], True)
    assert (meeting.met, meeting.came) == (2, 12)
