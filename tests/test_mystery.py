"""Jobs without a label: how they are composed, that they show what they have."""

import json
import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import nbformat
import numpy as np
import pytest
from tensorflow.python.autograph.utils import ag_logging

from autograder.build import build
from autograder.job_cells import drawn_in
from autograder.places import CourseError, course_places
from autograder.practice import practice_source, write_practice
from course import progress
from course.checking import judge
from course.jobs.job_record import JobRecord, StepSeen, Task
from course.jobs.job_signs import first_sign
from course.jobs.workloads import regression
from course.mystery.answers import names_in, place_in
from course.mystery.checks import runnable, what_is_wrong
from course.mystery.diagnosis import diagnose
from course.mystery.faults import BY_CODE, FAULTS, HIDING
from course.mystery.jobs import MysteryJob, mystery
from course.mystery.plans import draw_plans, go_together, plan

ROOT = Path(__file__).resolve().parent.parent
PLACES = course_places(ROOT)
DEFAULT = drawn_in(PLACES.source("19_mystery_jobs").read_text())["seed"]
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


def found(each):
    """What the reference diagnosis says of a job's shipped code."""
    return diagnose(MysteryJob(each).watch(runnable(each)))


GROUPS = [SEEDS[k : k + OF_ONE_TEST] for k in range(0, len(SEEDS), OF_ONE_TEST)]


@pytest.mark.slow
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
    job = job_of(lambda p: p.kind == "replicas")
    job.watch(runnable(job.plan))
    assert "AutoGraph" not in "".join(capsys.readouterr())


def test_faults_of_one_slot_or_notebook_do_not_go_together():
    for a, b in combinations(FAULTS, 2):
        if a.slot == b.slot or a.notebook == b.notebook:
            assert not go_together((a, b))


def test_the_notebook_holds_no_label(devices):
    """Neither in cells nor in metadata nor in what is shown of the jobs."""
    path = PLACES.learner("19_mystery_jobs")
    notebook = nbformat.read(path, as_version=4)
    jobs = mystery(DEFAULT)
    text = json.dumps(notebook) + repr(jobs) + "".join(map(repr, jobs))
    for fault in FAULTS:
        if fault.code not in ("alone", "eager"):  # words of their own
            assert fault.code not in text
    answers = [c.source for c in notebook.cells if c.metadata.get("value")]
    assert len(answers) == 12
    assert all(re.fullmatch(r"my_(name|place)_\d = \.\.\.", each) for each in answers)


def job_of(wanted):
    """The first job of the default set that `wanted` is true of."""
    return next(job for job in mystery(DEFAULT) if wanted(job.plan))


def test_a_name_is_right_or_wrong_and_nothing_more(devices):
    job = job_of(lambda p: len(p.faults) == 2)
    exercise = f"19/my_name_{job.number}"
    assert judge(exercise, job.plan.names).outcome.value == "RIGHT"
    for said in ({"00"}, set(), {min(job.plan.names)}, {*job.plan.names, "09"}):
        verdict = judge(exercise, said)
        assert verdict.outcome.value == "WRONG"
        shown = json.dumps(verdict.data())
        assert not any(f'"{name}"' in shown for name in job.plan.names)
        assert verdict.mistake is None


def test_another_name_that_fits_is_right(devices):
    """A larger batch on each device is a subject of 01, and of 10."""
    fault = BY_CODE["larger_batch"]
    seed = next(s for s in range(200) if fault in draw_plans(s, (2,), 1)[0].faults)
    jobs = mystery(seed, (2,), 1)
    exercise = f"{jobs.label}/my_name_1"
    for said, outcome in (({"10"}, "RIGHT"), ("01", "RIGHT"), ({"06"}, "WRONG")):
        assert judge(exercise, said).outcome.value == outcome


def broken_job_2():
    """Stands for shipped code."""


def my_job_2():
    """Stands for shipped code."""


def test_naming_a_failure_in_a_healthy_job_gives_nothing(devices):
    job = job_of(lambda p: not p.faults)
    k = job.number
    repair = runnable(job.plan)
    assert judge(f"19/my_name_{k}", {"02"}).outcome.value == "WRONG"
    for named, outcome in (({"02"}, "WRONG"), (..., "WRONG"), (set(), "RIGHT")):
        assert judge(f"19/my_place_{k}", None, named=named).outcome.value == outcome
        assert judge(f"19/my_job_{k}", repair, named=named).outcome.value == outcome


def test_shipped_code_is_healthy_only_where_it_is_said_to_be(devices):
    job = job_of(lambda p: not p.faults)
    assert job.number == 2  # as the functions above
    exercise = "19/my_job_2"
    assert judge(exercise, my_job_2, named={"02"}).outcome.value == "NOT ATTEMPTED"
    assert judge(exercise, my_job_2).outcome.value == "NOT ATTEMPTED"


