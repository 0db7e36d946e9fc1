"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import LOOP, script, shows
from triage_runs import run

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("places_of_work", 0, "sound"),
    ("places_of_work", 1, "broken"),
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
