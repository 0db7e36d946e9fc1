"""What the checks of a mystery job say of names, places and repairs."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from autograder.drawn_jobs import drawn_in
from autograder.places import course_places
from course.checks import handing_over
from course.checks.checking import verdict_on
from course.checks.failures import StepFailed
from course.learner import progress
from course.lessons.n21_mystery_jobs import card
from course.lessons.n21_mystery_jobs.answers import is_open, names_in, place_in
from course.lessons.n21_mystery_jobs.checks import checks_of
from course.lessons.n21_mystery_jobs.faults import BY_CODE
from course.lessons.n21_mystery_jobs.findings import what_is_wrong
from course.lessons.n21_mystery_jobs.job_record import JobRecord, StepSeen, Task
from course.lessons.n21_mystery_jobs.job_signs import alike, first_sign
from course.lessons.n21_mystery_jobs.jobs import mystery, plan_of, record_of
from course.lessons.n21_mystery_jobs.ledger import Ledger
from course.lessons.n21_mystery_jobs.looks import AGAIN, FAILED, LOOKS, MISPLACED
from course.lessons.n21_mystery_jobs.plans import draw_plans
from course.lessons.n21_mystery_jobs.runnable import runnable
from course.runs.workloads import regression

ROOT = Path(__file__).resolve().parents[2]
PLACES = course_places(ROOT)
DEFAULT = drawn_in(PLACES.source(Path(__file__).parent.name).read_text())["seed"]


def job_of(wanted):
    """The first job of the default set that `wanted` is true of."""
    return next(job for job in mystery(DEFAULT) if wanted(plan_of(job)))


def test_a_name_is_right_or_wrong_and_nothing_more(devices):
    job = job_of(lambda p: len(p.faults) == 2)
    exercise = f"21/my_name_{job.number}"
    assert verdict_on(exercise, plan_of(job).names).outcome.value == "RIGHT"
    for said in ({"00"}, set(), {min(plan_of(job).names)}, {*plan_of(job).names, "10"}):
        verdict = verdict_on(exercise, said)
        assert verdict.outcome.value == "WRONG"
        shown = json.dumps(verdict.data())
        assert not any(f'"{name}"' in shown for name in plan_of(job).names)
        assert verdict.mistake is None


def test_another_name_that_fits_is_right(devices):
    """A larger batch on each device is a subject of 01, and of 11."""
    fault = BY_CODE["larger_batch"]
    seed = next(s for s in range(200) if fault in draw_plans(s, (2,), 1)[0].faults)
    jobs = mystery(seed, (2,), 1)
    exercise = f"{jobs.label}/my_name_1"
    for said, outcome in (({"11"}, "RIGHT"), ("01", "RIGHT"), ({"07"}, "WRONG")):
        assert verdict_on(exercise, said).outcome.value == outcome


def shipped(job):
    """A job's code, as it is shipped."""
    return runnable(plan_of(job).program().whole("job"))


def mended(job):
    """It, as it should be."""
    return runnable(plan_of(job).program(mended=True).whole("job"))


def test_naming_a_failure_in_a_healthy_job_gives_nothing(devices):
    job = job_of(lambda p: not p.faults)
    k = job.number
    assert verdict_on(f"21/my_name_{k}", {"02"}).outcome.value == "WRONG"
    for named, outcome in (({"02"}, "WRONG"), (set(), "RIGHT")):
        for name, answer in ((f"my_place_{k}", None), (f"my_job_{k}", shipped(job))):
            verdict = verdict_on(f"21/{name}", answer, named=named)
            assert verdict.outcome.value == outcome, verdict.message


def test_shipped_code_is_healthy_only_where_it_is_said_to_be(devices):
    job = job_of(lambda p: not p.faults)
    answer = shipped(job)
    answer.__globals__[f"broken_job_{job.number}"] = answer
    for named in (..., "not enough seen yet"):
        verdict = verdict_on(f"21/my_job_{job.number}", answer, named=named)
        assert verdict.outcome.value == "NOT ATTEMPTED"


