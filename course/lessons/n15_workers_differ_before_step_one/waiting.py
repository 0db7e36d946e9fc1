"""Who waits in a learner's function for ever, and who has gone on."""

from __future__ import annotations

from collections.abc import Sequence

from course.checks.failures import StepFailed
from course.runs.cluster import ClusterRun


def values_of(run: ClusterRun) -> list:
    """Return what the workers came to.

    Raises:
        StepFailed: one stopped with an error, or waits for ever in the learner's
            function, which it leaves with `note(left=True)`; says which, and where.
    """
    if not any(end.outcome in ("left", "killed", "raised") for end in run.ends):
        inside = [
            end
            for end in run.ends
            if end.outcome == "waited" and "left" not in end.facts
        ]
        if inside:
            raise StepFailed(tuple(_waiting(inside, run)))
    return run.values()


def _waiting(inside: Sequence, run: ClusterRun) -> list[str]:
    gone = [end.name for end in run.ends if end not in inside]
    sentences = [
        f"{end.name.capitalize()} was stopped at {end.line}." for end in inside
    ]
    if gone:
        sentences.append(
            f"{' and '.join(gone).capitalize()} came to the function's end without "
            "that call. A call that joins the workers ends when ALL have made it."
        )
    else:
        sentences.append(
            "Nobody came to the function's end: do the workers' calls to each other "
            "match, and does every loop end?"
        )
    return sentences
