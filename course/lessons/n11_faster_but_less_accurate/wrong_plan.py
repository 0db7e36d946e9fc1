"""Wrong answers to 11/my_plan: names are codes, docstrings causes."""

from __future__ import annotations

import math

from course.checks.exercises import wrong_answers
from course.lessons.n11_faster_but_less_accurate.shared_batches import Training


def _steps(training: Training, batch: int) -> int:
    """The steps of all epochs with so many rows in a step, rounded up in each."""
    return training.epochs * math.ceil(training.rows / batch)


def _even(training: Training, replicas: int) -> list[int]:
    """The shares of the batch that differ by one row at most."""
    return [(training.batch + k) // replicas for k in reversed(range(replicas))]


def batch_times_replicas(training, replicas):
    """Each replica takes a whole batch, so a step takes as many times more rows as
    there are replicas, and there are fewer steps. That is another training: the
    batch of one device has to be shared out.
    """
    shares = [training.batch] * replicas
    steps = training.epochs * training.rows // sum(shares)
    return shares, training.rate, steps


def batch_times_replicas_all_rows(training, replicas):
    """Each replica takes a whole batch. The epochs are complete now, but a step
    still takes as many times more rows as there are replicas.
    """
    shares = [training.batch] * replicas
    return shares, training.rate, _steps(training, sum(shares))


def batch_times_replicas_same_steps(training, replicas):
    """Each replica takes a whole batch, and the number of steps is that of one
    device: the replicas go through the rows several times more often.
    """
    return [training.batch] * replicas, training.rate, training.steps


def batch_times_replicas_old_steps(training, replicas):
    """Each replica takes a whole batch, and the number of steps is nearly that of
    one device: the replicas go through the rows several times more often.
    """
    steps = training.epochs * training.rows // training.batch
    return [training.batch] * replicas, training.rate, steps


def linear_rule(training, replicas):
    """Each replica takes a whole batch, and the learning rate is multiplied to make
    up for it. That may come near (section 3), but it is not the same training. Keep
    the batch.
    """
    shares, rate, steps = batch_times_replicas(training, replicas)
    return shares, rate * replicas, steps


def linear_rule_all_rows(training, replicas):
    """Each replica takes a whole batch, and the learning rate is multiplied to make
    up for it. That may come near (section 3), but it is not the same training. Keep
    the batch, and the rate.
    """
    shares, rate, steps = batch_times_replicas_all_rows(training, replicas)
    return shares, rate * replicas, steps


def rounded_down(training, replicas):
    """The shares are rounded down (to 1 at least), so a step has not as many rows
    as the batch of one device where the batch does not divide.
    """
    shares = [max(1, training.batch // replicas)] * replicas
    return shares, training.rate, _steps(training, sum(shares))


def rounded_down_same_steps(training, replicas):
    """The shares are rounded down (to 1 at least), so a step has not as many rows
    as the batch of one device where the batch does not divide. The number of steps
    is right.
    """
    shares = [max(1, training.batch // replicas)] * replicas
    return shares, training.rate, training.steps


def rounded_down_old_steps(training, replicas):
    """The shares are rounded down (to 1 at least), so a step has not as many rows
    as the batch of one device where the batch does not divide. And the steps are
    rounded down once for all epochs.
    """
    shares = [max(1, training.batch // replicas)] * replicas
    return shares, training.rate, training.epochs * training.rows // training.batch


def rounded_down_fewer_steps(training, replicas):
    """The shares are rounded down (to 1 at least), so a step has not as many rows
    as the batch of one device where the batch does not divide. And the steps of
    this smaller batch are rounded down once for all epochs.
    """
    shares = [max(1, training.batch // replicas)] * replicas
    return shares, training.rate, training.epochs * training.rows // sum(shares)


def rounded_up(training, replicas):
    """The shares are rounded up for every replica, so a step has more rows than the
    batch of one device where the batch does not divide.
    """
    shares = [math.ceil(training.batch / replicas)] * replicas
    return shares, training.rate, _steps(training, sum(shares))


def rounded_up_same_steps(training, replicas):
    """The shares are rounded up for every replica, so a step has more rows than the
    batch of one device where the batch does not divide. The number of steps is
    right.
    """
    shares = [math.ceil(training.batch / replicas)] * replicas
    return shares, training.rate, training.steps


def rest_of_the_epoch_lost(training, replicas):
    """The shares are right, but there are too few steps: an epoch's last step, with
    the rows that are left, counts too. Round up.
    """
    steps = training.epochs * (training.rows // training.batch)
    return _even(training, replicas), training.rate, steps


def rounded_after_the_epochs(training, replicas):
    """The shares are right, but the steps are rounded down once for all epochs.
    EACH epoch ends with a step for the rows that are left: round up for one epoch,
    then multiply.
    """
    steps = training.epochs * training.rows // training.batch
    return _even(training, replicas), training.rate, steps


def rounded_up_after_the_epochs(training, replicas):
    """The shares are right, but the steps are rounded up once for all epochs. EACH
    epoch ends with a step for the rows that are left: round up for one epoch, then
    multiply.
    """
    steps = math.ceil(training.epochs * training.rows / training.batch)
    return _even(training, replicas), training.rate, steps


def one_epoch(training, replicas):
    """The steps are those of one epoch. Multiply by the number of epochs."""
    steps = math.ceil(training.rows / training.batch)
    return _even(training, replicas), training.rate, steps


def shares_right_steps_of_the_large_batch(training, replicas):
    """The shares are right, but the number of steps is still that of the multiplied
    batch. A step takes as many rows as on one device, so there are as many steps.
    """
    steps = training.epochs * training.rows // (training.batch * replicas)
    return _even(training, replicas), training.rate, steps


def rate_multiplied(training, replicas):
    """Shares and steps are right, but the learning rate was multiplied by the
    number of replicas. The batch is that of one device; so is the rate.
    """
    return _even(training, replicas), training.rate * replicas, training.steps


def rate_divided(training, replicas):
    """Shares and steps are right, but the learning rate was divided by the number
    of replicas. The gradient is a mean over the rows of the step already.
    """
    return _even(training, replicas), training.rate / replicas, training.steps


def one_replica_works(training, replicas):
    """The weights are right, but one replica takes the whole batch, and the others
    have nothing to do.
    """
    shares = [training.batch, *[0] * (replicas - 1)]
    return shares, training.rate, training.steps


def rest_to_one(training, replicas):
    """The weights are right, but one replica takes all the rest, and the others
    wait for it. No share needs to be more than one row larger than another.
    """
    shares = [training.batch // replicas] * (replicas - 1)
    shares.append(training.batch - sum(shares))
    return shares, training.rate, training.steps


MISTAKES = wrong_answers(__name__)
