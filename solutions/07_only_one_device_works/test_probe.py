"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import LOOP, script, shows
from triage_runs import in_each_keras, run, shows_in_fit

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("places_of_work", 0, "sound"),
    ("places_of_work", 1, "broken"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("places_of_work", 0, "sound"),
    ("places_of_work", 1, "pinned"),
]

JOB = script("mirrored_loop").paste("places_of_work", ("before", LOOP))


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return run(JOB.text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """A model pinned to one device."""
    call = "predictions = model(features, training=True)"
    job = JOB.edit(call, f'with tf.device("CPU:0"):\n            {call}')
    return run(job.text, tmp_path_factory.mktemp("broken"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


FITTED = script("keras_fit").paste_in_fit("places_of_work", ("end",))
PINNED = """
class Pinned(tf.keras.layers.Dense):
    def call(self, rows):
        with tf.device("CPU:0"):
            return super().call(rows)

"""
ON_ONE = FITTED.put(PINNED, "before", "with strategy.scope():")
FIT_JOBS = {
    "sound": FITTED,
    "pinned": ON_ONE.edit("tf.keras.layers.Dense(16", "Pinned(16"),
}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    shows_in_fit(probe, which, FIT_JOBS[job], keras, tmp_path)
