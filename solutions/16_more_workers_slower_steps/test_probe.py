"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import FIT, LOOP, script, shows
from triage_runs import in_each_keras, run_workers

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("messages_of", 0, "sound"),
    ("messages_of", 1, "broken"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("messages_of", 0, "sound", "tf_keras"),
    ("messages_of", 1, "one_by_one", "tf_keras"),
]

JOB = script("worker").paste("messages_of", ("before", LOOP))


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return run_workers(JOB.text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """A message for each gradient."""
    job = JOB.edit(
        '*gradients, rows = context.all_reduce("SUM", [*gradients, rows])',
        'gradients = [context.all_reduce("SUM", each) for each in gradients]',
    )
    return run_workers(job.text, tmp_path_factory.mktemp("broken"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


FITTED = script("fit_worker").paste_in_fit("messages_of", ("end",))
OWN_STEP = """
class OwnStep(tf.keras.Sequential):
    def train_step(self, data):
        features, labels = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((labels - self(features, training=True)) ** 2) / 2
        context = tf.distribute.get_replica_context()
        gradients = tape.gradient(loss, self.trainable_variables)
        gradients = [context.all_reduce("SUM", each) for each in gradients]
        pairs = zip(gradients, self.trainable_variables)
        self.optimizer.apply_gradients(pairs, skip_gradients_aggregation=True)
        return {"loss": loss}

"""
OWN = FITTED.put(OWN_STEP, "before", "with strategy.scope():")
FIT_JOBS = {
    "sound": FITTED,
    "one_by_one": OWN.edit("model = tf.keras.Sequential(", "model = OwnStep("),
}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    shows(probe, which, run_workers(FIT_JOBS[job].text, tmp_path, keras), page=FIT)
