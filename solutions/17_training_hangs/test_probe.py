"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import script, shows
from triage_runs import logs, run_workers, wait_until, workers

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("entering", 0, "sound"),
    ("entering", 1, "hangs"),
]

STEP = "    loss = train_step(batch)"
JOB = script("worker").paste("entering", ("before", STEP))


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return run_workers(JOB.text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def hangs(tmp_path_factory):
    """Worker 1 does something else before step 3."""
    folder, loop = tmp_path_factory.mktemp("hangs"), "for batch in dist_dataset:\n"
    other = "    if index == 1 and step == 2:\n        time.sleep(600)\n"
    with workers(JOB.edit(loop, f"{loop}{other}").text, folder) as (children, _):

        def told():
            each = [(folder / f"{index}.log").read_text() for index in range(2)]
            return all("Timeout (" in text and "<module>" in text for text in each)

        wait_until(told, children, folder)
    return logs(folder)


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))
