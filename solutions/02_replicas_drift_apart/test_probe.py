"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import END_OF_STEP, script, shows
from triage_runs import in_each_keras, run, shows_in_fit

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("largest_spread", 0, "sound"),
    ("largest_spread", 0, "fit"),
    ("largest_spread", 1, "own_gradients"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("largest_spread", 0, "sound"),
    ("largest_spread", 1, "own_gradients"),
]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    job = script("mirrored_loop").paste("largest_spread", ("after", END_OF_STEP))
    return run(job.text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def fit(tmp_path_factory):
    job = script("keras_fit").paste("largest_spread", ("end",))
    return run(job.text, tmp_path_factory.mktemp("fit"))


@pytest.fixture(scope="module")
def own_gradients(tmp_path_factory):
    """Each replica applies its own gradient."""
    job = script("mirrored_loop").edit("size=(21, 4)", "size=(24, 4)")
    job = job.edit("4 * strategy.num_replicas_in_sync", "4")
    job = job.edit(
        "    optimizer.apply_gradients(zip(gradients, model.trainable_variables, "
        "strict=True))",
        "    for variable, gradient in zip(model.trainable_variables, gradients):\n"
        "        variable.value.assign_sub(0.05 * gradient)",
    )
    job = job.paste("largest_spread", ("after", END_OF_STEP))
    return run(job.text, tmp_path_factory.mktemp("own_gradients"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


FITTED = script("keras_fit").paste_in_fit("largest_spread")
OWN_STEP = """
class OwnStep(tf.keras.Sequential):
    # each replica applies its own gradient, to its own copy
    def train_step(self, data):
        features, labels = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((labels - self(features, training=True)) ** 2)
        context = tf.distribute.get_replica_context()
        replica = int(tf.get_static_value(context.replica_id_in_sync_group))
        gradients = tape.gradient(loss, self.trainable_variables)
        for variable, gradient in zip(self.trainable_variables, gradients):
            mirrored = variable if callable(variable.value) else variable.value
            mirrored.values[replica].assign_sub(0.05 * gradient)
        return {"loss": loss}

"""
OWN = FITTED.put(OWN_STEP, "before", "with strategy.scope():")
FIT_JOBS = {
    "sound": FITTED,
    "own_gradients": OWN.edit("model = tf.keras.Sequential(", "model = OwnStep("),
}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    shows_in_fit(probe, which, FIT_JOBS[job], keras, tmp_path)
