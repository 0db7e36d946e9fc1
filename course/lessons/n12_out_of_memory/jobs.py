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
def _eagerly() -> Iterator[None]:
    """Run the learner's own tf.functions eagerly: their rows can be counted then."""
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(False)


def observe(function: Callable, job: Job) -> Observation:
    """Run a learner's function on a network of its own.

    Raises:
        TypeError: the result is not one gradient for each weight, or the function is a
            tf.function.
    """
    return watch(function, job)[0]


def watch(function: Callable, job: Job) -> tuple[Observation, CountedNetwork]:
    """Do what `observe` does; return the network, too."""
    if hasattr(function, "get_concrete_function"):
        raise TypeError(f"the function {ONE_GRAPH}")
    network = CountedNetwork(job.rows, job.w, job.v)
    with _eagerly():
        result = function(
            list(network.weights), network.x, network.y, network.row_losses, job.most
        )
    now = (weight.numpy() for weight in network.weights)
    moved = not all(map(np.array_equal, now, (job.w, job.v)))
    counts = {
        "calls": (network.calls,),
        "over": (max(0, network.peak - job.most),),
        "seen": tuple(network.seen),
        "moved": (int(moved),),
    }
    return Observation(_flat(result), counts), network


def _flat(result: object) -> np.ndarray:
    """Return the gradients of both weights in one row.

    Raises:
        TypeError: the result is not one gradient for each weight.
    """
    shapes = [(2, 3), (3,)]
    wanted = "one gradient for each weight: a list of shapes (2, 3) and (3,)"
    if result is None:
        raise TypeError(f"the function returned None; it must return {wanted}")
    if not isinstance(result, list | tuple) or len(result) != len(shapes):
        what = f"{len(result)} gradients" if isinstance(result, list | tuple) else ""
        what = what or f"one {type(result).__name__}"
        raise TypeError(f"the function returned {what}; it must return {wanted}")
    flat = []
    for number, (part, shape) in enumerate(zip(result, shapes, strict=True)):
        if part is None:
            raise TypeError(
                f"the gradient of weight {number} is None: the tape found no way from "
                "that weight to the loss. Call row_losses inside the tape's block"
            )
        try:
            array = np.asarray(tf.convert_to_tensor(part), dtype=np.float64)
        except (TypeError, ValueError):
            array = np.empty(0)
        if array.shape != shape:
            raise TypeError(
                f"the gradient of weight {number} has the shape {array.shape}, not "
                f"{shape}; the function must return {wanted}"
            )
        flat.append(array.ravel())
    return np.concatenate(flat)


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
    """Describe the first of: moved weights, rows, values, rows alive, calls."""
    counts, calls = got.counts, got.counts["calls"][0]
    if counts["moved"][0]:
        return Difference(
            "The weights were changed while the gradients were computed.",
            "Expected: all micro-batches see the same weights, which stay as they are.",
        )
    seen = np.array(counts["seen"])
    if (seen != 1).any():
        return Difference(
            f"row_losses was called {_times(calls)}. {_rows_seen(seen)}",
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
    if counts["over"][0]:
        return Difference(
            "The gradients are right, but the activations of "
            f"{counts['over'][0] + job.most} rows were alive at the same time, in "
            f"{calls} call{'s' if calls > 1 else ''} of row_losses.",
            f"Expected: at most {job.most} rows alive.",
        )
    return Difference(
        f"The gradients are right and fit, but row_losses was called {_times(calls)}.",
        f"Expected: {len(job.sizes)} calls, the fewest with at most {job.most} rows "
        "each. Every call has a cost of its own.",
    )


def _times(calls: int) -> str:
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
