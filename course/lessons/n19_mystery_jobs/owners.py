"""What the people say who bring a job: what they saw is true, what they blame is not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from course.lessons.n19_mystery_jobs.faults import Fault

SAW = {
    "worse": (
        "The model is not the one that I get on one device.",
        "I trained the same rows on one device, too, and the weights are others.",
        "My colleague gets better numbers on one device, from the same rows.",
    ),
    "slow": (
        "The weights are right. But it is no quicker than on one device.",
        "It does what it should, and takes as long as it always did.",
        "The result is fine; I only hoped that it would be quicker.",
    ),
    "memory": (
        "With a day's rows it runs. With a month's it dies, long before the end.",
        "The weights are right, but the longer it runs, the more memory it takes.",
    ),
    "two": (
        "Both machines came to the end without an error. They saved different models.",
        "I compared what the two machines saved: it is not the same.",
    ),
    "hangs": (
        "It trained for a while. Now nothing moves, and there is no error.",
        "In the morning it stood where it had stood at midnight, without an error.",
    ),
    "restart": (
        "The job was stopped in between, and I started it again. The weights at the end "
        "are not those of a run without a break.",
        "It went on from what it had saved, and came out somewhere else.",
    ),
    "healthy slow": (
        "Four devices, and an epoch takes as long as on one. It can't be right.",
        "I bought nothing: I made four virtual devices of my laptop. It is no quicker.",
    ),
    "healthy": (
        "The weights agree with those of one device in six digits, and not in the "
        "seventh.",
        "I changed nothing, all looks fine, and I don't trust it.",
        "Somebody told me that such jobs are always wrong. Is mine?",
    ),
}
BLAMED = (
    "It began when we changed the learning rate.",
    "I think it is the new version of TensorFlow.",
    "It must be the random seed.",
    "The last batch is smaller: I am sure that is it.",
    "It has to do with the machine; it is older than the other ones.",
    "Somebody edited the code last week, and it still is as slow as before.",
    "My guess is the network.",
    "I would bet on the rounding of float32.",
    "Since Monday the file has a new name; before that I never looked.",
    "A colleague says that replicas race with each other.",
    "We ask for too many devices, I think.",
    "I suspect the optimizer.",
)
_CLASS = {
    "not_split": "slow",
    "pinned": "slow",
    "one_reader": "slow",
    "eager": "slow",
    "new_function": "slow",
    "host_read": "slow",
    "kept_batches": "memory",
    "alone": "two",
    "whole_batch": "slow",
    "own_start": "two",
    "many_sums": "slow",
    "unequal_files": "hangs",
    "own_steps": "hangs",
    "from_row_0": "restart",
    "other_name": "restart",
}


def words_of_owner(
    rng: np.random.Generator, faults: Sequence[Fault], *, slow: bool = False
) -> str:
    """Return what a job's owner saw, and what they blame, which is never its fault.

    slow: whether a job without a fault is brought because it is no quicker.
    """
    kinds = [_CLASS.get(fault.code, "worse") for fault in faults]
    kind = _first(kinds) if faults else ("healthy slow" if slow else "healthy")
    return f"{rng.choice(SAW[kind])} {rng.choice(BLAMED)}"


def _first(kinds: Sequence[str]) -> str:
    """What an owner notices first; "the weights are right" only where they are."""
    for kind in ("hangs", "two", "restart", "worse", "memory", "slow"):
        if kind in kinds:
            return kind
    raise ValueError(f"no words for {kinds}")
