"""Core exercise: all devices share each batch, and the weights stay right."""

from __future__ import annotations

import numpy as np

from course.devices import virtual_devices
from course.exercises import Exercise, Mistake, Observation
from course.lessons.n06_only_one_device_works.trainings import (
    Case,
    compare,
    draw,
    expect,
    observation,
    observe,
    shares,
)
from course.stepping import (
    Rule,
    descend,
    each,
    follow,
    mean_gradient,
    mean_of_means,
    own_step,
    replica_0_step,
    sum_of_means,
)
from course.training_exercises import DEVICES
from course.workloads import LEARNING_RATE


def _mistake(
    code: str,
    cause: str,
    place=shares,
    rule: Rule = mean_of_means,
    gradient=None,
    held=lambda case: case.devices,
    steps: int | None = None,
) -> Mistake:
    """A mistake that does the work where `place` says and changes weights by `rule`."""

    def observe_it(case: Case) -> Observation:
        job = case.job
        end = job.steps if steps is None else steps
        copies = follow(rule, job).copies[end]
        on = held(case)
        if len(on) == 1:
            copies = copies[:1]
        elif len(on) > len(copies):
            copies = np.repeat(copies[:1], len(on), axis=0)
        rows = place(case)
        back = (gradient or place)(case)
        return observation(case, copies, rows, back, on)

    return Mistake(code, cause, observe_it)


