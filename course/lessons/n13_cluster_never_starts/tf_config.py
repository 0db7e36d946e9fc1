"""Core exercise: the TF_CONFIG of every process, proven by real clusters."""

from __future__ import annotations

from course.checks.exercises import Exercise, shown_by
from course.lessons.n13_cluster_never_starts.starts import (
    compare,
    draw,
    expect,
    observe,
    observe_texts,
)
from course.lessons.n13_cluster_never_starts.wrong_tf_config import MISTAKES

MY_TF_CONFIG = Exercise(
    name="13/my_tf_config",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=shown_by(observe_texts, *MISTAKES),
    right="Two real clusters were started with it. Every process counted all replicas "
    "and got the sum over all of them.",
    locate="13/my_missing_call",
)
