"""A gate opens when all processes have come, after the parent has done its part."""

import os

import pytest

from course.kernels import warm
from course.lessons.n16_more_workers_slower_steps.linked_workers import run_linked
from course.runs.cluster.gates import Gates

pytestmark = [
    pytest.mark.skipif(bool(warm.unavailable()), reason=warm.unavailable() or "-"),
    pytest.mark.xdist_group("warm"),
]


def test_the_action_comes_before_the_gate_opens():
    seen = []
    with Gates(1, [lambda: seen.append("a"), lambda: seen.append("b")]) as gates:
        assert not seen
        gates.gate.wait(0)
        assert seen == ["a"] and not gates.all_open
        gates.gate.wait(1)
        assert seen == ["a", "b"] and gates.all_open


def test_its_files_go_when_it_is_over():
    with Gates(1, [lambda: None]) as gates:
        gates.gate.wait(0)
        folder = gates.gate._folder
        assert os.listdir(folder)
    assert not os.path.exists(folder)


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
