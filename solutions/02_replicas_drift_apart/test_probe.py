"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import shows

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("triage")]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("largest_spread", 0, "loop"),
    ("largest_spread", 0, "fit_compared"),
    ("largest_spread", 1, "loop_with_other_faults"),
]


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))