def test_a_changed_helper_is_a_changed_job(devices):
    """Only one of its functions is another one; the job itself is as it was."""
    job = job_of(lambda p: p.names == {"04"})
    answer, right = shipped(job), mended(job)
    answer.__globals__[f"broken_job_{job.number}"] = answer
    exercise = f"21/my_job_{job.number}"
    assert verdict_on(exercise, answer).outcome.value == "NOT ATTEMPTED"
    name = f"make_step_{job.number}"
    answer.__globals__[name] = right.__globals__[name]
    assert verdict_on(exercise, answer).outcome.value == "RIGHT"


def test_a_broken_job_called_healthy_is_told_to_be_misnamed(devices):
    job = job_of(lambda p: "07" in p.names)
    k = job.number
    for name, answer in ((f"my_job_{k}", shipped(job)), (f"my_place_{k}", None)):
        verdict = verdict_on(f"21/{name}", answer, named=set())
        assert verdict.outcome.value == "WRONG"
        assert (
            f"my_name_{k}, is wrong" in verdict.message or "Nowhere" in verdict.message
        )


def test_a_place_counts_without_a_name_and_not_with_a_wrong_one(devices):
    job = job_of(lambda p: p.names == {"09"})
    exercise = f"21/my_place_{job.number}"
    for place, named, outcome in (
        ((0, "reads", 1), ..., "RIGHT"),
        ((0, "reads", 1), {"09"}, "RIGHT"),
        ((0, "reads", 1), {"07"}, "WRONG"),
        ((1, "reads", 1), ..., "WRONG"),
        ((0, "python", 1), ..., "WRONG"),
    ):
        assert verdict_on(exercise, place, named=named).outcome.value == outcome


def test_looks_are_paid_for_once_and_wrong_names_each(devices, capsys):
    job = job_of(lambda p: p.names == {"19"})
    k, ledger = job.number, job.ledger
    for _ in range(2):
        job.look("weights")
        job.look("environment")
    assert ledger.bought(k) == ("weights", "environment")
    assert ledger.spent(k) == LOOKS["weights"].cost + LOOKS["environment"].cost
    for said in ({"18"}, {"18"}, set(), "not enough seen yet", {"19"}):
        progress.remember_verdict(verdict_on(f"21/my_name_{k}", said))
    assert ledger.wrong(k) == 2
    names = 3  # of which the first costs no coins
    looks = LOOKS["weights"].cost + LOOKS["environment"].cost
    assert ledger.spent(k) == looks + (names - 1) * AGAIN
    before = ledger.spent(k)
    verdict = verdict_on(f"21/my_job_{k}", shipped(job), named={"19"})
    assert ledger.spent(k) == before  # nothing is remembered yet
    progress.remember_verdict(verdict)
    assert ledger.spent(k) == before + FAILED
    with pytest.raises(ValueError, match="has rows, weights"):
        job.look("guess")
    assert "TF_CONFIG" in capsys.readouterr().out


def test_a_look_at_a_repair_is_paid_for_each_time(devices):
    job = job_of(lambda p: p.names == {"09"})
    right = mended(job)
    progress.remember_verdict(verdict_on(f"21/my_name_{job.number}", {"09"}))
    before = job.ledger.spent(job.number)
    for _ in range(2):
        job.look("host", of=right)
    assert job.ledger.spent(job.number) == before + 2 * LOOKS["host"].cost
    assert "host" not in job.ledger.bought(job.number)


SYMPTOMS = re.compile(
    r"step \d|row|replica|worker|device|weight|host|Python|decoded|memory|sent|batch"
)


ZEROED = """
    step = probe.step

    def zeroed(w):
        for each in w if isinstance(w, list | tuple) else [w]:
            each.assign(each * 0.0)
        step(w)

    probe.step = zeroed
"""


def asked(exercise, answer, **named):
    """What a check says and remembers; nothing is shown."""
    verdict = verdict_on(exercise, answer, **named)
    progress.remember_verdict(verdict)
    return verdict


def all_looks(job):
    """The price of all looks at a job."""
    return sum(LOOKS[look].cost for look in job.looks)


