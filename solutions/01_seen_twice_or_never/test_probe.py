"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_jobs import LOOP, script
from triage_page import shows
from triage_runs import run

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("triage")]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("row_report", 0, "fit"),
    ("row_report", 1, "loop_not_distributed"),
    ("row_report", 2, "fit_with_faults"),
]


@pytest.fixture(scope="module")
def loop_not_distributed(new_folder):
    """All replicas train on all rows."""
    job = script("mirrored_loop")
    rows = ("before", "dataset = dataset.batch(global_batch)")
    job = job.paste("row_report", rows, ("before", LOOP))
    job = job.edit("strategy.experimental_distribute_dataset(dataset)", "dataset")
    return run(job.text, new_folder("not_distributed"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))
