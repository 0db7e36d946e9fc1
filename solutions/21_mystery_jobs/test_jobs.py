"""Jobs without a label: how they are composed, that they show what they have."""

import os
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from tensorflow.python.autograph.utils import ag_logging

from autograder.drawn_jobs import drawn_in
from autograder.places import course_places
from course.checks.failures import StepFailed
from course.lessons.n21_mystery_jobs import composing
from course.lessons.n21_mystery_jobs.checks import cases
from course.lessons.n21_mystery_jobs.diagnosis import diagnose
from course.lessons.n21_mystery_jobs.faults import (
    BY_CODE,
    CLIPPED_PARTS,
    FAULTS,
    IN_ONE_PROCESS,
    ON_WORKERS,
    READ_ALONE,
)
from course.lessons.n21_mystery_jobs.findings import what_is_wrong
from course.lessons.n21_mystery_jobs.job_signs import first_sign
from course.lessons.n21_mystery_jobs.jobs import mystery, plan_of, record_of, run_in
from course.lessons.n21_mystery_jobs.ledger import Ledger
from course.lessons.n21_mystery_jobs.owners import BLAMED, SAW
from course.lessons.n21_mystery_jobs.plans import (
    HIDING,
    draw_plans,
    go_together,
    plan,
)
from course.lessons.n21_mystery_jobs.programs import STYLES
from course.lessons.n21_mystery_jobs.runnable import runnable

ROOT = Path(__file__).resolve().parents[2]
PLACES = course_places(ROOT)
DEFAULT = drawn_in(PLACES.source(Path(__file__).parent.name).read_text())["seed"]
SEEDS = (DEFAULT, *range(100, 150))
DIAGNOSED, OF_ONE_TEST = 24, 3  # of these
LINES = range(25, 81)  # of a job's cells, without the file that it reads


def job_of(each):
    """A job of this plan, of no notebook."""
    return composing.job_of(each, Ledger("none", 0))


@pytest.mark.parametrize("seed", SEEDS)
def test_six_jobs_are_of_six_styles_and_two_of_them_are_healthy(seed):
    plans = draw_plans(seed)
    assert Counter(len(each.faults) for each in plans) == {0: 2, 1: 3, 2: 1}
    assert [each.number for each in plans] == [1, 2, 3, 4, 5, 6]
    assert len({each.style for each in plans}) == 6
    assert [each.kind for each in plans if each.slow] == ["replicas"]
    names = [name for each in plans for name in each.names]
    assert len(names) == len(set(names)) == 5
    for each in plans:
        assert all(each.style in fault.styles for fault in each.faults)
        assert not (each.thinned and each.style == "fit")


def test_seeds_give_other_jobs_and_a_seed_the_same():
    drawn = {str([p.names for p in draw_plans(seed)]) for seed in SEEDS}
    assert len(drawn) > 40
    assert draw_plans(7) == draw_plans(7)
    texts = {p.program().whole("job") for seed in SEEDS for p in draw_plans(seed)}
    assert len(texts) > 6 * len(SEEDS) * 0.95


@pytest.mark.prove
def test_programs_are_the_same_in_every_process():
    """Sets of texts come in another order in each; notebooks are built from these."""
    code = (
        "from course.lessons.n21_mystery_jobs.plans import draw_plans\n"
        "for seed in range(40):\n"
        "    for each in draw_plans(seed):\n"
        "        print(each.report, each.program(), each.program(mended=True))\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": str(number)},
            cwd=ROOT,
            check=True,
            capture_output=True,
        ).stdout
        for number in (1, 2)
    }
    assert len(said) == 1


def test_every_fault_comes_up():
    seen = {f.code for seed in range(200) for p in draw_plans(seed) for f in p.faults}
    assert seen == set(BY_CODE)


@pytest.mark.parametrize(
    ("fault", "line"), [(CLIPPED_PARTS, "clip_by_norm"), (READ_ALONE, "ON_READ")]
)
def test_the_line_of_a_fault_is_in_more_jobs_without_it(fault, line):
    """Else the line would give the fault away."""
    has = [
        fault in each.faults
        for seed in range(100)
        for each in draw_plans(seed)
        if line in each.program().whole("job")
    ]
    assert 0 < sum(has) < len(has) / 3


def test_every_style_comes_up():
    seen = Counter(each.style for seed in range(60) for each in draw_plans(seed))
    assert set(seen) == set(STYLES)
    assert 20 < seen["split"] < 40


def test_most_faults_lie_where_no_code_is():
    where = Counter(f.lies_in for s in SEEDS for p in draw_plans(s) for f in p.faults)
    assert set(where) == {"code", "settings", "data", "environment", "file"}
    assert where["code"] < 0.5 * where.total()


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_jobs_are_as_long_as_real_ones_and_fit_on_a_screen(seed):
    for each in draw_plans(seed):
        program = each.program()
        lines = program.whole("broken_job_1").splitlines()
        text = [*lines, *"".join(program.files.values()).splitlines()]
        assert len(text) in range(40, 81)
        assert len(lines) in LINES
        assert max(map(len, text)) <= 88


def test_what_owners_blame_is_never_the_fault_and_tells_little():
    """Each of it comes up with many faults, and in healthy jobs."""
    names = {blamed: set() for blamed in BLAMED}
    for seed in range(300):
        for each in draw_plans(seed):
            (blamed,) = [text for text in BLAMED if each.report.endswith(text)]
            assert not BLAMED[blamed] & each.names
            names[blamed] |= each.names or {"healthy"}
    assert all(len(found) > 8 and "healthy" in found for found in names.values())