def run_of(job, before="", after=""):
    """The shipped job with other lines around it, as a function of a learner's."""
    code = plan_of(job).program().whole("shipped")
    lines = ["def job(folder, probe):", before, "    shipped(folder, probe)", after]
    return runnable("\n".join([code, *filter(None, lines)]))


@pytest.mark.prove
def test_an_open_repair_tells_neither_health_nor_symptom(devices, capsys):
    """A line that prints, or some that break it: all six jobs get the same words."""
    said = {"NOT ATTEMPTED": set(), "WRONG": set()}
    for job in mystery(DEFAULT):
        exercise = f"21/my_job_{job.number}"
        for outcome, line in (
            ("NOT ATTEMPTED", "    print('begins')"),
            ("WRONG", ZEROED),
        ):
            verdict = asked(exercise, run_of(job, line), named=...)
            assert verdict.outcome.value == outcome, (job, verdict.message)
            words = verdict.message.replace(f"_{job.number}", "_N")
            assert not SYMPTOMS.search(words)
            said[outcome].add(words)
    assert all(len(words) == 1 for words in said.values())


def test_an_open_repair_costs_all_looks_and_gives_them(devices):
    """What runs inside a job can keep what it reads, in a global or a file."""
    job = job_of(lambda p: p.names == {"09"})
    k = job.number
    asked(f"21/my_job_{k}", run_of(job, "    raise ValueError(os.listdir(folder))"))
    assert set(job.ledger.bought(k)) == set(job.looks)
    assert job.ledger.spent(k) == all_looks(job) + FAILED
    asked(f"21/my_job_{k}", run_of(job, "    print('again')"))
    assert job.ledger.spent(k) == all_looks(job) + 2 * FAILED


@pytest.mark.parametrize("stop", ["raise SystemExit", "raise KeyboardInterrupt"])
def test_an_interrupt_does_not_make_a_run_free(devices, stop):
    job = job_of(lambda p: p.names == {"09"})
    for run in (
        lambda answer: asked(f"21/my_job_{job.number}", answer),
        lambda answer: job.look("host", of=answer),
    ):
        with pytest.raises((SystemExit, KeyboardInterrupt)):
            run(run_of(job, f"    {stop}"))
        assert job.ledger.spent(job.number) >= all_looks(job)


def test_a_look_at_an_open_repair_costs_all_looks(devices):
    job = job_of(lambda p: p.names == {"09"})
    with pytest.raises(StepFailed):
        job.look("input", of=run_of(job, "    raise ValueError(str(probe))"))
    own = LOOKS["input"].cost
    assert job.ledger.spent(job.number) == all_looks(job) + own


def test_a_name_costs_the_same_whichever_check_reads_it(devices):
    """Each of twenty names, tried through another check, costs a point and coins."""
    job = job_of(lambda p: p.names == {"09"})
    k = job.number
    wrong = [f"{n:02d}" for n in range(1, 21) if n != 9]
    for number, name in enumerate(wrong):
        if number % 2:
            verdict = asked(f"21/my_place_{k}", (0, "rows", 1), named={name})
        else:
            verdict = asked(f"21/my_job_{k}", mended(job), named={name})
        assert verdict.outcome.value == "WRONG" and "is wrong" in verdict.message
    assert job.ledger.wrong(k) == len(wrong)
    assert job.ledger.spent(k) == (len(wrong) - 1) * AGAIN
    asked(f"21/my_name_{k}", {"09"})
    assert job.ledger.spent(k) == len(wrong) * AGAIN


def test_a_place_under_an_open_name_costs_all_looks(devices):
    job = job_of(lambda p: p.names == {"09"})
    k = job.number
    asked(f"21/my_place_{k}", None)  # refused without a look at the job
    assert job.ledger.spent(k) == 0
    asked(f"21/my_place_{k}", (0, "reads", 1))
    assert job.ledger.spent(k) == all_looks(job) and job.ledger.solved(k, "place")


def test_places_in_a_loop_cost_a_coin_each(devices):
    job = job_of(lambda p: p.names == {"09"})
    k = job.number
    asked(f"21/my_name_{k}", {"09"})
    for place in ((1, "rows", 1), (1, "rows", 2), (1, "rows", 2), (0, "reads", 1)):
        asked(f"21/my_place_{k}", place, named={"09"})
    assert job.ledger.spent(k) == 2 * MISPLACED
    assert job.ledger.solved(k, "place")


