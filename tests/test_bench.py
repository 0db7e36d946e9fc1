"""The benchmark measures what it says it does, on two small submissions."""

import math
import re

import pytest

from autograder.answers.reading import all_answers, find_answer
from autograder.grading import bench
from autograder.grading.bench_class import choose
from autograder.places import course_places

pytestmark = [
    pytest.mark.prove,
    pytest.mark.class_path,
    pytest.mark.xdist_group("grading"),
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
]


@pytest.fixture
def answers():
    names = ("my_spread/by_weight", "my_spread/deviation")
    return [find_answer(course_places(), "00_start_here", name) for name in names]


def test_both_runs_are_measured(answers, tmp_path, capsys):
    found = bench.compare(answers, 2, tmp_path, root=bench.SMALL)
    said = capsys.readouterr().out
    assert found.different_scores == 0
    assert "scores: 2 given by stock, 2 by ours, 0 different" in said
    # on a busy machine, two submissions may seem quicker than their cells
    measured = (found.overhead, found.stock_overhead, found.of_bound)
    assert all(math.isfinite(each) and each for each in measured)
    for part in bench.PARTS:
        assert part in said
    last, ratio = said.splitlines()[-2:]
    number = r"-?\d+\.\d\d"
    assert re.fullmatch(
        rf"overhead per submission, ours: {number} s, stock: {number} s", last
    )
    assert re.fullmatch(rf"submissions per minute, ours / stock: {number}", ratio)
    # two quick kernels may both come and go between two looks at the processes
    memory = r"(-?\d+ MB|-)"
    assert re.search(
        rf"memory of a kernel beyond the server +{memory} +{memory}\n", said
    )


def test_growth_is_measured(tmp_path, capsys):
    ((size, seconds, memory),) = bench.grow([2], 2, tmp_path)
    assert size == 2 and seconds > 0 and memory > 2**20
    assert "submissions  seconds each" in capsys.readouterr().out


def test_the_choice_is_even_and_always_the_same():
    known = all_answers(course_places())
    all_groups = {(each.notebook, each.is_right) for each in known}
    number = len(all_groups) + 3  # room for each, and not as often for all
    chosen = choose(known, number, 1)
    assert chosen == choose(known, number, 1) != choose(known, number, 2)
    groups = [(each.notebook, each.is_right) for each in chosen]
    assert set(groups) == all_groups
    counts = [groups.count(each) for each in all_groups]
    assert max(counts) - min(counts) <= 1
