"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import LOOP, script, shows
from triage_runs import run_workers

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("workers_that_differ", 0, "sound"),
    ("workers_that_differ", 1, "broken"),
]

JOB = script("worker").paste("workers_that_differ", ("before", LOOP))


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return run_workers(JOB.text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """Variables made outside of the scope."""
    job = JOB.edit("with strategy.scope():", "if True:")
    return run_workers(job.text, tmp_path_factory.mktemp("broken"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))
