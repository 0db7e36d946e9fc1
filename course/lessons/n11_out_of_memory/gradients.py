"""Core exercise: the full batch's gradients, with only some rows alive at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import tensorflow as tf

from course.exercises import TOLERANCE, Difference, Exercise, Mistake, Observation
from course.rows_alive import CountedNetwork
from course.workloads import LEARNING_RATE, Rows, regression

Parts = list[slice]  # the micro-batches


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
    def parts(self) -> Parts:
        """The micro-batches of `most` rows; the last one is smaller."""
        n, most = len(self.rows), self.most
        return [slice(i, min(i + most, n)) for i in range(0, n, most)]


def draw(rng: np.random.Generator) -> list[Job]:
    """Draw rows that do not divide into micro-batches, 3 to 5 of them."""
    jobs = []
    for rows, most in ((22, 8), (19, 4), (26, 11)):
        data = regression(rows - int(rng.integers(2)), int(rng.integers(1000)))
        w = rng.normal(size=(2, 3)) * 0.5
        v = rng.uniform(0.6, 1.2, 3) * rng.choice([-1, 1], 3)
        jobs.append(Job(data, w.astype(np.float32), v.astype(np.float32), most))
    return jobs


def row_gradients(job: Job, part: slice = slice(None)) -> np.ndarray:
    """Return each row's own gradient, (rows, 9), by hand and in float64."""
    x, y = job.rows.x[part].astype(float), job.rows.y[part].astype(float)
    w, v = job.w.astype(float), job.v.astype(float)
    hidden = np.tanh(x @ w)
    error = 2 * (hidden @ v - y)[:, None]
    inner = error * v * (1 - hidden**2)
    return np.hstack(
        [(x[:, :, None] * inner[:, None, :]).reshape(len(x), 6), error * hidden]
    )


def _mean(job: Job, part: slice = slice(None)) -> np.ndarray:
    return row_gradients(job, part).mean(axis=0)


def _sum(job: Job, part: slice = slice(None)) -> np.ndarray:
    return row_gradients(job, part).sum(axis=0)


@contextmanager
def _eagerly() -> Iterator[None]:
    """Run the learner's own tf.functions eagerly: their rows can be counted then."""
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(False)


def _observe(function: Callable, job: Job) -> Observation:
    network = CountedNetwork(job.rows, job.w, job.v)
    with _eagerly():
        result = function(
            list(network.weights), network.x, network.y, network.row_losses, job.most
        )
    w, v = (weight.numpy() for weight in network.weights)
    moved = not (np.array_equal(w, job.w) and np.array_equal(v, job.v))
    flat = _flat(result)
    return _observation(
        job, flat, network.calls, network.peak, tuple(network.seen), moved
    )


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
        what = f"{len(result)} of them" if isinstance(result, list | tuple) else ""
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


def _observation(
    job: Job,
    values: np.ndarray,
    calls: int | None = None,
    alive: int = 0,
    seen: Sequence[int] | None = None,
    moved: bool = False,
) -> Observation:
    """Return what was observed; by default the counts of a right answer."""
    return Observation(
        values,
        {
            "calls": (len(job.parts) if calls is None else calls,),
            "over": (max(0, alive - job.most),),
            "seen": tuple([1] * len(job.rows) if seen is None else seen),
            "moved": (int(moved),),
        },
    )


def _expect(job: Job) -> Observation:
    return _observation(job, _mean(job))


def _compare(job: Job, got: Observation, truth: Observation) -> Difference:
    counts, calls = got.counts, got.counts["calls"][0]
    if counts["moved"][0]:
        return Difference(
            "The weights were changed while the gradients were computed.",
            "Expected: all micro-batches see the same weights, which stay as they are.",
        )
    seen = np.array(counts["seen"])
    if (seen != 1).any():
        return Difference(
            f"row_losses was called {calls} times. {_rows_seen(seen)}",
            "Expected: each row is in exactly one call.",
        )
    off = np.abs(got.values - truth.values)
    off = float(np.where(np.isfinite(off), off, np.inf).max())
    if off > TOLERANCE:
        sizes = ", ".join(str(part.stop - part.start) for part in job.parts)
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
            f"{calls} calls of row_losses.",
            f"Expected: at most {job.most} rows alive.",
        )
    return Difference(
        f"The gradients are right and fit, but row_losses was called {calls} times.",
        f"Expected: {len(job.parts)} calls, the fewest with at most {job.most} rows "
        "each. Every call has a cost of its own.",
    )


def _rows_seen(seen: np.ndarray) -> str:
    never, twice = np.flatnonzero(seen == 0), np.flatnonzero(seen > 1)
    told = []
    for rows, words in ((never, "in no call"), (twice, "in more than one call")):
        if len(rows):
            first = f"row {rows[0]}" if len(rows) == 1 else f"rows {rows[0]} to"
            last = "" if len(rows) == 1 else f" {rows[-1]} ({len(rows)} of them)"
            told.append(f"{first}{last}: {words}")
    return f"{'; '.join(told).capitalize()}."


def _mistake(code: str, observe: Callable[[Job], Observation], cause: str) -> Mistake:
    return Mistake(code, cause, observe)


def _valued(code: str, value: Callable[[Job], np.ndarray], cause: str) -> Mistake:
    """Return a mistake in the values only."""
    return Mistake(code, cause, lambda job: _observation(job, value(job)))


def _means(job: Job) -> np.ndarray:
    return np.array([_mean(job, part) for part in job.parts])


