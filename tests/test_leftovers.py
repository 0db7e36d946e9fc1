"""A kernel that is killed in the middle of a notebook leaves no process behind."""

import os
import re
import signal
import time
from pathlib import Path

import psutil
import pytest
from test_warm import gone, kernel

from autograder.places import course_places
from autograder.source import read_source
from course.kernels import warm

PLACES = course_places(Path(__file__).resolve().parent.parent)


def starts_workers(name):
    """Whether a failure's lesson has clusters or processes, as most of Part 3 do."""
    texts = (path.read_text("utf-8") for path in PLACES.lesson(name).rglob("*.py"))
    return any(re.search("course.runs.cluster|import siblings", t) for t in texts)


WITH_WORKERS = [
    name
    for name in PLACES.names()
    if read_source(PLACES.source(name)).header.part == 3 and starts_workers(name)
]
SECONDS = 60.0  # for the first worker to show

pytestmark = [
    pytest.mark.prove,
    pytest.mark.skipif(bool(warm.unavailable()), reason=warm.unavailable() or "-"),
    pytest.mark.xdist_group("warm"),
]


@pytest.mark.parametrize("name", WITH_WORKERS)
def test_workers_end_with_their_kernel(name, tmp_path):
    source = read_source(PLACES.source(name))
    with kernel(cwd=str(tmp_path)) as (_, client, run):
        number = int(run("import os; print(os.getpid())"))
        keeper = psutil.Process(number).parent()
        for cell in source.cells:
            if cell.kind == "code":
                client.execute(cell.text)
        end = time.monotonic() + SECONDS
        while len(keeper.children(recursive=True)) < 2:
            assert time.monotonic() < end, "no cell starts a worker"
            time.sleep(0.01)
        left = [keeper, *keeper.children(recursive=True)]
        os.kill(number, signal.SIGKILL)
        assert gone([process.pid for process in left]) == []
