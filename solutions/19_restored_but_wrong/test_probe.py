"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import script, shows
from triage_runs import run_workers

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("not_from_the_file", 0, "sound"),
    ("not_from_the_file", 1, "broken"),
]

RESTORE = ("over", "    checkpoint.restore(checkpoint_path)")
JOB = script("worker").paste("not_from_the_file", RESTORE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the first job saved."""
    folder = tmp_path_factory.mktemp("job")
    run_workers(JOB.text, folder)
    return folder


@pytest.fixture(scope="module")
def sound(folder):
    return run_workers(JOB.text, folder)


@pytest.fixture(scope="module")
def broken(sound, folder):
    """The model calls a variable by another name than the file."""
    job = JOB.edit("Checkpoint(weights=weights", "Checkpoint(kernel=weights")
    return run_workers(job.text, folder)


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))
