"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import LOOP, script, shows
from triage_runs import in_each_keras, run, shows_in_fit

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("describe_training", 0, "sound"),
    ("describe_training", 1, "broken"),
]
# form for `fit`, which of its texts, job; a fourth: with this Keras only
FIT_CASES = [
    ("describe_training", 0, "sound"),
    ("describe_training", 1, "small_batch"),
]


def probed(job):
    return job.paste("describe_training", ("before", LOOP))


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return run(probed(script("mirrored_loop")).text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """The global batch stays that of one replica."""
    job = script("mirrored_loop").edit("size=(21, 4)", "size=(24, 4)")
    job = job.edit("4 * strategy.num_replicas_in_sync", "4")
    return run(probed(job).text, tmp_path_factory.mktemp("broken"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


FITTED = script("keras_fit").paste_in_fit("describe_training")
FIT_JOBS = {
    "sound": FITTED,
    "small_batch": FITTED.edit("ROWS = 21", "ROWS = 24").edit(".batch(8)", ".batch(4)"),
}


@pytest.mark.parametrize(("probe", "which", "job", "keras"), in_each_keras(FIT_CASES))
def test_a_form_prints_what_the_page_shows(probe, which, job, keras, tmp_path):
    shows_in_fit(probe, which, FIT_JOBS[job], keras, tmp_path)
