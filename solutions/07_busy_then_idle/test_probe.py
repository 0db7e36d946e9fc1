"""What the probe prints, in jobs without the course: all that triage.md shows."""

import re

import pytest
from triage_page import shows

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("triage")]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("waits", 0, "loop"),
    ("waits", 1, "loop_with_faults"),
]


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    # it prints seconds; the next test reads them
    shows(probe, which, request.getfixturevalue(run), alone=False)


def test_waits_adds_up_to_the_right_side(loop, loop_with_faults):
    """Sleep takes as long as it says, or longer: a lower limit on each side."""

    def seconds(output):
        return dict(re.findall(r"'(wait|step)': '([\d.]+) s'", output))

    assert float(seconds(loop)["step"]) >= 0.5  # six steps of 0.1 s
    assert float(seconds(loop_with_faults)["wait"]) >= 0.5  # 42 rows, two at once
