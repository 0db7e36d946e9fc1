"""Core exercise: more replicas, and the training stays what it was."""

from __future__ import annotations

import math
from collections.abc import Callable

from course.exercises import Exercise, Mistake
from course.jobs.shared_batches import Plan, Training
from course.lessons.n10_faster_but_less_accurate.plans import (
    Case,
    compare,
    draw,
    expect,
    follow,
    observe,
    right,
)


def _mistake(code: str, plan: Callable[[Case], Plan], cause: str) -> Mistake:
    return Mistake(code, cause, lambda case: follow(case, plan(case)))


def _with(
    shares: Callable[[int, int], list[int]] | None = None,
    rate: Callable[[int], float] = lambda n: 1.0,
    steps: Callable[[Training, int], float] | None = None,
) -> Callable[[Case], Plan]:
    """Return the right plan, except for what is given.

    shares: from batch and replicas. rate: the factor, from replicas. steps: from the
    training and the rows in a full step.
    """

    def plan(case: Case) -> Plan:
        training, n = case.training, case.replicas
        own = tuple(shares(training.batch, n)) if shares else right(case).shares
        batch = sum(own)
        number = math.floor(steps(training, batch)) if steps else training.steps
        return Plan(own, training.rate * rate(n), number)

    return plan


def _whole_each(batch: int, n: int) -> list[int]:
    return [batch] * n


def _up(batch: int, n: int) -> list[int]:
    return [-(-batch // n)] * n


def _down(batch: int, n: int) -> list[int]:
    return [max(batch // n, 1)] * n


def _ceil_steps(training: Training, batch: int) -> int:
    return training.epochs * -(-training.rows // batch)


def _first_only(batch: int, n: int) -> list[int]:
    return [batch] + [0] * (n - 1)


def _rest_to_one(batch: int, n: int) -> list[int]:
    return [batch // n] * (n - 1) + [batch - batch // n * (n - 1)]


MY_PLAN = Exercise(
    name="10/my_plan",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=(
        _mistake(
            "batch_times_replicas",
            _with(_whole_each, steps=lambda t, b: t.epochs * t.rows // b),
            "each replica takes a whole batch, so a step takes as many times more rows "
            "as there are replicas, and there are fewer steps. That is another "
            "training: the batch of one device has to be shared out.",
        ),
        _mistake(
            "batch_times_replicas_all_rows",
            _with(_whole_each, steps=_ceil_steps),
            "each replica takes a whole batch. The epochs are complete now, but a "
            "step still takes as many times more rows as there are replicas.",
        ),
        _mistake(
            "batch_times_replicas_same_steps",
            _with(_whole_each),
            "each replica takes a whole batch, and the number of steps is that of one "
            "device: the replicas go through the rows several times more often.",
        ),
        _mistake(
            "batch_times_replicas_old_steps",
            _with(_whole_each, steps=lambda t, b: t.epochs * t.rows // t.batch),
            "each replica takes a whole batch, and the number of steps is nearly that "
            "of one device: the replicas go through the rows several times more often.",
        ),
        _mistake(
            "linear_rule",
            _with(_whole_each, lambda n: n, lambda t, b: t.epochs * t.rows // b),
            "each replica takes a whole batch, and the learning rate is multiplied to "
            "make up for it. That may come near (Further 1), but it is not the same "
            "training. Keep the batch.",
        ),
        _mistake(
            "linear_rule_all_rows",
            _with(_whole_each, lambda n: n, _ceil_steps),
            "each replica takes a whole batch, and the learning rate is multiplied to "
            "make up for it. That may come near (Further 1), but it is not the same "
            "training. Keep the batch, and the rate.",
        ),
        _mistake(
            "rounded_down",
            _with(_down, steps=_ceil_steps),
            "the shares are rounded down (to 1 at least), so a step has not as many "
            "rows as the batch of one device where the batch does not divide.",
        ),
        _mistake(
            "rounded_down_same_steps",
            _with(_down),
            "the shares are rounded down (to 1 at least), so a step has not as many "
            "rows as the batch of one device where the batch does not divide. The "
            "number of steps is right.",
        ),
        _mistake(
            "rounded_up",
            _with(_up, steps=_ceil_steps),
            "the shares are rounded up for every replica, so a step has more rows than "
            "the batch of one device where the batch does not divide.",
        ),
        _mistake(
            "rounded_up_same_steps",
            _with(_up),
            "the shares are rounded up for every replica, so a step has more rows than "
            "the batch of one device where the batch does not divide. The number of "
            "steps is right.",
        ),
        _mistake(
            "rest_of_the_epoch_lost",
            _with(steps=lambda t, b: t.epochs * (t.rows // t.batch)),
            "the shares are right, but there are too few steps: an epoch's last step, "
            "with the rows that are left, counts too. Round up.",
        ),
        _mistake(
            "rounded_after_the_epochs",
            _with(steps=lambda t, b: t.epochs * t.rows // t.batch),
            "the shares are right, but the steps are rounded down once for all epochs. "
            "EACH epoch ends with a step for the rows that are left: round up for one "
            "epoch, then multiply.",
        ),
        _mistake(
            "rounded_up_after_the_epochs",
            _with(steps=lambda t, b: -(-t.epochs * t.rows // t.batch)),
            "the shares are right, but the steps are rounded up once for all epochs. "
            "EACH epoch ends with a step for the rows that are left: round up for one "
            "epoch, then multiply.",
        ),
        _mistake(
            "one_epoch",
            _with(steps=lambda t, b: -(-t.rows // t.batch)),
            "the steps are those of one epoch. Multiply by the number of epochs.",
        ),
        _mistake(
            "shares_right_steps_of_the_large_batch",
            lambda case: Plan(
                right(case).shares,
                case.training.rate,
                case.training.epochs
                * case.training.rows
                // (case.training.batch * case.replicas),
            ),
            "the shares are right, but the number of steps is still that of the "
            "multiplied batch. A step takes as many rows as on one device, so there "
            "are as many steps.",
        ),
        _mistake(
            "rate_multiplied",
            _with(rate=lambda n: n),
            "shares and steps are right, but the learning rate was multiplied by the "
            "number of replicas. The batch is that of one device; so is the rate.",
        ),
        _mistake(
            "rate_divided",
            _with(rate=lambda n: 1 / n),
            "shares and steps are right, but the learning rate was divided by the "
            "number of replicas. The gradient is a mean over the rows of the step "
            "already.",
        ),
        _mistake(
            "one_replica_works",
            _with(_first_only),
            "the weights are right, but one replica takes the whole batch, and the "
            "others have nothing to do.",
        ),
        _mistake(
            "rest_to_one",
            _with(_rest_to_one),
            "the weights are right, but one replica takes all the rest, and the others "
            "wait for it. No share needs to be more than one row larger than another.",
        ),
    ),
    right="The trained weights are those of one device on all replicas, and no share "
    "is larger than it needs to be.",
    locate="10/my_same_training",
)