@pytest.mark.parametrize("name", [{}, {"races"}, None, True])
def test_a_name_that_cannot_be_read_costs_nothing(devices, name):
    """Not even the looks that an open name costs: place and repair say so, too."""
    job = job_of(lambda p: p.names == {"09"})
    k = job.number
    for exercise, answer, named in (
        (f"21/my_name_{k}", name, {}),
        (f"21/my_place_{k}", (0, "reads", 1), {"named": name}),
        (f"21/my_job_{k}", mended(job), {"named": name}),
    ):
        verdict = asked(exercise, answer, **named)
        assert verdict.outcome.value == "WRONG"
        assert "set()" in verdict.message
        assert verdict.message.endswith("This cost nothing.")
    assert job.ledger.spent(k) == job.ledger.wrong(k) == 0
    assert "{} is a dict" in asked(f"21/my_name_{k}", {}).message


def test_another_seed_has_a_bill_and_points_of_its_own(devices):
    job = job_of(lambda p: p.names == {"09"})
    asked(f"21/my_name_{job.number}", {"09"})
    assert job.ledger.solved(job.number, "name")
    assert not Ledger("21", DEFAULT + 1).solved(job.number, "name")
    assert Ledger("21", DEFAULT).solved(job.number, "name")  # another kernel


def test_why_names_nothing(devices):
    job = job_of(lambda p: p.names == {"09"})
    said = verdict_on(f"21/my_job_{job.number}", run_of(job, ZEROED), why=True)
    assert said.outcome.value == "WRONG"
    assert said.data()["cause"] is None and not SYMPTOMS.search(said.message)


def test_what_a_learner_holds_of_a_job_shows_no_number(devices):
    """Its record, and a way to run in it, are not among its names."""
    job = mystery(DEFAULT)[1]
    shown = {name for name in dir(job) if not name.startswith("_")}
    assert shown == {"ledger", "look", "looks", "named", "number", "report", "task"}
    record_of(job)
    printed = repr(vars(job))
    for held in ("Fault", "Surroundings", "StepSeen", "JobRecord("):
        assert held not in printed


def test_runs_are_alike_whoever_used_which_row(devices):
    task = Task(regression(6), 4, 2)
    rows = [[[0, 1], [2, 3]], [[4], [5]]]
    first = record_of_rows(rows, task)
    assert alike(first, record_of_rows([[[0, 2], [1, 3]], [[5], [4]]], task))
    assert not alike(first, record_of_rows([[[0, 1], [2, 3]], [[4], [4]]], task))
    assert not alike(first, record_of_rows(rows[:1], task))
    moved = JobRecord(task, first.steps, first.copies + 1e-3)
    assert not alike(first, moved)


@pytest.mark.parametrize(
    "answer", [..., "not enough seen yet", " Not enough seen yet."]
)
def test_no_name_yet_costs_nothing(answer):
    assert is_open(answer)
    assert not is_open("02") and not is_open(set())


@pytest.mark.parametrize(
    ("answer", "names"),
    [
        ({"02"}, {"02"}),
        ("02", {"02"}),
        (2, {"02"}),
        (["02", 7], {"02", "07"}),
        ({"4"}, {"04"}),
        ("4", {"04"}),
        (set(), set()),
    ],
)
def test_a_name_may_be_written_in_several_ways(answer, names):
    assert names_in(answer) == names


@pytest.mark.parametrize(
    "answer",
    [None, 3.5, {"21"}, {"races"}, {"02": 1}, {}, [None], True, {""}, {-1}, {2.0}],
)
def test_what_is_no_name_is_explained(answer):
    with pytest.raises(
        ValueError, match=r"^(A name is a set|Notebooks are) .* You wrote "
    ):
        names_in(answer)


