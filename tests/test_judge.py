"""The judge: a process of its own that makes verdicts of plain data, whatever comes."""

import os
import signal
import subprocess
import sys
import tempfile

import numpy as np
import psutil
import pytest
from grading_class import wait_until

from autograder.grading import judge as judges
from autograder.grading.judge import Judge, Unjudgeable
from autograder.places import CourseError
from course.checks.exercises import Observation
from course.checks.observed import Observed, to_npz
from course.checks.observing import observe

NAME, SEED = "00/my_spread", 7


def right(copies):
    return np.ptp(copies, axis=0).max()


def neighbours(copies):
    return np.abs(copies[0] - copies[-1]).max()


@pytest.fixture(scope="module")
def judge():
    with Judge() as made:
        made.prepare("00", [NAME, "00/no_such_exercise"], None, SEED)
        yield made


def verdict(judge, answer):
    return judge.judge(NAME, SEED, to_npz(observe(NAME, answer, SEED)), ())


def test_it_judges_as_a_learners_check_does(judge):
    assert verdict(judge, right).data["outcome"] == "RIGHT"
    assert verdict(judge, right).failed == ""
    wrong = verdict(judge, neighbours)
    assert wrong.data["outcome"] == "WRONG" and wrong.data["cause"]
    assert "WRONG" in wrong.failed and "text/html" in wrong.bundle


def test_another_seeds_results_are_wrong(judge):
    seen = to_npz(observe(NAME, right, SEED + 1))
    assert judge.judge(NAME, SEED, seen, ()).data["outcome"] == "WRONG"


@pytest.mark.parametrize(
    "npz",
    [
        b"",
        b"PK\x03\x04" + bytes(100),
        to_npz(Observed(cases=())),  # fewer cases than there are
        to_npz(Observed(own={"place": [1, 2]})),
        to_npz(Observed([Observation(np.array(["a"]))])),
        to_npz(Observed([Observation(np.zeros(2**24))])),
    ],
    ids=["nothing", "half a zip", "no case", "own", "texts", "too large"],
)
def test_what_no_check_observes_is_no_verdict(judge, npz):
    with pytest.raises(Unjudgeable):
        judge.judge(NAME, SEED, npz, ())
    assert verdict(judge, right).data["outcome"] == "RIGHT"


def test_it_is_started_anew_where_it_was_killed(judge):
    os.kill(judge.pid, signal.SIGKILL)
    assert verdict(judge, right).data["outcome"] == "RIGHT"


def test_it_is_ended_where_it_takes_too_long(judge, monkeypatch):
    monkeypatch.setattr(judges, "JUDGE_SECONDS", 5.0)
    first = judge.pid
    os.kill(first, signal.SIGSTOP)  # it hangs
    assert verdict(judge, right).data["outcome"] == "RIGHT"
    assert not psutil.pid_exists(first)


def test_whoever_wishes_to_stop_does_not_wait_for_it():
    wishes = []
    with Judge(lambda: bool(wishes)) as judge:
        os.kill(judge.pid, signal.SIGSTOP)
        wishes.append(True)
        with pytest.raises(KeyboardInterrupt):
            judge.prepare("00", [NAME], None, SEED)
        first = judge.pid
    assert not psutil.pid_exists(first)


def test_truths_that_fail_are_no_submissions_doing(judge):
    with pytest.raises(CourseError, match="The truths of 21 can't be computed"):
        judge.prepare("21", ["21/my_name_1"], {"seed": "none"}, SEED)


def test_it_leaves_no_folder_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Judge() as judge:
        (folder,) = tmp_path.iterdir()
        judge.end()  # as where it took too long; the next one works in it, too
        judge._start()
        assert [*tmp_path.iterdir()] == [folder]
    assert not [*tmp_path.iterdir()]


def test_nor_does_it_where_the_grader_is_killed(tmp_path):
    code = (
        "import os\nfrom autograder.grading.judge import Judge\n"
        "judge = Judge()\nprint(judge.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)"
    )
    folder = tmp_path / "temporary"
    folder.mkdir()
    command = [sys.executable, "-c", code]
    env = {**os.environ, "TMPDIR": str(folder)}
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True)
    wait_until(lambda: not psutil.pid_exists(int(done.stdout)), 60)
    assert not [*folder.iterdir()]