def _first_only(job: Job) -> Observation:
    first = job.parts[0]
    seen = [int(i < first.stop) for i in range(len(job.rows))]
    return _observation(job, _mean(job, first), 1, seen=seen)


def _without_tail(job: Job, rows: int | None = None) -> Observation:
    kept = len(job.rows) // job.most * job.most
    values = _sum(job, slice(0, kept)) / (rows or kept)
    seen = [int(i < kept) for i in range(len(job.rows))]
    return _observation(job, values, kept // job.most, seen=seen)


def _neighbouring(job: Job) -> Observation:
    """The windows start one row apart, not one micro-batch."""
    parts = [slice(i, i + job.most) for i in range(len(job.parts))]
    seen = [sum(p.start <= i < p.stop for p in parts) for i in range(len(job.rows))]
    values = sum(_sum(job, part) for part in parts) / len(job.rows)
    return _observation(job, values, seen=seen)


def _swapped(job: Job) -> Observation:
    """As many parts as rows may be alive, each of as many rows as parts are needed."""
    size = -(-len(job.rows) // job.most)
    calls = len(np.array_split(np.arange(len(job.rows)), job.most))
    return _observation(job, _mean(job), calls, size)


def _walks(job: Job) -> Observation:
    """The weights move after each micro-batch."""
    total, weights = np.zeros(9), np.hstack([job.w.ravel(), job.v]).astype(float)
    for part in job.parts:
        here = Job(job.rows, weights[:6].reshape(2, 3), weights[6:], job.most)
        share = _sum(here, part) / len(job.rows)
        total, weights = total + share, weights - LEARNING_RATE * share
    return _observation(job, total, moved=True)


MY_GRADIENTS = Exercise(
    name="11/my_gradients",
    cases=draw,
    observe=_observe,
    expect=_expect,
    compare=_compare,
    mistakes=(
        _mistake(
            "all_at_once",
            lambda job: _observation(job, _mean(job), 1, len(job.rows)),
            "all rows go through the network in one call, so that all their "
            "activations are alive until the backward pass.",
        ),
        _mistake(
            "held_together",
            lambda job: _observation(job, _mean(job), alive=len(job.rows)),
            "the rows are cut, but nothing is freed in between: one tape, or one list "
            "of tapes, holds the activations of all micro-batches. Open a tape for "
            "each, and take its gradient before the next one.",
        ),
        _valued(
            "mean_of_means",
            lambda job: _means(job).mean(axis=0),
            "each micro-batch counts the same, although the last one has fewer rows. "
            "Each ROW must count the same.",
        ),
        _valued(
            "sum_of_means",
            lambda job: _means(job).sum(axis=0),
            "the mean gradients are added up and not weighed: the result is about as "
            "many times too large as there are micro-batches.",
        ),
        _valued(
            "not_divided",
            _sum,
            "the sums over the rows are added up, but never divided by the number of "
            "all rows.",
        ),
        _valued(
            "divided_by_parts",
            lambda job: _sum(job) / len(job.parts),
            "the sum over the rows is divided by the number of micro-batches. Divide "
            "by the number of rows.",
        ),
        _valued(
            "divided_by_most",
            lambda job: _sum(job) / job.most,
            "the sum over the rows is divided by the size of one micro-batch. Divide "
            "by the number of all rows.",
        ),
        _valued(
            "divided_by_full_parts",
            lambda job: _sum(job) / (job.most * len(job.parts)),
            "the sum is divided as if the last micro-batch were full. It has fewer "
            "rows.",
        ),
        _valued(
            "divided_twice",
            lambda job: _mean(job) / len(job.parts),
            "the rows are weighed right, and then everything is divided by the number "
            "of micro-batches once more.",
        ),
        _valued(
            "last_only",
            lambda job: _mean(job, job.parts[-1]),
            "what comes back is the gradient of the last micro-batch: each one "
            "replaces the one before instead of adding to it.",
        ),
        _mistake(
            "first_only",
            _first_only,
            "only the first rows are used: it fits, but it is the gradient of a "
            "smaller batch.",
        ),
        _mistake(
            "tail_dropped",
            _without_tail,
            "only full micro-batches are used, and the rows after them are lost.",
        ),
        _mistake(
            "tail_dropped_and_counted",
            lambda job: _without_tail(job, len(job.rows)),
            "only full micro-batches are used, but the sum is divided by the number "
            "of all rows.",
        ),
        _mistake(
            "neighbouring_windows",
            _neighbouring,
            "the micro-batches overlap: each starts one row after the one before. "
            "Number i starts at row i * most.",
        ),
        _mistake(
            "one_row_at_a_time",
            lambda job: _observation(job, _mean(job), len(job.rows), 1),
            "every row has a call of its own. It fits, but a device works on one row "
            "at a time: use as many as may be alive.",
        ),
        _mistake(
            "number_and_size_swapped",
            _swapped,
            "`most` is used as the NUMBER of micro-batches. It is the number of rows "
            "in one of them.",
        ),
        _mistake(
            "computed_twice",
            lambda job: _observation(
                job,
                _mean(job),
                2 * len(job.parts),
                seen=[2] * len(job.rows),
            ),
            "each micro-batch goes through the network twice. Keep what the first "
            "call gave.",
        ),
        _mistake(
            "weights_move",
            _walks,
            "the weights are updated after each micro-batch, so the next one sees "
            "other weights. That is several small steps, not one large one.",
        ),
    ),
    right="The gradients equal those of all rows at once, with never more rows alive "
    "than fit, and in the fewest calls.",
    locate="11/my_first_failure",
)
