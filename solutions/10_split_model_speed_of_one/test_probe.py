"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import Script, script, shows
from triage_runs import in_each_keras, run, shows_in_fit

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("devices_asked", 0, "sound"),
    ("devices_asked", 1, "broken"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("devices_asked", 0, "own_step"),
    ("devices_asked", 1, "keras_step"),
]

JOB = script("split_model").paste("devices_asked", ("before", "for _ in range(20):"))


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return run(JOB.text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """Gradients outside of tf.device."""
    job = JOB
    for old, new in (
        ("        slope, gradient = upper", "    slope, gradient = upper"),
        ("        second.assign_sub", "    second.assign_sub"),
        ("        gradient = lower", "    gradient = lower"),
        ("        first.assign_sub", "    first.assign_sub"),
        ('    with tf.device("CPU:0"):\n    gradient', "    gradient"),
    ):
        job = job.edit(old, new)
    return run(job.text, tmp_path_factory.mktemp("broken"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


FITTED = Script("""\
import tensorflow as tf

(processor,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(
    processor, [tf.config.LogicalDeviceConfiguration()] * 2
)
x = tf.random.stateless_normal([32, 4], seed=[1, 2])
y = tf.reduce_sum(x, axis=1, keepdims=True)


class Split(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first = tf.keras.layers.Dense(16, activation="tanh")
        self.second = tf.keras.layers.Dense(1)

    def call(self, rows):
        with tf.device("CPU:0"):
            hidden = self.first(rows)
        with tf.device("CPU:1"):
            return self.second(hidden)


model = Split()
model.compile(optimizer=tf.keras.optimizers.SGD(0.1), loss="mse")
model.fit(x, y, batch_size=8, epochs=2, verbose=0)
""").paste_in_fit("devices_asked", ("end",))
OWN_STEP = """
    def train_step(self, data):
        x, y = data
        with tf.device("CPU:0"), tf.GradientTape() as lower:
            hidden = self.first(x)
        with tf.device("CPU:1"):
            with tf.GradientTape() as upper:
                upper.watch(hidden)
                loss = tf.reduce_mean((self.second(hidden) - y) ** 2)
            own = self.second.trainable_variables
            slope, *gradients = upper.gradient(loss, [hidden, *own])
            for variable, gradient in zip(own, gradients):
                variable.assign_sub(0.1 * gradient)
        with tf.device("CPU:0"):
            own = self.first.trainable_variables
            gradients = lower.gradient(hidden, own, output_gradients=slope)
            for variable, gradient in zip(own, gradients):
                variable.assign_sub(0.1 * gradient)
        return {"loss": loss}

"""
FIT_JOBS = {
    "own_step": FITTED.put(OWN_STEP, "before", "model = Split()"),
    "keras_step": FITTED,
}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    shows_in_fit(probe, which, FIT_JOBS[job], keras, tmp_path)
