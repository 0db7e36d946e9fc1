"""Jobs of gradients under a limit of rows alive: run them, and compare the results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.checks.exercises import TOLERANCE, Difference, Observation
from course.lessons.n12_out_of_memory.memory_limit import ONE_GRAPH
from course.lessons.n12_out_of_memory.rows_alive import CountedNetwork
from course.runs.workloads import Rows, regression


@dataclass(frozen=True, eq=False)
class Job:
    """Rows, start weights w (2, 3) and v (3,), and how many rows may be alive."""

    rows: Rows
    w: np.ndarray
    v: np.ndarray
    most: int

    def __str__(self) -> str:
        return f"{len(self.rows)} rows, at most {self.most} alive"

    @property
    def sizes(self) -> list[int]:
        """Rows of the micro-batches of `most` rows; the last one is smaller."""
        rows, most = len(self.rows), self.most
        return [min(most, rows - i) for i in range(0, rows, most)]


def draw(rng: np.random.Generator) -> list[Job]:
    """Draw rows that do not divide into micro-batches, 3 to 5 of them."""
    jobs = []
    for rows, most in ((22, 8), (19, 4), (26, 11)):
        data = regression(rows - int(rng.integers(2)), int(rng.integers(1000)))
        w = rng.normal(size=(2, 3)) * 0.5
        v = rng.uniform(0.6, 1.2, 3) * rng.choice([-1, 1], 3)
        jobs.append(Job(data, w.astype(np.float32), v.astype(np.float32), most))
    return jobs


def _mean_gradient(job: Job) -> np.ndarray:
    """Return the gradient of the mean loss, (9,), by hand and in float64."""
    x, y = job.rows.x.astype(float), job.rows.y.astype(float)
    w, v = job.w.astype(float), job.v.astype(float)
    hidden = np.tanh(x @ w)
    error = 2 * (hidden @ v - y) / len(x)
    inner = error[:, None] * v * (1 - hidden**2)
    return np.concatenate([(x.T @ inner).ravel(), error @ hidden])


@contextmanager
def eagerly() -> Iterator[None]:
    """Run the learner's own tf.functions eagerly: their rows can be counted then."""
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(False)


def observe(function: Callable, job: Job) -> Observation:
    """Run a learner's function on a network of its own."""
    return watch(function, job)[0]


def watch(function: Callable, job: Job) -> tuple[Observation, CountedNetwork]:
    """Do what `observe` does; return the network, too."""
    network = CountedNetwork(job.rows, job.w, job.v)
    if hasattr(function, "get_concrete_function"):
        values, problem = np.empty(0), f"Your function {ONE_GRAPH}"
    else:
        weights, rows = list(network.weights), (network.x, network.y)
        with eagerly():
            result = function(weights, *rows, network.row_losses, job.most)
        values, problem = _flat(result)
    now = (weight.numpy() for weight in network.weights)
    moved = not all(map(np.array_equal, now, (job.w, job.v)))
    counts = {
        "calls": (network.calls,),
        "over": (max(0, network.peak - job.most),),
        "seen": tuple(network.seen),
        "moved": (int(moved),),
    }
    return Observation(values, counts, problem), network


def _flat(result: object) -> tuple[np.ndarray, str]:
    """Return the gradients of both weights in one row, and what is wrong with them."""
    shapes, none = [(2, 3), (3,)], np.empty(0)
    if not isinstance(result, list | tuple):
        what = "None" if result is None else f"one {type(result).__name__}"
        return none, f"Your function returned {what}."
    if len(result) != len(shapes):
        longer = (
            " With a list, `+=` and `append` make it longer: add up weight by weight."
            if len(result) > len(shapes)
            else ""
        )
        return none, f"Your function returned a list of length {len(result)}.{longer}"
    flat = []
    for number, (part, shape) in enumerate(zip(result, shapes, strict=True)):
        if part is None:
            return none, (
                f"The gradient of weight {number} is None: the tape found no path from "
                "that weight to the loss. Everything from the weights to the loss, "
                "also the mean, must be computed inside the tape's block."
            )
        try:
            array = np.asarray(tf.convert_to_tensor(part), dtype=np.float64)
        except (TypeError, ValueError):
            array = np.empty(0)
        if array.shape != shape:
            return none, (
                f"The gradient of weight {number} must have the shape {shape}. Yours "
                f"has the shape {array.shape}."
            )
        flat.append(array.ravel())
    return np.concatenate(flat), ""


def expect(job: Job) -> Observation:
    """Return the truth: the gradients of all rows, each in one call."""
    return Observation(
        _mean_gradient(job),
        {
            "calls": (len(job.sizes),),
            "over": (0,),
            "seen": (1,) * len(job.rows),
            "moved": (0,),
        },
    )


def compare(job: Job, got: Observation, truth: Observation) -> Difference:
    """Describe the first difference: the gradients, rows alive, calls."""
    if wrong := compare_gradients(job, got, truth):
        return wrong
    calls, over = got.counts["calls"][0], got.counts["over"][0]
    if over:
        return Difference(
            f"The gradients are right, but the activations of {over + job.most} rows "
            f"were alive at the same time. row_losses was called {times(calls)}.",
            f"Expected: at most {job.most} rows alive.",
        )
    return Difference(
        f"The gradients are right and fit, but row_losses was called {times(calls)}.",
        f"Expected: {len(job.sizes)} calls, the fewest with at most {job.most} rows "
        "each. Every call has a cost of its own.",
    )


def compare_gradients(
    job: Job, got: Observation, truth: Observation
) -> Difference | None:
    """Describe the first of: no gradients, moved weights, rows, values; or None."""
    counts = got.counts
    if got.told:
        return Difference(
            got.told,
            "Expected: one gradient for each weight, a list of shapes (2, 3) and (3,).",
        )
    if counts["moved"][0]:
        return Difference(
            "The weights were changed while the gradients were computed.",
            "Expected: all micro-batches see the same weights, which stay as they are.",
        )
    seen = np.array(counts["seen"])
    if (seen != 1).any():
        return Difference(
            f"row_losses was called {times(counts['calls'][0])}. {_rows_seen(seen)}",
            "Expected: each row is in exactly one call.",
        )
    off = np.abs(got.values - truth.values)
    off = float(np.where(np.isfinite(off), off, np.inf).max())
    if off > TOLERANCE:
        sizes = ", ".join(map(str, job.sizes))
        if not got.values.any():
            return Difference("All gradients are zero.", "Expected: they are not.")
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = got.values / truth.values
        whole = (
            f" Each is {ratios.mean():.4g} times as large as it should be."
            if np.isfinite(ratios).all() and np.ptp(ratios) < 1e-3
            else ""
        )
        return Difference(
            f"The gradients are off by up to {off:.2g}.{whole}",
            f"Expected: within {TOLERANCE:.0e} of the gradients of the mean loss over "
            f"all rows at once. (Micro-batches of {job.most} have {sizes} rows here.)",
        )
    return None


def times(calls: int) -> str:
    """Return "once" or "3 times"."""
    return "once" if calls == 1 else f"{calls} times"


def _rows_seen(seen: np.ndarray) -> str:
    never, twice = np.flatnonzero(seen == 0), np.flatnonzero(seen > 1)
    told = []
    for rows, words in ((never, "in no call"), (twice, "in more than one call")):
        if len(rows):
            first = f"row {rows[0]}" if len(rows) == 1 else f"rows {rows[0]} to"
            last = "" if len(rows) == 1 else f" {rows[-1]} ({len(rows)} of them)"
            told.append(f"{first}{last}: {words}")
    return f"{'; '.join(told).capitalize()}."
