"""A process that others leave no processor is told from one that waits."""

import os
import subprocess
import sys
import threading
import time

import pytest
from checkout import ROOT

from course.checks import starvation

RIVALS, SECONDS = 4, 4.0

CODE = f"""
import os, sys, threading, time
sys.path.insert(0, sys.argv[1])
from course.checks.starvation import Starvation
os.sched_setaffinity(0, {{min(os.sched_getaffinity(0))}})
rivals = []
for _ in range({RIVALS}):
    rivals.append(os.fork())
    if rivals[-1] == 0:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            pass
        os._exit(0)
starved, stop, said = Starvation(), time.monotonic() + {SECONDS}, []
def look():
    while time.monotonic() < stop:
        time.sleep(0.2)
    said.append(starved.seconds())
looking = threading.Thread(target=look)
looking.start()
while time.monotonic() < stop:
    # short threads, as those of replicas
    one = threading.Thread(target=sum, args=(range(10**5),))
    one.start()
    one.join()
    if sys.argv[2] == "waits":
        time.sleep({SECONDS})
looking.join()
for each in rivals:
    os.kill(each, 9)
print(*said)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks its rivals")
@pytest.mark.parametrize(
    ("does", "least", "most"),
    [("works", 0.5 * SECONDS, float("inf")), ("waits", 0, 0.2 * SECONDS)],
)
def test_beside_rivals_who_works_starves_and_who_waits_does_not(does, least, most):
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(ROOT), does],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert least <= float(done.stdout) <= most, done.stderr


@pytest.mark.parametrize(("free", "lost"), [(0.0, True), (0.5, False)])
def test_only_busy_processors_count(monkeypatch, free, lost):
    monkeypatch.setattr(starvation, "LOOK", 0.05)
    monkeypatch.setattr(
        starvation,
        "_idle_seconds",
        lambda: free * time.monotonic() * len(starvation._processors()),
    )
    starved, said = starvation.Starvation(), []
    end = time.process_time() + 0.1
    while time.process_time() < end:
        pass
    time.sleep(0.2)
    looking = threading.Thread(target=lambda: said.append(starved.seconds()))
    looking.start()
    looking.join()
    assert (said[0] > 0.05) == lost


def test_soon_after_nothing_is_known_yet():
    assert starvation.Starvation().seconds() == 0
