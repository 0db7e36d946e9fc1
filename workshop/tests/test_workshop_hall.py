"""The lecture hall's script, small: phones vote, and a learner works beside them."""

import sys

import pytest
from workshop_room import instructors_folder, run_as_instructor

from workshop.node import proxy_command

pytestmark = [pytest.mark.prove, pytest.mark.xdist_group("workshop")]
SMALL = ["--phones", "6", "--learners", "1", "--within", "1", "--pause", "0.01"]


def test_a_small_hall():
    proxy_command()
    with instructors_folder() as folder:
        command = ["-P", "-m", "workshop.hall", *SMALL, "--settle", "1", "--every", "5"]
        done = run_as_instructor(folder, sys.executable, *command)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 of 6" in done.stdout and "twice, 0 failed" in done.stdout
    assert "checks: 8; not as expected: 0; learners that failed: 0" in done.stdout
