"""Jobs without a label: how they are composed, that they show what they have."""

from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from tensorflow.python.autograph.utils import ag_logging

from autograder.job_cells import drawn_in
from autograder.places import course_places
from course.lessons.n19_mystery_jobs.checks import runnable
from course.lessons.n19_mystery_jobs.diagnosis import diagnose
from course.lessons.n19_mystery_jobs.faults import BY_CODE, FAULTS, HIDING
from course.lessons.n19_mystery_jobs.jobs import MysteryJob, mystery
from course.lessons.n19_mystery_jobs.plans import draw_plans, go_together, plan

ROOT = Path(__file__).resolve().parents[2]
PLACES = course_places(ROOT)
DEFAULT = drawn_in(PLACES.source(Path(__file__).parent.name).read_text())["seed"]
SEEDS = (DEFAULT, *range(100, 150))
OF_ONE_TEST = 3


@pytest.mark.parametrize("seed", SEEDS)
def test_six_jobs_are_five_broken_ones_and_a_healthy_one(seed):
    plans = draw_plans(seed)
    faults = Counter(len(each.faults) for each in plans)
    assert faults == {0: 1, 1: 4, 2: 1}
    assert [each.number for each in plans] == [1, 2, 3, 4, 5, 6]
    parts = Counter(each.part for each in plans if each.faults)
    assert set(parts) == {1, 2, 3} and set(parts.values()) <= {1, 2}
    names = [name for each in plans for name in each.names]
    assert len(names) == len(set(names)) == 6
    for each in plans:
        assert {fault.part for fault in each.faults} <= {each.part}


def test_seeds_give_other_jobs_and_a_seed_the_same():
    drawn = {str([p.names for p in draw_plans(seed)]) for seed in SEEDS}
    assert len(drawn) > 40
    assert draw_plans(7) == draw_plans(7)


def test_every_fault_comes_up():
    seen = {f.code for seed in range(200) for p in draw_plans(seed) for f in p.faults}
    assert seen == set(BY_CODE)


@pytest.mark.parametrize("part", [1, 2, 3])
def test_a_practice_has_two_broken_jobs_of_its_part(part):
    for seed in range(30):
        plans = draw_plans(seed, (part,), 2)
        assert [(p.part, len(p.faults)) for p in plans] == [(part, 1)] * 2
        assert plans[0].names != plans[1].names


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((-1,), "seed must be a whole number"),
        ((True,), "seed must be a whole number"),
        ((1, (4,)), "parts are some of 1, 2 and 3"),
        ((1, ()), "parts are some of 1, 2 and 3"),
        ((1, (1,), 6), "ask for 1 to 2"),
        ((1, (1, 2, 3), 7), "ask for 1 to 6"),
        ((1, (1, 2, 3), 0), "ask for 1 to 6"),
    ],
)
def test_bad_wishes_are_explained(arguments, said):
    with pytest.raises(ValueError, match=said):
        draw_plans(*arguments)


def test_faults_of_one_slot_or_notebook_do_not_go_together():
    for a, b in combinations(FAULTS, 2):
        if a.slot == b.slot or a.notebook == b.notebook:
            assert not go_together((a, b))


def found(each):
    """What the reference diagnosis says of a job's shipped code."""
    return diagnose(MysteryJob(each).watch(runnable(each)))


GROUPS = [SEEDS[k : k + OF_ONE_TEST] for k in range(0, len(SEEDS), OF_ONE_TEST)]


@pytest.mark.prove
@pytest.mark.parametrize("seeds", GROUPS, ids=str)
def test_the_reference_diagnosis_finds_what_was_composed(devices, seeds):
    """From the record alone, for the default set and 50 others."""
    wrong = [
        f"seed {seed}, job {each.number}: {[f.code for f in each.faults]} gave {said}"
        for seed in seeds
        for each in draw_plans(seed)
        if (said := found(each)) != each.names
    ]
    assert not wrong


@pytest.mark.parametrize("pair", sorted(map(sorted, HIDING)), ids="+".join)
def test_a_pair_that_is_left_out_hides_one_of_the_two(devices, pair):
    """In at least one of some draws: else it need not be left out."""
    faults = tuple(BY_CODE[code] for code in pair)
    assert not go_together(faults)
    part = max(fault.part for fault in faults)
    for seed in range(40):
        each = plan(np.random.default_rng(seed), 1, part, faults)
        if found(each) != each.names:
            return
    pytest.fail("both show, always")


def test_jobs_run_without_a_word_from_autograph(devices, capsys, monkeypatch):
    """It wants their source, and a module for them; in a notebook it prints."""
    monkeypatch.setattr(ag_logging, "echo_log_to_stdout", True)
    job = next(job for job in mystery(DEFAULT) if job.plan.kind == "replicas")
    job.watch(runnable(job.plan))
    assert "AutoGraph" not in "".join(capsys.readouterr())


def test_a_notebooks_jobs_are_not_exchanged_for_others():
    """Else a submission could be judged on jobs that it likes better."""
    first = mystery(DEFAULT)
    assert mystery(DEFAULT) is first
    with pytest.raises(ValueError, match="restart the kernel"):
        mystery(DEFAULT + 1)
    mystery(DEFAULT + 1, (1,), 2)
    with pytest.raises(ValueError, match="restart the kernel"):
        mystery(DEFAULT + 1)
    assert mystery(DEFAULT) is first
