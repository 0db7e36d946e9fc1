"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import script, shows
from triage_runs import run

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("devices_asked", 0, "sound"),
    ("devices_asked", 1, "broken"),
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
