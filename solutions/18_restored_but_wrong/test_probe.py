"""What the probe prints, in jobs without the course: all that triage.md shows."""

import pytest
from triage_page import shows

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("triage")]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("not_from_the_file", 0, "job_that_hangs"),
    ("not_from_the_file", 1, "job_with_faults"),
]


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))
