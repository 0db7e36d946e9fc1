"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import LOOP, script, shows
from triage_runs import in_each_keras, run, shows_in_fit

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("weights_of_rows", 0, "sound"),
    ("weights_of_rows", 1, "broken"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("weights_of_rows", 0, "equal"),
    ("weights_of_rows", 1, "unequal"),
]

JOB = script("mirrored_loop").paste("weights_of_rows", ("before", LOOP))


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return run(JOB.text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """A mean of means."""
    job = JOB.edit("tf.reduce_sum(losses) / rows", "tf.reduce_mean(losses) / 2")
    return run(job.text, tmp_path_factory.mktemp("broken"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


FITTED = script("keras_fit").paste_in_fit("weights_of_rows")
FIT_JOBS = {
    "equal": FITTED,
    "unequal": FITTED.edit("counts=(4, 4)", "counts=(3, 2)"),
}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    shows_in_fit(probe, which, FIT_JOBS[job], keras, tmp_path)