def test_a_broken_job_called_healthy_is_told_what_is_wrong(devices):
    job = job_of(lambda p: p.names == {"06"})
    k, shipped = job.number, runnable(job.plan)
    verdict = judge(f"19/my_job_{k}", shipped, named=set())
    assert verdict.outcome.value == "WRONG"
    assert re.search(r"In step 1, 1 of \d replicas worked", verdict.message)
    assert judge(f"19/my_place_{k}", None, named=set()).outcome.value == "WRONG"
    assert judge(f"19/my_place_{k}", (1, "working", 1)).outcome.value == "RIGHT"
    assert judge(f"19/my_place_{k}", (1, "working", 2)).outcome.value == "WRONG"
    assert judge(f"19/my_place_{k}", (2, "working", 1)).outcome.value == "WRONG"


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


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        ({"02"}, {"02"}),
        ("02", {"02"}),
        (2, {"02"}),
        (["02", 6], {"02", "06"}),
        (set(), set()),
        ({}, set()),
    ],
)
def test_a_name_may_be_written_in_several_ways(answer, names):
    assert names_in(answer) == names


@pytest.mark.parametrize("answer", [None, 3.5, {"19"}, {"races"}, {"02": 1}, [None]])
def test_what_is_no_name_is_explained(answer):
    with pytest.raises(ValueError, match=r"no set of notebooks|is no notebook"):
        names_in(answer)


@pytest.mark.parametrize("answer", [3, "off", (1, 2), (1, "weights", 2), ("a", "b", 3)])
def test_what_is_no_place_is_explained(answer):
    with pytest.raises(ValueError, match=r"is not \(step|is no column"):
        place_in(answer)
    assert place_in((1.0, " OFF ", "0.5")) == (1, "off", 0.5)
    assert place_in(None) is None


def record_of(rows, task):
    """A record of right weights in which the replicas used these rows."""
    steps = [
        StepSeen(tuple(map(tuple, own)), ("CPU:0", "CPU:1")[: sum(map(bool, own))])
        for own in rows
    ]
    return JobRecord(task, steps, np.repeat(task.weights[:, None], task.parts, 1))


def test_right_weights_without_sharing_are_not_right(devices):
    task = Task(regression(6), 4, 2)
    fair = [[[0, 1], [2, 3]], [[4], [5]]]
    assert what_is_wrong(record_of(fair, task)) == ""
    greedy = [[[0, 1, 2], [3]], [[4], [5]]]
    assert "the work is not shared" in what_is_wrong(record_of(greedy, task))
    alone = [[[0, 1, 2, 3], []], [[4], [5]]]
    assert "the work is not shared" in what_is_wrong(record_of(alone, task))


def test_a_step_that_was_not_made_is_a_sign(devices):
    task = Task(regression(6), 4, 2)
    record = record_of([[[0, 1], [2, 3]]], task)
    short = JobRecord(task, record.steps, record.copies[:2])
    sign = first_sign(short)
    assert (sign.step, sign.column, sign.value) == (2, "rows", 2)


def test_a_practice_is_a_notebook_of_its_own(tmp_path):
    places = PLACES
    source = practice_source(places, 3, 4)
    assert source.name == "practice-3-4_two_jobs"
    assert len(source.exercises) == 6
    assert all(each.startswith("practice-3-4/my_") for each in source.exercises)
    assert source.cells[-1].id == "card"
    with pytest.raises(CourseError, match="parts 1, 2 and 3"):
        practice_source(places, 4, 1)


def test_a_practice_that_is_there_is_not_lost(tmp_path):
    (tmp_path / "solutions").symlink_to(ROOT / "solutions")
    (tmp_path / "course").symlink_to(ROOT / "course")
    places = course_places(tmp_path)
    path = write_practice(places, 1, 1)
    notebook = nbformat.read(path, as_version=4)
    assert "mystery(seed=1, parts=(1,), jobs=2)" in json.dumps(dict(notebook))
    with pytest.raises(CourseError, match="perhaps with your work"):
        write_practice(places, 1, 1)


def test_the_card_names_nothing_that_was_not_named(devices, capsys, monkeypatch):
    from course.mystery import card

    shown = []
    monkeypatch.setattr(card, "display", shown.append)
    jobs = mystery(DEFAULT)
    for job in jobs:
        job.named = None
    card.card(jobs, ROOT / "notebooks")
    assert "Read again" not in shown[-1].data and "Recognised" not in shown[-1].data
    job = next(j for j in jobs if j.plan.names == {"06"})
    judge(f"19/my_name_{job.number}", {"08"})
    card.card(jobs, ROOT / "notebooks")
    assert "is not <a" in shown[-1].data and "08 Four devices" in shown[-1].data
    assert "06 " not in shown[-1].data
    progress.remember_verdict(judge(f"19/my_name_{job.number}", {"06"}))
    card.card(jobs, ROOT / "notebooks")
    assert "Recognised" in shown[-1].data and "06 More devices" in shown[-1].data


def test_another_seed_in_the_header_builds_another_notebook(tmp_path):
    for folder in ("19_mystery_jobs",):
        target = tmp_path / "solutions" / folder
        target.mkdir(parents=True)
        text = PLACES.source(folder).read_text()
        edited = text.replace(f"seed={DEFAULT}", "seed=7")
        (target / f"{folder}.py").write_text(edited)
    (tmp_path / "course").symlink_to(ROOT / "course")
    places = course_places(tmp_path)
    build(places)
    new = nbformat.read(places.learner("19_mystery_jobs"), as_version=4)
    old = nbformat.read(PLACES.learner("19_mystery_jobs"), as_version=4)
    reports = [
        [c.source for c in each.cells if c.source.startswith("## Job")]
        for each in (new, old)
    ]
    assert len(reports[0]) == 6 and reports[0] != reports[1]
