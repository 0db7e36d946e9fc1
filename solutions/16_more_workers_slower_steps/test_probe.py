"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import LOOP, script, shows
from triage_runs import run_workers

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("messages_of", 0, "sound"),
    ("messages_of", 1, "broken"),
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
