"""Find out about a source of random numbers: equal on replicas? new at each step?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

import numpy as np
import tensorflow as tf

STEPS = 3
QUESTIONS = ("same on all replicas?", "new at each step?")


def observe_sources(
    sources: Mapping[str, Callable[[], tf.Tensor]], strategy: tf.distribute.Strategy
) -> dict[str, tuple[bool, bool]]:
    """Draw from each source on every replica, in three steps of one tf.function.

    Args:
        sources: name -> a function without arguments that draws several numbers.
        strategy: where to draw.

    Returns:
        name -> the answers to QUESTIONS.
    """
    return {name: _observe(source, strategy) for name, source in sources.items()}


def _observe(source: Callable, strategy: tf.distribute.Strategy) -> tuple[bool, bool]:
    run_step = tf.function(lambda: strategy.run(source))
    drawn = np.array(
        [
            [np.asarray(p) for p in strategy.experimental_local_results(run_step())]
            for _ in range(STEPS)
        ]
    )
    same = bool((drawn == drawn[:, :1]).all())
    new = all(not np.array_equal(a, b) for a, b in pairwise(drawn))
    return same, new
