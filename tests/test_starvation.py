"""Waiting for a processor is told from waiting for anything else."""

import os
import subprocess
import sys

import pytest

from course.starvation import TASKS, Starvation

pytestmark = pytest.mark.skipif(not TASKS.exists(), reason="Linux tells it")

BUSY = """
import os, sys, threading, time
sys.path.insert(0, sys.argv[1])
from course.starvation import Starvation
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
rivals = []
for _ in range(3):
    rivals.append(os.fork())
    if rivals[-1] == 0:
        end = time.monotonic() + 10
        while time.monotonic() < end:
            pass
        os._exit(0)
starved = Starvation()
def work():
    end = time.thread_time() + 0.4
    while time.thread_time() < end:
        pass
worker = threading.Thread(target=work)
worker.start()
while worker.is_alive():
    worker.join(0.05)
    said = starved.seconds()
after = starved.seconds()
for each in rivals:
    os.kill(each, 9)
print(said, after)
"""


def test_a_thread_that_shares_a_processor_with_three_others_starves(tmp_path):
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    done = subprocess.run(
        [sys.executable, "-c", BUSY, root], capture_output=True, text=True, timeout=60
    )
    said, after = map(float, done.stdout.split())
    assert said > 0.2  # 0.4 s of work beside three rivals: about 1.2 s
    assert after >= said  # a thread that has ended still counts


def test_sleeping_is_no_starving():
    import time

    starved = Starvation()
    time.sleep(0.3)
    assert starved.seconds() < 0.3


def test_elsewhere_nothing_is_counted(monkeypatch, tmp_path):
    monkeypatch.setattr("course.starvation.TASKS", tmp_path / "none")
    assert Starvation().seconds() == 0
