"""What the probe prints, in jobs without the course: all that triage.md shows."""

import re

import pytest
from triage_jobs import compared
from triage_page import shows
from triage_runs import run

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("triage")]

# probe, which of the texts that its section prints (0 is the healthy one), run
CASES = [
    ("compare_runs", 0, "one_replica"),
    ("compare_runs", 0, "loop"),
    ("compare_runs", 1, "loop_with_faults"),
]


@pytest.fixture(scope="module")
def one_replica(after_plain):
    """The loop on one replica, after its run without a strategy."""
    one = compared('tf.distribute.MirroredStrategy(["CPU:0"])')
    return run(one.text, after_plain)


@pytest.mark.parametrize(("probe", "which", "run"), CASES)
def test_a_probe_prints_what_the_page_shows(request, probe, which, run):
    shows(probe, which, request.getfixturevalue(run))


def test_fit_agrees_until_the_batch_that_does_not_divide(fit_compared):
    found = re.findall(r"after step (\d): at most (\S+) from", fit_compared)
    gaps = {int(step): float(gap) for step, gap in found}
    assert max(gaps[1], gaps[2]) < 1e-6 < 1e-3 < gaps[3]
