"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import LOOP, script, shows
from triage_runs import run

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("describe_training", 0, "sound"),
    ("describe_training", 1, "broken"),
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
