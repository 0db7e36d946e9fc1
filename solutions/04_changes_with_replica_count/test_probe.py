"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import script, shows
from triage_runs import in_each_keras, run, shows_in_fit

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("shared_and_repeated", 0, "sound"),
    ("shared_and_repeated", 1, "broken"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("shared_and_repeated", 0, "sound"),
    ("shared_and_repeated", 1, "dropout", "keras"),
    ("shared_and_repeated", 0, "dropout", "tf_keras"),
]

FIT = ("before", "history = model.fit(dataset, epochs=2, verbose=0)")
JOB = script("keras_fit").paste("shared_and_repeated", FIT)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return run(JOB.text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """Keras's Dropout made in the scope."""
    job = JOB.edit(" Noise(0.1)", " tf.keras.layers.Dropout(0.5)")
    return run(job.text, tmp_path_factory.mktemp("broken"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


FITTED = script("keras_fit").paste_in_fit("shared_and_repeated")
FIT_JOBS = {
    "sound": FITTED,
    "dropout": FITTED.edit(" Noise(0.1)", " tf.keras.layers.Dropout(0.5)"),
}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    shows_in_fit(probe, which, FIT_JOBS[job], keras, tmp_path)
