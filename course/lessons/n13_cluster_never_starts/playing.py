"""This notebook's instrument: two TF_CONFIGs and a strategy, and a start with them."""

from __future__ import annotations

from collections.abc import Callable

import tensorflow as tf

from course.lessons.n13_cluster_never_starts.calls import ending
from course.lessons.n13_cluster_never_starts.cluster_map import cluster_map
from course.lessons.n13_cluster_never_starts.cluster_starts import (
    ClusterStart,
    start_cluster,
)
from course.lessons.n13_cluster_never_starts.written import EMPTY
from course.pictures.picture import Picture
from course.widgets.instrument import instrument
from course.widgets.knobs import Choice

LISTS = ("ab", "ba", "ax", "xb", "a", "b", "abx")
KNOBS = "as set here"  # not by the learner's own function
STRATEGIES = {
    "MultiWorkerMirroredStrategy": tf.distribute.MultiWorkerMirroredStrategy,
    "MirroredStrategy": tf.distribute.MirroredStrategy,
}


def who_waits_for_whom(train: Callable[..., object]) -> None:
    """Show the instrument; `train(number, strategy)` runs in each of two processes."""

    def run(texts, list0, index0, list1, index1, strategy) -> ClusterStart:
        if texts != KNOBS:
            return start_cluster(train, texts, strategy)
        both = ((list0, index0), (list1, index1))
        pair = ", ".join(o if o == EMPTY else f"{o} {index}" for o, index in both)
        alone = strategy is tf.distribute.MirroredStrategy
        label = pair + f", {strategy.__name__}" * alone
        return start_cluster(train, pair, strategy, label=label)

    lists = {", ".join(own): own for own in LISTS} | {"no cluster: {}": EMPTY}
    indices = {str(n): n for n in (0, 1, 2)}
    instrument(
        [
            Choice(
                "texts", "TF_CONFIGs", {KNOBS: KNOBS}, KNOBS, mine="13/my_tf_config"
            ),
            Choice("list0", "A: list", lists, "ab"),
            Choice("index0", "index", indices, 0),
            Choice("list1", "B: list", lists, "ba"),
            Choice("index1", "index", indices, 0),
            Choice("strategy", "strategy", STRATEGIES, next(iter(STRATEGIES.values()))),
        ],
        run,
        picture,
        describe_run,
        idle=idle_knobs,
    )


def picture(now: ClusterStart, before: ClusterStart | None) -> Picture:
    """Draw a start; the one before it stays on its left."""
    return cluster_map(*([before] if before else []), now)


def describe_run(now: ClusterStart) -> str:
    """Describe in one line how each process ended."""
    ends = [f"{name} {ending(member)}" for name, member in now.processes.items()]
    return f"{now.label}: {'; '.join(ends)}"


def idle_knobs(texts, list0, list1, strategy, **others: object) -> dict[str, str]:
    """Return which knobs change nothing with the others as they are: name -> why."""
    of_tasks = ("list0", "index0", "list1", "index1")
    if texts != KNOBS:
        return dict.fromkeys(of_tasks, "your function writes both texts")
    if strategy is tf.distribute.MirroredStrategy:
        return dict.fromkeys(of_tasks, "MirroredStrategy does not use TF_CONFIG")
    empty = [k for k, own in enumerate((list0, list1)) if own == EMPTY]
    return {f"index{k}": "an empty TF_CONFIG has no index" for k in empty}
