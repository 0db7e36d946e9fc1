"""The script that judges under load: every answer has its turn, other verdicts fail."""

import os
import subprocess
import sys
from types import SimpleNamespace

import psutil
import pytest
import typer

from autograder import under_load
from autograder.answers.runs import Judged
from course.kernels import linux

NUMBERS = ["02"]
EVERY_21ST = sorted(under_load.by_exercise([f"{n:02}" for n in range(21)]))[20::21]


@pytest.mark.prove
@pytest.mark.weekly
@pytest.mark.xdist_group("load")  # one at a time: all would have the same core
@pytest.mark.parametrize("exercise", EVERY_21ST)
def test_no_verdict_changes_beside_two_on_one_core(exercise):
    command = [sys.executable, "-m", "autograder.under_load", exercise]
    done = subprocess.run(
        [*command, "--once", "--loops", "2"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def test_every_answer_has_its_turn():
    exercises = under_load.by_exercise(NUMBERS)
    assert {"02/my_step", "02/my_first_drift"} <= set(exercises)
    longest = max(len(some) for e in exercises.values() for some in e.values())
    seen = {(e, str(answer)) for _, e, answer in under_load.rounds(exercises, longest)}
    assert seen == {
        (exercise, str(answer))
        for exercise, answers in exercises.items()
        for answer in answers[True] + answers[False]
    }


def busy_ones():
    """The busy loops that run now, whoever started them."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if under_load.BUSY in (process.info["cmdline"] or []):
            found.append(process)
    return found


def test_its_processes_end_and_the_cores_come_back():
    cores = os.sched_getaffinity(0)
    before = set(busy_ones())
    with under_load.one_busy_core(1):
        assert len(os.sched_getaffinity(0)) == 1
        assert len(set(busy_ones()) - before) == 1
    assert os.sched_getaffinity(0) == cores
    assert not set(busy_ones()) - before


def test_busy_loops_end_with_the_script_when_it_is_killed():
    code = (
        "import time; from autograder import under_load\n"
        "with under_load.one_busy_core(1): print('up', flush=True); time.sleep(60)"
    )
    script = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    script.stdout.readline()
    (loop,) = psutil.Process(script.pid).children()
    script.kill()
    script.wait()
    loop.wait(20)


@pytest.mark.parametrize("outcome, code", [("RIGHT", 0), ("CRASHED", 1)])
def test_another_verdict_fails(monkeypatch, capsys, outcome, code):
    """With one exercise of one right answer; each round has a seed of its own."""
    answer = SimpleNamespace(expected={"02/my_step": ("RIGHT", None)})
    monkeypatch.setattr(
        under_load,
        "by_exercise",
        lambda names: {"02/my_step": {True: [answer], False: []}},
    )
    seeds = []

    def run(answer, places, seconds, seed):
        seeds.append(seed)
        return {"02/my_step": Judged(outcome, None, None, "its message")}

    monkeypatch.setattr(under_load, "run_answer", run)
    monkeypatch.setattr(under_load, "left_over", list)
    monkeypatch.setattr(linux, "prctl", lambda *_: None)
    with pytest.raises(typer.Exit) as ended:
        under_load.main(NUMBERS, times=2, loops=0)
    assert ended.value.exit_code == code and len(set(seeds)) == 2
    said = capsys.readouterr().out
    assert f"{2 - 2 * code} of 2 verdicts as known" in said
    assert ("its message" in said) == bool(code)


def test_what_an_answer_left_behind_is_found_and_killed():
    """In a script of its own, as everything below it is killed."""
    code = (
        "import os, subprocess, sys\n"
        "from autograder import under_load\n"
        "from course.kernels import linux\n"
        "linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)\n"
        "under_load.END_SECONDS = 0.5\n"
        "leaves = 'import os, time\\nif not os.fork(): time.sleep(600)'\n"
        "subprocess.run([sys.executable, '-c', leaves], check=True)\n"
        "with under_load.one_busy_core(1):\n"
        "    print(len(under_load.left_over()), len(under_load.left_over()))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "1 0\n", done.stderr


def test_a_notebook_without_answers_is_an_error():
    with pytest.raises(typer.BadParameter, match="88"):
        under_load.main(["88"], times=1, loops=0)
