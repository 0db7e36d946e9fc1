"""What a job's owner says: what they saw is true, what they blame is not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from course.lessons.n21_mystery_jobs.faults import Fault

SAW = {
    "worse": (
        "The model is not the one that I get on one device.",
        "I trained on the same rows with one device and got different weights.",
        "My colleague gets better numbers on one device, from the same rows.",
    ),
    "slow": (
        "The weights are right. But it is no faster than on one device.",
        "It does what it should, but it takes as long as it always did.",
        "The result is fine; I only hoped that it would be faster.",
    ),
    "memory": (
        "With a day's rows it runs. With a month's it dies, long before the end.",
        "The weights are right, but the longer it runs, the more memory it takes.",
    ),
    "two": (
        "Both machines finished without an error. They saved different models.",
        "I compared what the two machines saved, and it differs.",
    ),
    "hangs": (
        "It trained for a while. Now nothing moves, and there is no error.",
        "In the morning it was where it had been at midnight, without an error.",
    ),
    "restart": (
        "The job was stopped halfway, and I restarted it. The final weights are not "
        "those of a run without a break.",
        "It resumed from its checkpoint and ended with different weights.",
    ),
    # true of every job that comes to its end
    "nothing": (
        "It finished without an error. I don't trust it.",
        "Somebody told me that such jobs are always wrong. Is mine?",
        "It will run on the large machine next week. Please look at it first.",
        "I took it over from a colleague. It runs; that is all I know.",
    ),
}
# what is blamed -> the notebooks of faults for which it would not be quite wrong
BLAMED = {
    "I would look at the learning rate first.": {"11"},
    "I blame the new version of TensorFlow.": set(),
    "I bet on the random seed.": {"04", "15"},
    "Somebody said it is always the last batch.": {"01", "03", "17"},
    "I blame the machine; it is an old one.": {"07"},
    "Somebody edited the comments last week; I blame that.": set(),
    "My guess is the network.": {"13", "16", "17", "20"},
    "I would bet on the rounding of float32.": set(),
    "On Monday the file got a new name; I blame that.": {"01", "14"},
    "A colleague says that replicas race with each other.": {"05"},
    "I think that we ask for too many devices.": {"07", "10", "11"},
    "I suspect the optimizer.": {"02", "03", "06"},
    "I blame the disk, which is nearly full.": {"08", "18", "19"},
}
NOTHING_SEEN = 0.25  # of the owners of jobs that end
_CLASS = {
    "not_split": "slow",
    "pinned": "slow",
    "one_reader": "slow",
    "eager": "slow",
    "new_function": "slow",
    "one_piece": "slow",
    "host_read": "slow",
    "kept_batches": "memory",
    "alone": "two",
    "whole_batch": "slow",
    "own_start": "two",
    "many_sums": "slow",
    "unequal_files": "hangs",
    "own_steps": "hangs",
    "read_alone": "hangs",
    "from_row_0": "restart",
    "other_name": "restart",
}


def words_of_owner(
    rng: np.random.Generator, faults: Sequence[Fault], *, slow: bool = False
) -> str:
    """Return what a job's owner saw, and what they blame, which is never its fault.

    slow: whether a job without a fault is brought because it is no quicker: on devices
        that share the cores of one machine, that is true of all.
    """
    kinds = [_CLASS.get(fault.code, "worse") for fault in faults]
    kind = _first(kinds) if faults else ("slow" if slow else "nothing")
    if kind not in ("hangs", "nothing") and not slow and rng.random() < NOTHING_SEEN:
        kind = "nothing"
    names = {fault.notebook for fault in faults}
    wrong = [text for text, near in BLAMED.items() if not near & names]
    return f"{rng.choice(SAW[kind])} {rng.choice(wrong)}"


def _first(kinds: Sequence[str]) -> str:
    """What an owner notices first; "the weights are right" only where they are."""
    for kind in ("hangs", "two", "restart", "worse", "memory", "slow"):
        if kind in kinds:
            return kind
    raise ValueError(f"no words for {kinds}")
