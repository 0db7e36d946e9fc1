"""Workers whose messages are counted and held up, and the gates between their steps."""

import os

import pytest

from course.kernels import warm
from course.lessons.n16_more_workers_slower_steps.linked_workers import run_linked

pytestmark = [
    pytest.mark.skipif(bool(warm.unavailable()), reason=warm.unavailable() or "-"),
    pytest.mark.xdist_group("warm"),
]


def pass_gates(gate, count):
    for number in range(count):
        gate.wait(number)
    return os.getpid()


def test_workers_pass_all_gates():
    run = run_linked(pass_gates, 3, delays=[[0.0] * 3] * 2)
    assert len(set(run.values)) == 3
    assert run.requests == ((0, 0, 0), (0, 0, 0))


def test_one_that_never_comes_ends_the_run():
    with pytest.raises(RuntimeError):
        run_linked(pass_gates, 1, delays=[[0.0] * 2] * 2)
