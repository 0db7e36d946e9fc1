"""Exercises whose answer is a replica's step: observe, expect, compare whole runs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.checks.apart import told_apart
from course.checks.exercises import TOLERANCE, Difference, Mistake, Observation
from course.runs.devices import virtual_devices
from course.runs.recording import Recording, steps_made
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
    """Return the copies of a run as values and the rows worked on as counts."""
    counts = tuple(rows for step in run.examples for rows in step)
    return Observation(run.copies, {"examples": counts})


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
        "all rows are brought together, on every replica or in one place, and the "
        "whole batch is computed there. The weights are right, but nothing is shared "
        "and the devices save no work.",
        observe,
    )


def compare_runs(
    job: Job,
    got: Observation,
    truth: Observation,
    what: str = "the sequential run",
) -> Difference:
    """Describe how a run differs from the truth: which promise broke, then where.

    what: the truth, in the words of the card.
    """
    if np.allclose(got.values, truth.values, rtol=0, atol=TOLERANCE):
        return _compare_work(job, got, truth)
    off = np.abs(got.values - truth.values).max(axis=2)
    off = np.where(np.isfinite(off), off, np.inf)
    step = int(np.argwhere(off > TOLERANCE)[0][0])
    replica = int(off[step].argmax())
    came, wanted = told_apart(got.values[step, replica], truth.values[step, replica])
    return Difference(
        _what_broke(got.values, off, what),
        f"Expected: every replica within {TOLERANCE:.0e} of {what} after "
        f"each of the {job.steps} steps.",
        f"First after {steps_made(step)}, furthest on replica {replica}: weights "
        f"{came} instead of {wanted}.",
        {"step": step, "replica": replica},
    )


def _what_broke(copies: np.ndarray, off: np.ndarray, what: str) -> str:
    if not np.isfinite(copies).all():
        return "Some weights became NaN or infinite."
    if np.ptp(copies, axis=0).max() <= TOLERANCE:
        return "No weight ever changed."
    apart = np.ptp(copies, axis=1).max()
    if apart > TOLERANCE:
        return (
            f"The replicas' copies differ from each other, by up to {apart:.2g}, and "
            f"from {what} by up to {off.max():.2g}."
        )
    return (
        f"All copies agree with each other, but they differ from {what} by "
        f"up to {off.max():.2g}."
    )


def _compare_work(job: Job, got: Observation, truth: Observation) -> Difference:
    pairs = zip(got.counts["examples"], truth.counts["examples"], strict=True)
    at, (worked, given) = next(
        (i, pair) for i, pair in enumerate(pairs) if pair[0] != pair[1]
    )
    step, replica = divmod(at, job.replicas)
    return Difference(
        "The weights are right, but what replicas sent each other grew with their "
        f"rows: all {worked} rows of a step came together; a replica was given "
        f"{given}.",
        "Expected: each replica works on its own rows only; the work is shared.",
        f"In step {step}, on replica {replica}.",
        {"step": step + 1, "replica": replica},
    )
