"""Tell a learner's own errors from those that a collective gives to the workers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import tensorflow as tf

from course.checks.failures import StepFailed
from course.runs.cluster import ClusterRun, note


@contextlib.contextmanager
def in_collective() -> Iterator[None]:
    """Surround a collective in a worker: its errors come from what the others do."""
    try:
        yield
    except tf.errors.OpError as error:
        note(failed=type(error).__name__)
        raise


def failed_in_collectives(run: ClusterRun) -> tuple[str, ...]:
    """Return TensorFlow's errors in collectives, by worker; "" where there was none."""
    return tuple(str(end.facts.get("failed", "")) for end in run.ends)


def raise_own(run: ClusterRun) -> None:
    """Raise StepFailed if a worker's own code ended it, or did not end by itself.

    Others may have waited for it, or have got errors in collectives, for that reason.
    """
    if run.worked_on:
        raise StepFailed(
            (
                "A worker used up the processor time that it has, and all were "
                "stopped. Is there a loop that never ends?",
            )
        )
    ended = zip(run.ends, failed_in_collectives(run), strict=True)
    own = [
        end
        for end, failed in ended
        if end.outcome in ("left", "killed") or (end.outcome == "raised" and not failed)
    ]
    ClusterRun(tuple(own), run.seconds).values()
