"""What the probe prints, in jobs without the course: all that triage.md shows."""

import re

import pytest
from triage_page import END_OF_STEP, LOOP, script, shows
from triage_runs import run

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group(__name__)]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("waits", 0, "sound"),
    ("waits", 1, "broken"),
]

PLACES = ("before", LOOP), ("over", "    for batch in dist_dataset:"), ("end",)
JOB = script("mirrored_loop").paste("waits", *PLACES)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A step takes at least 0.1 seconds."""
    job = JOB.edit(END_OF_STEP, f"        time.sleep(0.1)\n{END_OF_STEP}")
    return run(job.text, tmp_path_factory.mktemp("sound"))


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """Reading a row takes 0.1 seconds."""
    job = JOB.edit("    count_row()\n", "    count_row()\n    time.sleep(0.1)\n")
    return run(job.text, tmp_path_factory.mktemp("broken"))


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    # it prints seconds; the next test reads them
    shows(probe, which, request.getfixturevalue(run), alone=False)


def test_waits_adds_up_to_the_right_side(sound, broken):
    """Sleep takes as long as it says, or longer: a lower limit on each side."""

    def seconds(output):
        return dict(re.findall(r"'(wait|step)': '([\d.]+) s'", output))

    assert float(seconds(sound)["step"]) >= 0.5  # six steps of 0.1 s
    assert float(seconds(broken)["wait"]) >= 0.5  # 42 rows, two at once
