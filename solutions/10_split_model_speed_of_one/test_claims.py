"""The evidence for what notebook 10 states, in its claims and in its prose."""

from collections import Counter

import numpy as np
import pytest
import tensorflow as tf
from printed_cells import PrintedCells

from course.lessons.n10_split_model_speed_of_one import PREDICTION, playing
from course.lessons.n10_split_model_speed_of_one.gradients import MY_PIPELINE_GRADS
from course.lessons.n10_split_model_speed_of_one.locate import MY_FIRST_STALL
from course.lessons.n10_split_model_speed_of_one.pipeline import (
    SECONDS_A_ROW,
    bubble,
    forward_visits,
    in_micro_batches,
    run_pipeline,
)
from course.runs.devices import mirrored, short_name

pytestmark = [
    pytest.mark.prove,
    pytest.mark.usefixtures("devices"),
]  # before TensorFlow starts

CELLS = PrintedCells(__file__, tf=tf, Counter=Counter)


@pytest.fixture(scope="module")
def broken():
    names = CELLS.run("my_pipeline_grads-broken")
    return names["broken_pipeline_grads"]


@pytest.fixture
def job():
    return MY_PIPELINE_GRADS.cases(np.random.default_rng(1))[0]


def lanes(run, kind):
    return {span.lane for span in run.spans if span.kind == kind}


def test_claim_001_02(broken, devices):
    """Example 1: all layers on every device. Stages: one device each, in turn."""
    with mirrored(devices).scope():
        model = tf.keras.Sequential([tf.keras.Input((5,)), tf.keras.layers.Dense(10)])
        model.add(tf.keras.layers.Dense(1))
    for weight in model.trainable_variables:
        assert [short_name(copy.device) for copy in weight.value.values] == devices
    run = run_pipeline(broken)
    assert lanes(run, "forward") == lanes(run, "backward") == set(devices)
    assert len(run.spans) == 8
    assert run.most_at_once == 1


def test_the_prediction(broken, devices):
    """Forward a staircase; backward all on the first device, never two at once."""
    assert PREDICTION.options[PREDICTION.answer].text.startswith("All on the first")
    run = run_pipeline(broken, pinned=False)
    assert lanes(run, "forward") == set(devices)
    assert lanes(run, "backward") == {devices[0]}
    assert run.most_at_once == 1 and len(run.spans) == 8


def test_gradients_of_plain_layers_come_from_the_first_device(devices):
    """Eagerly, too, where a result says where it was computed."""
    h, w = tf.ones((2, 3)), []
    for device in devices:
        with tf.device(device):
            w.append(tf.Variable(tf.ones((3, 3))))
    with tf.GradientTape() as tape:
        for device, each in zip(devices, w, strict=True):
            with tf.device(device):
                h = tf.tanh(h @ each)
                assert short_name(h.device) == device
        loss = tf.reduce_mean(h)
    gradients = tape.gradient(loss, w)
    assert {short_name(each.device) for each in gradients} == {devices[0]}


def test_the_bubble():
    """p - 1 of M + p - 1 turns."""
    assert [round(bubble(4, m), 2) for m in (1, 2, 4, 8)] == [0.75, 0.6, 0.43, 0.27]


@pytest.mark.parametrize("micro", [4, 8])
def test_backward_passes_that_ask_for_no_device_run_in_turn(devices, micro):
    run = playing.run(4, micro, playing.EQUAL, playing.NONE, in_micro_batches).timeline
    assert lanes(run, "forward") == set(devices)
    assert lanes(run, "backward") == {devices[0]}
    assert run.seconds >= 0.99 * 16 * SECONDS_A_ROW * least_passes(micro)


def least_passes(micro):
    """Return the least time of that step, in passes of one stage over all rows.

    The first micro-batch goes forward through four stages; then come four stages'
    backward passes, one after the other.
    """
    return 4 / micro + 4


def test_two_thirds_of_the_gain_are_left_without_a_device():
    # 8 passes of work on 4 devices take longer by what is idle
    one, four = (8 / (4 * (1 - bubble(4, micro))) for micro in (1, 4))
    bare = least_passes(4)
    assert (one - bare) / (one - four) == pytest.approx(2 / 3)
    assert 1 - 8 / (4 * bare) == pytest.approx(0.6)  # idle


@pytest.mark.parametrize("micro", [4, 8])
def test_more_micro_batches_do_not_pass_the_slowest_stage(micro):
    slow = 2 * SECONDS_A_ROW * 16  # in each direction
    run = playing.run(4, micro, 1, playing.OWN, in_micro_batches).timeline
    assert run.seconds >= 0.99 * 2 * slow


