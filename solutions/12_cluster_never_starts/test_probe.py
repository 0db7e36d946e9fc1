"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_jobs import script
from triage_page import shows
from triage_runs import run_outside, wait_until, workers

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("triage")]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("who_answers", 0, "job_that_hangs"),
    ("who_answers", 1, "job_of_one"),
]


@pytest.fixture(scope="module")
def job_of_one(new_folder):
    """Worker 0, which waits for a worker that never comes, as seen from outside."""
    folder, answers = new_folder("alone"), []

    def listens():
        answers.append(run_outside("who_answers", folder, TF_CONFIG=configs[0]))
        return "answers" in answers[-1]

    with workers(script("worker").text, folder, running=1) as (children, configs):
        wait_until(listens, children, folder)
    return answers[-1]


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))
