"""Further 1: right gradients, small calls, and a peak of all rows in between."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import replace

from course.checks.exercises import Difference, Exercise, Observation, shown_by
from course.lessons.n12_out_of_memory import jobs
from course.lessons.n12_out_of_memory.jobs import Job
from course.lessons.n12_out_of_memory.wrong_hidden_peak import MISTAKES


def observe(function: Callable, job: Job) -> Observation:
    """Run a learner's function on a network of its own, and look again afterwards."""
    seen, network = jobs.watch(function, job)
    gc.collect()  # what nobody holds any more does not count
    return Observation(
        seen.values,
        {
            "seen": seen.counts["seen"],
            "moved": seen.counts["moved"],
            "calls": seen.counts["calls"],
            "largest": (network.largest,),
            "peak": (network.peak,),
            "after": (network.alive,),
        },
        seen.told,
    )


def _expect(job: Job) -> Observation:
    truth, rows = jobs.expect(job), len(job.rows)
    counts = {name: truth.counts[name] for name in ("seen", "moved", "calls")}
    most = {"largest": (job.most,), "peak": (rows,), "after": (0,)}
    return replace(truth, counts=counts | most)


def _compare(job: Job, got: Observation, truth: Observation) -> Difference:
    counts = {name: values[0] for name, values in got.counts.items()}
    wanted = {name: values[0] for name, values in truth.counts.items()}
    if counts["largest"] > job.most and not got.told:
        return Difference(
            f"One call of row_losses got {counts['largest']} rows.",
            f"Expected: at most {job.most}, as before.",
        )
    if wrong := jobs.compare_gradients(job, got, truth):
        return wrong
    if counts["calls"] != wanted["calls"]:
        return Difference(
            f"row_losses was called {jobs.times(counts['calls'])}.",
            f"Expected: {wanted['calls']} times, as before.",
        )
    if counts["peak"] != wanted["peak"]:
        return Difference(
            "The gradients and the calls are right, but the activations of at most "
            f"{counts['peak']} rows were alive at the same time.",
            f"Expected: at some moment, those of all {wanted['peak']} rows.",
        )
    return Difference(
        f"The activations of {counts['after']} rows were still alive after the "
        "function had returned, so a monitor that looks after the step sees them.",
        "Expected: none.",
    )


MY_HIDDEN_PEAK = Exercise(
    name="12/my_hidden_peak",
    cases=jobs.draw,
    observe=observe,
    expect=_expect,
    compare=_compare,
    mistakes=shown_by(observe, *MISTAKES),
    right="Gradients, calls and their sizes are right, and nothing is held afterwards. "
    "But at one moment, the activations of all rows were alive.",
)