@pytest.mark.parametrize("micro", [1, 2, 4, 8])
def test_the_work_is_shared_out_and_never_less(micro):
    """Every pass of a micro-batch is a wait of 3 ms for each of its rows."""
    run = run_pipeline(in_micro_batches, micro)
    assert len(run.spans) == 8 * micro
    least = SECONDS_A_ROW * 16 / micro
    assert all(span.end - span.begin >= 0.99 * least for span in run.spans)
    # no schedule is shorter than the pipeline's own, so no share is smaller
    assert run.seconds >= 0.99 * least * 2 * (micro + 3)


def test_the_colleague_runs_one_micro_batch_after_the_other():
    names = CELLS.run(
        "colleague",
        run_pipeline=run_pipeline,
        show=lambda picture: None,
        timeline=lambda *runs, **how: None,
    )
    run = names["colleague"]
    assert run.most_at_once == 1
    solved = CELLS.run("my_first_stall-fix")["my_first_stall"]
    stage, micro, late = solved(forward_visits(run), 10)
    assert (stage, micro) == (0, 1)
    assert late >= 3 * 12 - 1  # the other three stages; times are rounded


def test_the_shipped_monitor_accuses_every_pipeline():
    shipped = CELLS.run("my_first_stall-broken")["broken_first_stall"]
    for record in MY_FIRST_STALL.cases(np.random.default_rng(3)):
        assert shipped(record.visits, 10)


def test_waiting_for_each_other_changes_no_value(job):
    right = MY_PIPELINE_GRADS.observe(in_micro_batches, job)
    assert right.agrees(MY_PIPELINE_GRADS.expect(job), 1e-5)


def test_a_call_without_use_is_not_run(job):
    """What the check says of a last micro-batch that replaces the others."""

    def only_last(stages, x, y, micro):
        in_micro_batches(stages, x, y, micro)
        return in_micro_batches(stages, x[:2], y[:2], 1)

    got = MY_PIPELINE_GRADS.observe(only_last, job)
    assert got.counts["calls"] == (1, 1, 1, 1)


def test_ordinary_layers_have_their_backward_pass_on_the_first_device(devices):
    run = run_pipeline(in_micro_batches, 4, pinned=False)
    assert lanes(run, "forward") == set(devices)
    assert lanes(run, "backward") == {devices[0]}


def keras_step(devices):
    inputs = h = tf.keras.Input((4,))
    for device in devices:
        with tf.device(device):
            h = tf.keras.layers.Dense(4, "tanh")(h)
    model = tf.keras.Model(inputs, h)
    model.compile("sgd", "mse")

    @tf.function
    def step(x, y):
        return model.train_step((x, y))

    return model, step.get_concrete_function(tf.ones((8, 4)), tf.ones((8, 4)))


def test_keras_puts_weights_on_the_devices_and_work_on_none(devices):
    model, concrete = keras_step(devices)
    assert {short_name(w.value.device) for w in model.weights} >= set(devices)
    work = [op for op in concrete.graph.get_operations() if op.type == "MatMul"]
    assert len(work) == 11
    assert {op.device for op in work} == {""}


def test_the_probe_at_work(devices, capsys):
    """What the notebook prints: no backward work asks for a device."""
    CELLS.run("probe", "use-probe", devices=devices)
    printed = capsys.readouterr().out
    for device in devices:
        assert f"(('forward', '{device}'), 2)" in printed
    assert "(('backward', 'none'), 18)" in printed
    assert printed.count("backward") == 1


def counts_of_the_probe(layer, devices):
    """What the notebook's probe counts in a step of one such layer on each device."""
    w = [tf.Variable(tf.ones((3, 3))) for _ in devices]

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            h = x
            for device, each in zip(devices, w, strict=True):
                h = layer(h, each, device)
            loss = tf.reduce_sum(h)
        return tape.gradient(loss, w)

    probe = CELLS.run("probe")["devices_asked"]
    return probe(step.get_concrete_function(tf.ones((5, 3))))


def test_the_probe_tells_directions_and_devices(devices):
    """On foreign code: layers under tf.device, whose backward pass asks for none."""
    layer = CELLS.run("my_layer-broken")["broken_layer"]
    counts = counts_of_the_probe(layer, devices)
    for device in devices:
        assert counts["forward", device] == 2
        assert counts["backward", device] == 0
    assert counts["backward", "none"] >= 11


def test_the_probe_sees_a_backward_pass_that_was_put_on_a_device(devices):
    """Its operations have no name of the tape's: what uses a gradient counts."""
    layer = CELLS.run("my_layer-fix")["my_layer"]
    counts = counts_of_the_probe(layer, devices)
    for device in devices:
        assert counts["backward", device] >= 2, device
