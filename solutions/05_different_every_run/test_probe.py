"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import script, shows
from triage_runs import run

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("surviving_updates", 0, "sound"),
    ("surviving_updates", 1, "broken"),
]

JOB = (
    script("mirrored_loop")
    .edit("def count_row():", "def count_row(pause=lambda: None):")
    .edit("rows_read.numpy()\n", "rows_read.numpy()\n        pause()\n")
    .paste("surviving_updates", ("end",))
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return run(JOB.text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """No lock."""
    job = JOB.edit("    with counting:", "    if True:")
    return run(job.text, tmp_path_factory.mktemp("broken"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))