def test_what_owners_saw_does_not_give_a_healthy_job_away():
    said = {True: set(), False: set()}
    for seed in range(300):
        for each in draw_plans(seed):
            saw = next(
                t for texts in SAW.values() for t in texts if each.report.startswith(t)
            )
            said[bool(each.faults)].add(saw)
    assert said[False] <= said[True]


@pytest.mark.parametrize(
    ("part", "styles"), [(1, IN_ONE_PROCESS), (2, IN_ONE_PROCESS), (3, ON_WORKERS)]
)
def test_a_practice_has_two_broken_jobs_of_its_part(part, styles):
    for seed in range(30):
        plans = draw_plans(seed, (part,), 2)
        assert [len(p.faults) for p in plans] == [1, 1]
        assert {f.part for p in plans for f in p.faults} == {part}
        assert {p.style for p in plans} <= set(styles)
        assert plans[0].names != plans[1].names and plans[0].style != plans[1].style


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((-1,), "seed must be a whole number"),
        ((True,), "seed must be a whole number"),
        ((1, (4,)), "parts are some of 1, 2 and 3"),
        ((1, ()), "parts are some of 1, 2 and 3"),
        ((1, (1,), 6), "from all three parts"),
        ((1, (1, 2, 3), 7), "ask for 6 jobs, or 1 or 2"),
        ((1, (1, 2, 3), 0), "ask for 6 jobs, or 1 or 2"),
    ],
)
def test_bad_wishes_are_explained(arguments, said):
    with pytest.raises(ValueError, match=said):
        draw_plans(*arguments)


def test_faults_of_one_slot_or_notebook_do_not_go_together():
    for a, b in combinations(FAULTS, 2):
        if a.slot == b.slot or a.notebook == b.notebook:
            assert not go_together((a, b))


GROUPS = [SEEDS[k : k + OF_ONE_TEST] for k in range(0, DIAGNOSED, OF_ONE_TEST)]


@pytest.mark.prove
@pytest.mark.parametrize("seeds", GROUPS, ids=str)
def test_the_reference_diagnosis_finds_what_was_composed(devices, seeds):
    """From the record alone, for the default set and 23 others.

    With all looks, and with those alone that an expert is said to have spent.
    """
    wrong = []
    for seed in seeds:
        for each in draw_plans(seed):
            record = record_of(job_of(each))
            for said in (diagnose(record), diagnose(record, each.expert_looks)):
                if said != each.names:
                    codes = [fault.code for fault in each.faults]
                    wrong.append(f"seed {seed}, job {each.number}: {codes} gave {said}")
    assert not wrong


def style_of(pair):
    """A style that can have both faults."""
    first, second = (BY_CODE[code] for code in pair)
    return next(style for style in first.styles if style in second.styles)


@pytest.mark.prove
@pytest.mark.parametrize("pair", sorted(map(sorted, HIDING)), ids="+".join)
def test_a_pair_that_is_left_out_hides_one_of_the_two(devices, pair):
    """In at least one of some draws: else it need not be left out."""
    faults = tuple(BY_CODE[code] for code in pair)
    assert not go_together(faults)
    for seed in range(10):
        each = plan(np.random.default_rng(seed), 1, style_of(pair), faults)
        try:
            if diagnose(record_of(job_of(each))) != each.names:
                return
        except StepFailed:  # it stops before anything can be seen
            return
    pytest.fail("both show, always")


@pytest.mark.prove
@pytest.mark.parametrize("style", ["fit", "trainer", "split", *ON_WORKERS])
def test_all_other_pairs_show_both(devices, style):
    """Programs with a loop of their own have the same parts: one of them is enough."""
    wrong = []
    for pair in combinations([f for f in FAULTS if style in f.styles], 2):
        if go_together(pair):
            each = plan(np.random.default_rng(3), 1, style, pair)
            if diagnose(record_of(job_of(each))) != each.names:
                wrong.append([fault.code for fault in pair])
    assert not wrong


ALL = [(fault.code, style) for fault in BY_CODE.values() for style in fault.styles]


@pytest.mark.prove
@pytest.mark.parametrize("style", STYLES)
def test_each_fault_can_be_mended_in_the_code(devices, style):
    """On cases that are not the job's own, beside the same files and variables."""
    wrong = {}
    for code in (code for code, known in ALL if known == style):
        each = plan(np.random.default_rng(1), 1, style, (BY_CODE[code],))
        job, mended = job_of(each), runnable(each.program(mended=True).whole("job"))
        known = [composing.situation_of(each, task) for task in cases(job, 5)]
        said = [what_is_wrong(situation.run(mended)) for situation in known]
        if any(said):
            wrong[code] = said
    assert not wrong


@pytest.mark.parametrize("style", STYLES)
def test_one_fault_of_each_style_shows(devices, style):
    """And a job without one shows nothing."""
    codes = [code for code, known in ALL if known == style]
    for faults in ((), (BY_CODE[codes[-1]],)):
        each = plan(np.random.default_rng(2), 1, style, faults)
        assert diagnose(record_of(job_of(each))) == each.names


def test_jobs_run_without_a_word_from_autograph(devices, capsys, monkeypatch):
    """It wants their source, and a module for them; in a notebook it prints."""
    monkeypatch.setattr(ag_logging, "echo_log_to_stdout", True)
    job = next(job for job in mystery(DEFAULT) if plan_of(job).style == "trainer")
    run_in(job, runnable(plan_of(job).program().whole("job")))
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


def test_a_read_by_one_worker_is_one_call_more_and_shifts_all_after_it(devices):
    each = plan(np.random.default_rng(1), 1, ON_WORKERS[0], (READ_ALONE,))
    record = record_of(job_of(each))
    sign = first_sign(record)
    assert not record.ended
    assert [seen.messages for seen in record.steps[:4]] == [1, 1, 2, 1]
    assert (sign.step, sign.column) == (2, "apart")
