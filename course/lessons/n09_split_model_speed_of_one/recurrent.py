"""A recurrent model, cut in two: its rows, its time, or its recurrence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.runs.devices import virtual_devices
from course.runs.spans import SpanRecorder, stamped

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
