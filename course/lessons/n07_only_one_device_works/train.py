"""Core exercise: all devices share each batch, and the weights stay right."""

from __future__ import annotations

from course.checks.exercises import Exercise
from course.lessons.n07_only_one_device_works.trainings import (
    compare,
    draw,
    expect,
    observation,
    observe,
    read,
)
from course.lessons.n07_only_one_device_works.wrong_trainings import (
    all_four,
    applied,
    first,
    first_listed,
    first_rows,
    in_turn,
    listed,
    mistake,
    on,
    other_batches,
    own_shares,
    rows_each,
)
from course.runs.devices import virtual_devices
from course.runs.replica_exercises import DEVICES
from course.runs.update_rules import own_step, replica_0_step, sum_of_means

MY_TRAIN = Exercise(
    name="07/my_train",
    cases=draw,
    observe=observe,
    read=read,
    expect=expect,
    compare=compare,
    mistakes=(
        mistake(
            "first_device_does_all",
            "the first device does the work of every replica, each time for the whole "
            "batch. A tf.device block inside the replica function puts every replica "
            "there, and a batch that is not distributed is not split.",
            on(first, times=None, all_rows=True),
        ),
        mistake(
            "no_run",
            "each step computes one gradient, of the whole batch, on the first device. "
            "Without strategy.run nothing is shared: the scope only makes the copies "
            "of w.",
            on(first, all_rows=True),
        ),
        mistake(
            "all_on_the_first",
            "each share of the batch is computed apart, but all of them on the first "
            "device: tf.device inside the replica function puts every replica there, "
            "tf.device(None) takes away the replica's device, and a loop of your own "
            "needs tf.device for each share.",
            on(first, times=None),
        ),
        mistake(
            "pinned_to_devices_0",
            "each share of the batch is computed apart, but all of them on devices[0]: "
            "tf.device inside the replica function overrides the replica's own device.",
            on(first_listed, times=None),
        ),
        mistake(
            "ghost_devices",
            "the strategy is built on devices that do not exist. TensorFlow makes as "
            "many replicas as there are names, without an error, and puts all of them "
            "on one real device. Use the names in devices.",
            on(first, times=None),
            held=lambda case: (case.first,) * len(case.devices),
        ),
        mistake(
            "one_replica",
            "all rows are computed on devices[0]: the strategy has one replica, or "
            "the whole work is pinned there. One replica for each of devices.",
            on(first_listed, all_rows=True),
        ),
        mistake(
            "whole_batches_on_devices_0",
            "devices[0] does the work of every replica, each time for the whole batch: "
            "tf.device inside the replica function overrides the replica's own device, "
            "and a batch that is not distributed is not split.",
            on(first_listed, times=None, all_rows=True),
        ),
        mistake(
            "forward_on_the_first",
            "the forward pass of all replicas runs on the first device; only the "
            "multiplication for the gradient is where it belongs. Remove tf.device "
            "around the loss.",
            on(first, times=None),
            gradient=own_shares,
        ),
        mistake(
            "gradient_on_the_first",
            "the forward pass is shared, but the gradient of every share is computed "
            "on the first device: a tape does not remember tf.device. Call "
            "tape.gradient (or gradient_of) inside the same tf.device block.",
            own_shares,
            gradient=on(first, times=None),
        ),
        mistake(
            "all_devices",
            "all devices of this process work, also those that are not in devices. "
            "MirroredStrategy() without a list takes every device there is; a list "
            "must be the one in devices.",
            all_four,
            held=lambda case: tuple(virtual_devices(DEVICES)),
        ),
        mistake(
            "whole_batch_everywhere",
            "every device computes the WHOLE batch. The weights are right, but nothing "
            "is shared: each device does as much as one alone. strategy.run does not "
            "split a plain tensor: what it gets must be shares already, and "
            "all_gather would put them together again.",
            on(listed, all_rows=True),
        ),
        mistake(
            "all_shares_everywhere",
            "every device computes ALL shares, one after the other. The weights are "
            "right, but nothing is shared: each device does as much as one alone. A "
            "replica is to compute its own share only.",
            on(listed, times=None),
        ),
        mistake(
            "own_share_twice",
            "each device computes its own share two times. The weights are right, but "
            "half of the work is in vain: call gradient_of once in a replica.",
            on(listed, times=2),
        ),
        mistake(
            "whole_batch_summed",
            "every device computes the whole batch, and the gradients are added up: "
            "nothing is shared, and the step is too large.",
            on(listed, all_rows=True),
            rule=sum_of_means,
        ),
        mistake(
            "four_rows_each",
            "each device computes four rows, however many the batch has; the others "
            "count for nothing. A share is the batch divided by the number of devices.",
            rows_each(lambda case: DEVICES),
            rule=first_rows(lambda rows, replicas: DEVICES * replicas),
        ),
        mistake(
            "quarters",
            "each device computes a quarter of the batch, also where there are not "
            "four devices; the other rows count for nothing. Divide by len(devices).",
            rows_each(lambda case: case.job.batch // DEVICES),
            rule=first_rows(lambda rows, replicas: rows // DEVICES * replicas),
        ),
        mistake(
            "only_shown",
            "the gradients of the shares are computed and then not used: the update "
            "has its gradient from elsewhere. Apply the gradients of the shares.",
            seen=lambda case, *run: observation(case, *run).changed(
                shown=len(case.devices) == 2
            ),
        ),
        mistake(
            "no_all_reduce",
            "each replica applies the gradient of its own rows; nothing combines the "
            "gradients, so the copies drift apart (notebook 02).",
            rule=own_step,
        ),
        mistake(
            "sum_of_means",
            "the replicas' mean gradients are added up and not divided: the step is as "
            "many times too large as there are replicas.",
            rule=sum_of_means,
        ),
        mistake(
            "one_copy_updated_n_times",
            "there is one copy of w, and each step changes it as many times too much "
            "as there are devices. A variable made outside the scope is updated by "
            "EVERY replica: make it in the scope. In a loop of your own, divide the "
            "sum of the gradients by the number of devices.",
            rule=sum_of_means,
            held=first,
        ),
        mistake(
            "one_share_after_the_other",
            "there is one copy of w, and the shares are applied one after the other: "
            "each gradient is computed at weights that the one before has changed. "
            "Make w in the scope, or combine all gradients first and apply them once.",
            rule=in_turn,
            held=first,
        ),
        mistake(
            "one_share_only",
            "only the rows of the first share have an effect: either every replica "
            "computes the first share, or only one replica's gradient is used. Each "
            "needs a share of its own, and all gradients together make the step.",
            rule=replica_0_step,
        ),
        mistake(
            "first_share_only",
            "the work is shared, but only the first gradient is applied; the other "
            "rows count for nothing. Combine all of them.",
            rule=replica_0_step,
            held=first,
        ),
        mistake(
            "last_share_only",
            "the work is shared, but only the last gradient is applied; the other rows "
            "count for nothing. Combine all of them.",
            rule=applied(lambda gradients: gradients[-1]),
            held=first,
        ),
        mistake(
            "divided_twice",
            "the gradient is divided by the number of devices twice: MEAN has divided "
            "already.",
            rule=applied(lambda gradients: gradients.mean(0) / len(gradients)),
        ),
        other_batches(
            "smaller_batches",
            "the batches are cut into smaller ones before they are shared, so there "
            "are more updates, each from fewer rows. Share the batches as they are.",
            lambda case: case.job.batch // len(case.devices),
        ),
        other_batches(
            "larger_batches",
            "several batches are put together before they are shared, so there are "
            "fewer updates, each from more rows. Share the batches as they are.",
            lambda case: case.job.batch * len(case.devices),
        ),
        mistake(
            "wrong_direction",
            "the step goes up the gradient. Gradient descent subtracts it.",
            rule=applied(lambda gradients: -gradients.mean(0)),
        ),
        mistake(
            "no_update",
            "w is never changed: apply the combined gradient with w.assign_sub.",
            rule=applied(lambda gradients: 0 * gradients[0]),
        ),
        mistake(
            "first_batch_only",
            "only the first batch is used. Go through all batches.",
            steps=1,
        ),
        mistake(
            "not_seen",
            "the weights are right, but no multiplication of TensorFlow was seen: "
            "compute the gradients with gradient_of, and make a tf.function inside "
            "my_train (one that ran earlier cannot be seen).",
            on(listed, times=0),
        ),
    ),
    right="All copies equal the sequential run, and each device multiplied its own "
    "share of every batch.",
    locate="07/my_misplaced",
)
