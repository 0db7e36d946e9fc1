"""Devices, workloads, the sequential run and the runner agree with TensorFlow."""

import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

from course.runs.devices import DeviceError, mirrored, virtual_devices
from course.runs.replica_exercises import observe_step
from course.runs.replicas import train_on_replicas
from course.runs.sequential import train_sequentially
from course.runs.update_rules import Job, descend, each, follow, mean_gradient
from course.runs.workloads import LEARNING_RATE, regression


def averaged(w, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    context = tf.distribute.get_replica_context()
    gradient = context.all_reduce("MEAN", tape.gradient(loss, w))
    w.assign_sub(LEARNING_RATE * gradient)


def in_a_fresh_process(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60
    )


def test_devices_are_made_and_asking_again_changes_nothing(devices):
    assert virtual_devices(4) == devices
    assert len(tf.config.list_logical_devices(devices[0].split(":")[0])) == 4


def test_another_number_of_devices_says_restart_the_kernel(devices):
    with pytest.raises(DeviceError, match=r"you asked for 2\. Restart the kernel"):
        virtual_devices(2)


@pytest.mark.parametrize("n", [0, 17, -1, 2.0, "4", True, None])
def test_a_number_of_devices_that_makes_no_sense_is_refused(n):
    with pytest.raises(ValueError, match="a whole number from 1 to 16"):
        virtual_devices(n)


def test_too_late_says_restart_the_kernel():
    done = in_a_fresh_process(
        "import tensorflow as tf; tf.constant(1.0)\n"
        "from course import virtual_devices\n"
        "try: virtual_devices(4)\n"
        "except RuntimeError as error: print(error)"
    )
    assert "Restart the kernel" in done.stdout, done.stderr


def test_the_start_cell_prints_nothing():
    done = in_a_fresh_process(
        "from course import check, mirrored, predict, show, virtual_devices\n"
        "import tensorflow as tf\n"
        "devices = virtual_devices(4)\n"
        "mirrored(devices).run(lambda: tf.constant(1.0))"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    # TensorFlow itself advises against eager run; nothing else may be said
    assert not [
        line for line in done.stderr.splitlines() if "significant overhead" not in line
    ]


def test_the_names_learners_use_are_these():
    import course

    assert course.__all__ == ["check", "mirrored", "predict", "show", "virtual_devices"]


@pytest.mark.parametrize("names", [["CPU:0", "CPU:9"], ["GPU:7"], []])
def test_a_missing_device_is_refused(devices, names):
    with pytest.raises(DeviceError, match="no such device"):
        mirrored(names)


def test_rows_are_the_same_for_a_seed_and_differ_between_seeds():
    assert np.array_equal(regression(22, 3).x, regression(22, 3).x)
    assert not np.array_equal(regression(22, 3).x, regression(22, 4).x)


@pytest.mark.parametrize("rows", [17, 19, 22, 24])
@pytest.mark.parametrize("replicas", [2, 3, 4])
def test_shards_are_those_of_tensorflow(devices, rows, replicas):
    data, own = regression(rows), devices[:replicas]

    def nothing(w, x, y):
        pass

    by_tensorflow = train_on_replicas(nothing, data, 8, 3, own)
    handed_out = train_on_replicas(nothing, data, 8, 3, own, by_tf_data=False)
    assert handed_out.ids == by_tensorflow.ids
    assert handed_out.ids == tuple(
        tuple(tuple(shard.ids.tolist()) for shard in batch.shards(replicas))
        for batch in data.batches(8)
    )


@pytest.mark.parametrize("by_tf_data", [True, False])
def test_the_right_step_equals_the_sequential_run_on_all_replicas(devices, by_tf_data):
    data = regression(24)
    truth = train_sequentially(data, 8, 10)
    run = train_on_replicas(averaged, data, 8, 10, devices, by_tf_data=by_tf_data)
    print("largest gap:", run.gaps(truth).max())
    assert run.gaps(truth).max() < 1e-6
    assert run.examples == ((2, 2, 2, 2),) * 10
    assert np.abs(truth.copies[-1] - truth.copies[0]).max() > 0.5  # it did train


def test_closed_forms_give_what_tensorflow_gives(devices):
    def rule(copies, shards):
        return descend(copies, each(mean_gradient, copies, shards).mean(axis=0))

    job = Job(regression(19), 8, 2)  # with an uneven and no empty last shard
    assert observe_step(averaged, job).agrees(
        observe_step(averaged, job), 0
    )  # the same every time
    run = follow(rule, job)
    assert np.abs(run.copies - observe_step(averaged, job).values).max() < 1e-6


def gathers(own):
    """A step on the rows of all, or on those that `own` takes of them."""

    def step(w, x, y):
        context, few = tf.distribute.get_replica_context(), x.shape[0] < 40
        x, y = (context.all_gather(own(each, few), 0) for each in (x, y))
        averaged(w, x, y)

    return step


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize(
    "own",
    [
        lambda rows, few: rows,
        lambda rows, few: rows[:8],
        lambda rows, few: rows if few else rows[:1],
    ],
    ids=["all", "the first eight", "all while they are few"],
)
def test_rows_that_are_gathered_are_counted(devices, own, traced):
    """Also where nothing would be gathered of many rows, which no case has."""
    step = tf.function(gathers(own)) if traced else gathers(own)
    run = train_on_replicas(step, regression(24), 8, 2, devices)
    assert run.examples == ((8, 8, 8, 8),) * 2


def prints(w, x, y):
    tf.print(x, y)
    averaged(w, x, y)


def of_parts(w, x, y):
    averaged(w, *tf.function(lambda x, y: (x + 0, y + 0))(x, y))


@pytest.mark.parametrize(
    "step",
    [averaged, tf.function(averaged), prints, of_parts],
    ids=["plain", "traced", "prints", "of parts"],
)
@pytest.mark.parametrize("watch", ["nothing", "numbers", "everything"])
def test_who_looks_at_a_step_gathers_nothing(devices, step, watch, tmp_path):
    """Whether it is traced by itself, prints, or TensorFlow looks for NaN."""
    debugging = tf.debugging
    if watch == "numbers":
        debugging.enable_check_numerics()
    if watch == "everything":
        debugging.experimental.enable_dump_debug_info(str(tmp_path), "FULL_HEALTH")
    try:
        run = train_on_replicas(step, regression(24), 8, 2, devices)
    finally:
        debugging.disable_check_numerics()
        if watch == "everything":
            debugging.experimental.disable_dump_debug_info()
    assert run.examples == ((2, 2, 2, 2),) * 2


def test_a_step_without_rows_that_count_changes_nothing():
    data = regression(16)
    run = train_sequentially(data, 8, 2, keep=lambda part: part.ids >= 8)
    assert (run.copies[1] == run.copies[0]).all()
    assert (run.copies[2] != run.copies[1]).any()
