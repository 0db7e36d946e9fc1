"""Exercises whose answer is a replica's step: observe, expect, compare whole runs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.checks.exercises import TOLERANCE, Difference, Mistake, Observation
from course.runs.devices import virtual_devices
from course.runs.recording import Recording
from course.runs.replicas import train_on_replicas
from course.runs.sequential import train_sequentially
from course.runs.update_rules import Job, Rule, follow

DEVICES = 4  # what every notebook's first cell makes


def observe_step(step: Callable, job: Job) -> Observation:
    """Run the learner's `step` for real, on fresh replicas, and observe the run."""
    devices = virtual_devices(DEVICES)[: job.replicas]
    run = train_on_replicas(
        step, job.rows, job.batch, job.steps, devices, by_tf_data=False
    )
    return observation(run)


def expect_sequential(job: Job, keep: Callable | None = None) -> Observation:
    """Return what all replicas must show: the sequential run, each on its own rows."""
    truth = train_sequentially(job.rows, job.batch, job.steps, keep)
    own = follow(lambda copies, shards: copies, job)
    return observation(
        Recording(
            truth.label, truth.copies.repeat(job.replicas, 1), own.ids, own.examples
        )
    )


def observation(run: Recording) -> Observation:
    """Return the copies of a run as values and the rows worked on as counts.

    A replica's count is its own rows, unless it worked on a longer axis than any
    replica's rows, one value a replica or the weight vector would explain.
    """
    own = [[len(ids) for ids in step] for step in run.ids]
    usual = max(max(map(max, own)), run.replicas, run.copies.shape[2])
    counts = [
        worked if worked > usual else given
        for step_own, step_worked in zip(own, run.examples, strict=True)
        for given, worked in zip(step_own, step_worked, strict=True)
    ]
    return Observation(run.copies, {"examples": tuple(counts)})


def rule_mistake(code: str, rule: Rule, cause: str) -> Mistake:
    """Return the mistake whose every step does what `rule` computes."""
    return Mistake(code, cause, lambda job: observation(follow(rule, job)))


def gathered_rows(rule: Rule) -> Mistake:
    """Return the mistake of doing the right `rule` on ALL rows in every replica."""

    def observe(job: Job) -> Observation:
        run = follow(rule, job)
        counts = tuple((sum(map(len, step)),) * job.replicas for step in run.ids)
        return observation(Recording("", run.copies, run.ids, counts))

    return Mistake(
        "gathered_all_rows",
        "every replica gathers all rows and computes the whole batch. The weights are "
        "right, but nothing is shared and the devices save no work.",
        observe,
    )


def compare_runs(job: Job, got: Observation, truth: Observation) -> Difference:
    """Describe how a run differs from the truth: which promise broke, then where."""
    if np.allclose(got.values, truth.values, rtol=0, atol=TOLERANCE):
        return _compare_work(job, got, truth)
    off = np.abs(got.values - truth.values).max(axis=2)
    off = np.where(np.isfinite(off), off, np.inf)
    step, replica = np.argwhere(off > TOLERANCE)[0]
    replica = int(off[step].argmax())
    came = np.round(got.values[step, replica], 4).tolist()
    wanted = np.round(truth.values[step, replica], 4).tolist()
    return Difference(
        _what_broke(got.values, off),
        f"Expected: every replica within {TOLERANCE:.0e} of the sequential run after "
        f"each of the {job.steps} steps.",
        f"First after step {step}, furthest on replica {replica}: weights {came} "
        f"instead of {wanted}.",
        {"step": int(step), "replica": replica},
    )


def _what_broke(copies: np.ndarray, off: np.ndarray) -> str:
    if not np.isfinite(copies).all():
        return "Some weights became NaN or infinite."
    if np.ptp(copies, axis=0).max() <= TOLERANCE:
        return "No weight ever changed."
    apart = np.ptp(copies, axis=1).max()
    if apart > TOLERANCE:
        return (
            f"The replicas' copies differ from each other, by up to {apart:.2g}, and "
            f"from the sequential run by up to {off.max():.2g}."
        )
    return (
        "All copies agree with each other, but they differ from the sequential run by "
        f"up to {off.max():.2g}."
    )


def _compare_work(job: Job, got: Observation, truth: Observation) -> Difference:
    pairs = zip(got.counts["examples"], truth.counts["examples"], strict=True)
    at, (worked, given) = next(
        (i, pair) for i, pair in enumerate(pairs) if pair[0] != pair[1]
    )
    step, replica = divmod(at, job.replicas)
    return Difference(
        f"The weights are right, but a replica worked on {worked} rows in one step; "
        f"it was given {given}.",
        "Expected: each replica works on its own rows only; the work is shared.",
        f"In step {step + 1}, on replica {replica}.",
        {"step": step + 1, "replica": replica},
    )
