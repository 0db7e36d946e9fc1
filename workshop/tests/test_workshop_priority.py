"""The hub is never made to wait for learners; their groups come after it."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from workshop.priority import NICENESS, are_many, let_groups_come_after

GROUP = Path("/proc/self/autogroup")
pytestmark = pytest.mark.skipif(
    not GROUP.exists(), reason="Linux groups no processes by session here"
)
COME_AFTER = "from workshop.priority import come_after as c; c(); c(); import os; "


@pytest.fixture
def process():
    """A process of this group, or of one of its own."""
    started = []

    def start(own):
        command = [sys.executable, "-c", "import time; time.sleep(60)"]
        started.append(subprocess.Popen(command, start_new_session=own))
        return started[-1].pid

    yield start
    for each in started:
        each.kill()
        each.wait()


def test_a_group_of_its_own_comes_after_and_ours_does_not(process):
    apart, beside = process(own=True), process(own=False)
    before = GROUP.read_text()
    for _ in range(20):  # Linux takes ten changes a second
        let_groups_come_after([beside, apart, 2**22 + 1])
        if f"nice {NICENESS}" in Path(f"/proc/{apart}/autogroup").read_text():
            break
        time.sleep(0.1)
    assert f"nice {NICENESS}" in Path(f"/proc/{apart}/autogroup").read_text()
    assert GROUP.read_text() == before


def test_a_process_comes_after_once():
    code = COME_AFTER + "print(os.nice(0))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert int(said.stdout) == max(NICENESS, os.nice(0))


def test_thirty_on_two_cores_are_not_many_and_sixty_are(monkeypatch):
    monkeypatch.setattr("psutil.cpu_count", lambda: 2)
    assert (are_many(30), are_many(60)) == (False, True)
