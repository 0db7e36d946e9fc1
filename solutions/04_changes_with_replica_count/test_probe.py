"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import script, shows
from triage_runs import run

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("shared_and_repeated", 0, "sound"),
    ("shared_and_repeated", 1, "broken"),
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
