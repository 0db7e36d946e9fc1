"""A gate opens when all processes have come, after the parent has done its part."""

import os

from course.runs.cluster.gates import Gates


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
