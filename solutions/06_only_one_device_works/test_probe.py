"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import shows

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("triage")]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("places_of_work", 0, "loop"),
    ("places_of_work", 1, "loop_with_faults"),
]


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))