def _on(*, device=lambda case: case.first, all_rows: bool = False):
    def place(case: Case) -> dict[str, int]:
        share = 1 if all_rows else len(case.devices)
        return {device(case): case.job.batch // share}

    return place


def _all_four(case: Case) -> dict[str, int]:
    return dict.fromkeys(virtual_devices(DEVICES), case.job.batch // DEVICES)


def _whole_batch(case: Case) -> dict[str, int]:
    return dict.fromkeys(case.devices, case.job.batch)


def _nowhere(case: Case) -> dict[str, int]:
    return {}


def _one_copy(case: Case) -> tuple[str, ...]:
    return (case.first,)


def _whole_batch_summed(copies, shards):
    return descend(copies, len(shards) * each(mean_gradient, copies, shards).mean(0))


def _in_turn(copies, shards):
    for shard in shards:
        copies = copies - LEARNING_RATE * mean_gradient(copies[0], shard)
    return copies


def _last_only(copies, shards):
    return descend(copies, each(mean_gradient, copies, shards)[-1])


def _divided_twice(copies, shards):
    return descend(copies, each(mean_gradient, copies, shards).mean(0) / len(shards))


def _uphill(copies, shards):
    return 2 * copies - mean_of_means(copies, shards)


def _nothing(copies, shards):
    return copies


MY_TRAIN = Exercise(
    name="06/my_train",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=(
        _mistake(
            "outside_run",
            "the gradient is computed outside strategy.run (or a loop of your own over "
            "the devices), so the first device does it alone, for the whole batch. The "
            "scope only makes the copies of w. A distributed dataset alone moves "
            "nothing either.",
            _on(all_rows=True),
        ),
        _mistake(
            "all_on_the_first",
            "each share of the batch is computed apart, but all of them on the first "
            "device: tf.device inside the replica function puts every replica there, "
            "tf.device(None) takes away the replica's device, and a loop of your own "
            "needs tf.device for each share.",
            _on(),
        ),
        _mistake(
            "pinned_to_devices_0",
            "each share of the batch is computed apart, but all of them on devices[0]: "
            "tf.device inside the replica function overrides the replica's own device.",
            _on(device=lambda case: case.devices[0]),
        ),
        _mistake(
            "ghost_devices",
            "the strategy is built on devices that do not exist. TensorFlow makes as "
            "many replicas as there are names, without an error, and puts all of them "
            "on one real device. Use the names in devices.",
            _on(),
            held=lambda case: (case.first,) * len(case.devices),
        ),
        _mistake(
            "one_replica",
            "all rows are computed on devices[0]: the strategy has one replica, or "
            "the whole work is pinned there. One replica for each of devices.",
            _on(device=lambda case: case.devices[0], all_rows=True),
        ),
        _mistake(
            "forward_on_the_first",
            "the forward pass of all replicas runs on the first device; only the "
            "multiplication for the gradient is where it belongs. Remove tf.device "
            "around the loss.",
            _on(),
            gradient=shares,
        ),
        _mistake(
            "gradient_on_the_first",
            "the forward pass is shared, but the gradient of every share is computed "
            "on the first device: a tape does not remember tf.device. Call "
            "tape.gradient (or gradient_of) inside the same tf.device block.",
            shares,
            gradient=_on(),
        ),
        _mistake(
            "all_devices",
            "all devices of this process work, also those that are not in devices: "
            "MirroredStrategy() without a list takes every device there is.",
            _all_four,
            held=lambda case: tuple(virtual_devices(DEVICES)),
        ),
        _mistake(
            "whole_batch_everywhere",
            "every device computes the WHOLE batch. The weights are right, but nothing "
            "is shared: each device does as much as one alone. strategy.run does not "
            "split a plain tensor, and all_gather puts the shares together again.",
            _whole_batch,
        ),
        _mistake(
            "whole_batch_summed",
            "every device computes the whole batch, and the gradients are added up: "
            "nothing is shared, and the step is too large.",
            _whole_batch,
            _whole_batch_summed,
        ),
        _mistake(
            "no_all_reduce",
            "each replica applies the gradient of its own rows; nothing combines the "
            "gradients, so the copies drift apart (notebook 02).",
            rule=own_step,
        ),
        _mistake(
            "sum_of_means",
            "the replicas' mean gradients are added up and not divided: the step is as "
            "many times too large as there are replicas.",
            rule=sum_of_means,
        ),
        _mistake(
            "one_copy_updated_n_times",
            "there is one copy of w, and each step changes it as many times too much "
            "as there are devices. A variable made outside the scope is updated by "
            "EVERY replica: make it in the scope. In a loop of your own, divide the "
            "sum of the gradients by the number of devices.",
            rule=sum_of_means,
            held=_one_copy,
        ),
        _mistake(
            "one_share_after_the_other",
            "there is one copy of w, and the shares are applied one after the other: "
            "each gradient is computed at weights that the one before has changed. "
            "Make w in the scope, or combine all gradients first and apply them once.",
            rule=_in_turn,
            held=_one_copy,
        ),
        _mistake(
            "one_share_only",
            "the work is shared, but only one replica's gradient is used; the rows of "
            "the others count for nothing. Combine all of them.",
            rule=replica_0_step,
        ),
        _mistake(
            "first_share_only",
            "the work is shared, but only the first gradient is applied; the other "
            "rows count for nothing. Combine all of them.",
            rule=replica_0_step,
            held=_one_copy,
        ),
        _mistake(
            "last_share_only",
            "the work is shared, but only the last gradient is applied; the other rows "
            "count for nothing. Combine all of them.",
            rule=_last_only,
            held=_one_copy,
        ),
        _mistake(
            "divided_twice",
            "the gradient is divided by the number of devices twice: MEAN has divided "
            "already.",
            rule=_divided_twice,
        ),
        _mistake(
            "wrong_direction",
            "the step goes up the gradient. Gradient descent subtracts it.",
            rule=_uphill,
        ),
        _mistake(
            "no_update",
            "w is never changed: apply the combined gradient with w.assign_sub.",
            rule=_nothing,
        ),
        _mistake(
            "first_batch_only",
            "only the first batch is used. Go through all batches.",
            steps=1,
        ),
        _mistake(
            "not_seen",
            "the weights are right, but no multiplication of TensorFlow was seen: "
            "compute the gradients with gradient_of, and make a tf.function inside "
            "my_train (one that ran earlier cannot be seen).",
            _nowhere,
        ),
    ),
    right="All copies equal the sequential run, and each device multiplied its own "
    "share of every batch.",
    locate="06/my_misplaced",
)