@pytest.mark.parametrize("answer", [3, "off", (1, 2), (1, "weights", 2), ("a", "b", 3)])
def test_what_is_no_place_is_explained(answer):
    with pytest.raises(ValueError, match=r"^(A place is|Columns are) .* You wrote "):
        place_in(answer)
    assert place_in((1.0, " OFF ", "0.5")) == (1, "off", 0.5)
    assert place_in(("Start", "off", 1)) == (-1, "off", 1.0)
    assert place_in(None) is None


def record_of_rows(rows, task):
    """A record of right weights in which the replicas used these rows."""
    steps = [
        StepSeen(tuple(map(tuple, own)), ("CPU:0", "CPU:1")[: sum(map(bool, own))])
        for own in rows
    ]
    return JobRecord(task, steps, np.repeat(task.weights[:, None], task.parts, 1))


def test_right_weights_without_sharing_are_not_right(devices):
    task = Task(regression(6), 4, 2)
    fair = [[[0, 1], [2, 3]], [[4], [5]]]
    assert what_is_wrong(record_of_rows(fair, task)) == ""
    greedy = [[[0, 1, 2], [3]], [[4], [5]]]
    assert "the work is not shared" in what_is_wrong(record_of_rows(greedy, task))
    alone = [[[0, 1, 2, 3], []], [[4], [5]]]
    assert "the work is not shared" in what_is_wrong(record_of_rows(alone, task))


def test_a_step_that_was_not_made_is_a_sign(devices):
    task = Task(regression(6), 4, 2)
    record = record_of_rows([[[0, 1], [2, 3]]], task)
    short = JobRecord(task, record.steps, record.copies[:2])
    sign = first_sign(short)
    assert (sign.step, sign.column, sign.value) == (1, "rows", 2)


def test_the_card_names_nothing_that_was_not_named(devices, capsys, monkeypatch):
    from course.lessons.n21_mystery_jobs import closing_card

    shown = []
    monkeypatch.setattr(closing_card, "display", shown.append)
    jobs = mystery(DEFAULT)
    for job in jobs:
        job.named = None
    closing_card.card(jobs, ROOT / "notebooks")
    assert "Read again" not in shown[-1].data and "Recognised" not in shown[-1].data
    job = next(j for j in jobs if plan_of(j).names == {"09"})
    progress.remember_verdict(verdict_on(f"21/my_name_{job.number}", {"07"}))
    closing_card.card(jobs, ROOT / "notebooks")
    assert "is not <a" in shown[-1].data and "07 More devices" in shown[-1].data
    assert "09 " not in shown[-1].data and "(host)" not in shown[-1].data
    progress.remember_verdict(verdict_on(f"21/my_name_{job.number}", {"09"}))
    closing_card.card(jobs, ROOT / "notebooks")
    assert "Recognised" in shown[-1].data and "09 Four devices" in shown[-1].data
    assert "1 of 10" in shown[-1].data  # two points for the name, one for the wrong one
    assert "2 (host)" in shown[-1].data


@pytest.fixture
def sent(monkeypatch):
    """The default jobs as a grader sends them, and as a kernel has them then."""
    jobs = mystery(DEFAULT)
    trials = {check.name: check.trial(7) for check in checks_of(jobs)}
    monkeypatch.setattr(handing_over, "_trials", {})
    monkeypatch.setattr(handing_over, "_sent", None)
    handing_over.install(handing_over.pack(trials))
    return jobs, mystery(DEFAULT + 1)


def test_a_graded_kernel_has_the_jobs_and_does_not_know_what_they_have(devices, sent):
    jobs, known = sent
    assert [str(job) for job in known] == [str(job) for job in jobs]
    assert [job.report for job in known] == [job.report for job in jobs]
    for job in known:
        with pytest.raises(LookupError):
            plan_of(job)
    first = next(job for job in jobs if job.task.kind == "replicas")
    assert record_of(known[first.number]).data() == record_of(first).data()
    card(known)


@pytest.mark.parametrize("look", ["folder", "environment"])
def test_what_one_looks_at_there_is_the_same(devices, sent, look, capsys):
    shown = []
    for jobs in sent:
        for job in jobs:
            job.look(look)
        lines = capsys.readouterr().out.splitlines()
        shown.append([line for line in lines if not line.startswith("You paid")])
    assert shown[0] == shown[1] and len(shown[0]) > 20
