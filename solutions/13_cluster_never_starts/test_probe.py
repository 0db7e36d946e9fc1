"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import script, shows
from triage_runs import run_outside, wait_until, workers

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("who_answers", 0, "sound"),
    ("who_answers", 1, "job_of_one"),
]


def seen_from_outside(folder, running, until):
    """What the probe prints beside so many workers, once `until` of them answer."""
    # a worker that trains does not end while it is called
    job = script("worker").edit("import os\n", "import os\nimport time\n")
    job = job.edit("\nstep = 0\n", "\ntime.sleep(600)\nstep = 0\n")
    printed = []

    def answer():
        printed.append(run_outside("who_answers", folder, TF_CONFIG=configs[0]))
        return printed[-1].count("answers") == until

    with workers(job.text, folder, running) as (children, configs):
        wait_until(answer, children, folder)
    return printed[-1]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return seen_from_outside(tmp_path_factory.mktemp("sound"), running=2, until=2)


@pytest.fixture(scope="module")
def job_of_one(tmp_path_factory):
    """Worker 0 waits for a worker that never comes."""
    return seen_from_outside(tmp_path_factory.mktemp("alone"), running=1, until=1)


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))
