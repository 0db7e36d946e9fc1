"""What the probe prints, in jobs without the course: all that triage.md shows."""

import re

import pytest
from triage_page import Script, shows
from triage_runs import run

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("largest_differences", 0, "sound"),
    ("largest_differences", 1, "clipped"),
    ("largest_differences", 2, "one_number"),
]

JOB = Script("""\
import numpy as np
import tensorflow as tf

(processor,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(
    processor, [tf.config.LogicalDeviceConfiguration()] * 2
)
tf.config.threading.set_inter_op_parallelism_threads(4)
strategy = tf.distribute.MirroredStrategy(
    ["CPU:0", "CPU:1"], cross_device_ops=tf.distribute.ReductionToOneDevice()
)

generator = np.random.default_rng(2)
x = generator.normal(size=(24, 4)).astype("float32")
y = x.sum(axis=1, keepdims=True) ** 2


def make_model():
    layers = [tf.keras.Input((4,)), tf.keras.layers.Dense(1)]
    model = tf.keras.Sequential(layers)
    model.compile(optimizer=tf.keras.optimizers.SGD(0.05), loss="mse")
    return model


""").paste("largest_differences", ("end",))


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return run(JOB.text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def clipped(tmp_path_factory):
    job = JOB.edit("SGD(0.05)", "SGD(0.05, clipnorm=1.0)")
    return run(job.text, tmp_path_factory.mktemp("clipped"))


ONE_NUMBER = "loss=lambda targets, outputs: tf.reduce_mean((targets - outputs) ** 2)"


@pytest.fixture(scope="module")
def one_number(tmp_path_factory):
    job = JOB.edit('loss="mse"', ONE_NUMBER)
    return run(job.text, tmp_path_factory.mktemp("one_number"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


@pytest.mark.parametrize(
    ("old", "new"),
    [("SGD(0.05)", "SGD(0.05, clipnorm=1.0)"), ('loss="mse"', ONE_NUMBER)],
)
def test_with_tf_keras_both_are_healthy(old, new, tmp_path):
    output = run(JOB.edit(old, new).text, tmp_path, keras="tf_keras")
    assert re.findall(r": (\d\.\d+)", output) == ["0.0", "0.0"]
