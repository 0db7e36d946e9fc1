"""Fix: a training loop whose replicas work at the same time, and never wait for it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.checks.exercises import Exercise, Observation, Sign
from course.lessons.n09_four_devices_speed_of_one.runs import (
    Case,
    compare,
    draw,
    expect,
    observe,
    told_of,
)
from course.runs.update_rules import mean_gradient

TRACED = "traced, graphs, functions"


def _gives(
    code: str,
    cause: str,
    done: Callable[[int], int] | None = None,
    *,
    rate_of: Callable[[int], int] = lambda k: k,
    batch_of: Callable[[int], int] = lambda k: k,
    together: Callable[[np.ndarray], float] = np.sum,
    returned: Callable[[np.ndarray], np.ndarray] = lambda losses: losses,
) -> Sign:
    """Other losses and weights: number k is with batch `batch_of(k)`, `rate_of(k)`.

    done: how many of n steps are done.
    together: what a batch's loss is made of the replicas' parts.
    returned: what is returned of all losses.
    """

    def change(case: Case, seen: Observation) -> Observation:
        steps = case.steps if done is None else done(case.steps)
        batches, w, losses = case.schedule.batches, np.zeros(2), []
        for k in range(steps):
            part = batches[batch_of(k)]
            squares = [np.sum((s.x @ w - s.y) ** 2) for s in part.shards(case.replicas)]
            losses.append(together(np.array(squares) / len(part)))
            w = w - case.schedule.rates[rate_of(k)] * mean_gradient(w, part)
        losses = returned(np.array(losses))
        counts = {} if done is None else {"steps": (steps,) * case.replicas}
        if not steps:
            counts |= {TRACED: (0, 0, 0), "meets": 0}
        values = np.concatenate([losses, np.tile(w, case.replicas)])
        return seen.changed(values, losses=len(losses), **counts)

    return Sign(code, cause, change)


NUMBERS = (
    _gives(
        "last_loss",
        "only the loss of the last batch is returned.",
        returned=lambda losses: losses[-1:],
    ),
    _gives(
        "replica_0_loss",
        "each loss is the part of replica 0 only. The loss of a batch is the sum of "
        "the parts of all replicas.",
        together=lambda parts: parts[0],
    ),
    _gives(
        "mean_loss",
        "each loss is the mean of the replicas' parts. The parts are shares of the "
        "loss already: their sum is the loss of the batch.",
        together=np.mean,
    ),
    _gives(
        "rate_frozen",
        "every step uses the first rate. A Python number that a tf.function finds "
        "outside of its arguments is a constant of its graph: hand it in as an "
        "argument.",
        rate_of=lambda k: 0,
    ),
    _gives(
        "last_rate",
        "every step uses the last rate.",
        rate_of=lambda k: -1,
    ),
    _gives(
        "rate_late",
        "every step but the first uses the rate of the step before.",
        rate_of=lambda k: max(k - 1, 0),
    ),
    _gives(
        "batch_frozen",
        "every step uses the first batch. A tensor that a tf.function finds outside of "
        "its arguments is a constant of its graph: hand it in as an argument.",
        batch_of=lambda k: 0,
    ),
    _gives(
        "batch_and_rate_frozen",
        "every step uses the first batch and the first rate. What a tf.function finds "
        "outside of its arguments is a constant of its graph: hand both in.",
        batch_of=lambda k: 0,
        rate_of=lambda k: 0,
    ),
    _gives(
        "losses_added_up",
        "one number is returned, the sum of all losses. Asked is the loss of each "
        "batch.",
        returned=lambda losses: losses.sum(keepdims=True),
    ),
    _gives(
        "losses_averaged",
        "one number is returned, the mean of all losses. Asked is the loss of each "
        "batch.",
        returned=lambda losses: losses.mean(keepdims=True),
    ),
    _gives(
        "first_loss_missing",
        "the loss of the first batch is missing.",
        returned=lambda losses: losses[1:],
    ),
)
WAYS = (
    Sign(
        "eager",
        "strategy.run is called outside of any graph: TensorFlow then does the "
        "replicas in turn, operation by operation.",
        lambda case, seen: seen.changed(
            eager=case.steps, meets=0, **{TRACED: (0, 0, 0)}
        ),
    ),
    Sign(
        "python_rate",
        "a Python number comes to the tf.function in each step: the rate, or the "
        "number of the step. TensorFlow makes a new graph for each it has not seen.",
        lambda case, seen: seen.changed(**{TRACED: (case.steps, case.steps, 1)}),
    ),
    Sign(
        "function_in_the_loop",
        "every step makes a new tf.function, and so a new graph. Make it once, before "
        "the loop.",
        lambda case, seen: seen.changed(**{TRACED: (case.steps,) * 3}),
    ),
    Sign(
        "unrolled",
        "one graph holds all steps, one after the other: TensorFlow went through the "
        "step's Python code once for every batch. With 1000 batches the graph has 1000 "
        "steps. Make a graph of one step, or a loop that TensorFlow runs (tf.range).",
        lambda case, seen: seen.changed(**{TRACED: (case.steps, 1, 1)}),
    ),
)
READ = Sign(
    "reads",
    "the host reads a value in the loop (float, print, .numpy(), an if), and so waits "
    "for the step to end. Keep tensors, and read them after the loop.",
    lambda case, seen: seen.changed(told=told_of(case.steps - 1), reads=1),
)
STEPS = (
    Sign(
        "one_step_more",
        "the replicas made a step more than there are batches, as in a warm-up. The "
        "first call traces by itself; every step belongs to the training.",
        lambda case, seen: seen.changed(steps=(case.steps + 1,) * case.replicas),
    ),
    _gives("last_batch_skipped", "the last batch is not used.", lambda n: n - 1),
    _gives(
        "one_step_only",
        "only the first batch is used. Perhaps the `return` stands in the loop.",
        lambda n: 1,
    ),
    _gives("nothing_done", "no step was done at all.", lambda n: 0),
)
MY_TRAIN = Exercise(
    name="09/my_train",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    right="All replicas worked at the same time, from at most two traces; no value was "
    "read before the last step; losses and weights are those of one device.",
    locate="09/my_blocker",
    signs=(*NUMBERS, *WAYS, READ, *STEPS),
    shipped="eager+reads",
)
