"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import LOOP, script, shows
from triage_runs import run_outside, run_workers

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("reads_over_workers", 0, "sound"),
    ("reads_over_workers", 1, "broken"),
]

JOB = script("worker").paste("reads_over_workers", ("before", LOOP))


def read_by(job, folder):
    """What is printed of the files that the workers of a job leave."""
    return run_workers(job.text, folder) + run_outside("reads_over_workers", folder)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return read_by(JOB, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """No shards."""
    job = JOB.edit("    rows = rows.shard(", "    rows.shard(")
    return read_by(job, tmp_path_factory.mktemp("broken"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))
