"""`course grade` stopped, killed and hurt: nothing is lost, nothing is left behind."""

import contextlib
import csv
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from checkout import clean_environment
from grading_class import (
    NAME,
    build_course,
    check_database,
    descendants,
    grade,
    gradebook,
    hand_in,
    hand_in_class,
    records,
    start_grading,
    still_run,
    wait_until,
)

from autograder.by_hand import give
from autograder.places import course_places

SHORT = "import time\ntime.sleep(0.5)"
STUDENTS = 14
KILLS = 6
GONE_SECONDS = 5.0

pytestmark = [
    pytest.mark.prove,
    pytest.mark.class_path,
    pytest.mark.xdist_group("grading"),
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build_course(tmp_path_factory.mktemp("built") / "course")


@pytest.fixture(scope="module")
def handed_in(built, tmp_path_factory):
    """A class whose notebooks sleep a little."""
    folder = tmp_path_factory.mktemp("class")
    return hand_in_class(folder, built, STUDENTS, more=SHORT)


@pytest.fixture
def places(built, tmp_path):
    shutil.copytree(built.root, tmp_path / "course")
    return course_places(tmp_path / "course")


@pytest.fixture
def start(handed_in, places):
    """Starts a run; one that a failed test left behind is killed."""
    runs = []

    def start_run(*options, **more):
        runs.append(start_grading(handed_in, places, *options, **more))
        return runs[-1]

    yield start_run
    for each in runs:
        if each.poll() is None:
            each.kill()
            each.communicate()


def kept(places) -> dict[str, bytes]:
    """Student -> the bytes of the record."""
    folder = places.results / "records" / NAME
    return {path.stem: path.read_bytes() for path in folder.glob("[!.]*.json")}


def socket_folders() -> set[Path]:
    return set(Path("/tmp").glob("course-*-*"))


def all_gone(processes) -> None:
    wait_until(lambda: not still_run(processes), GONE_SECONDS)


def as_expected(places, students=STUDENTS) -> None:
    """Odd students are right, even ones wrong, nobody has a reason."""
    scores = {
        f"s{number:02}": (2.0 if number % 2 else 0.0)
        for number in range(1, students + 1)
    }
    assert {key: score for key, (_, _, score) in gradebook(places).items()} == scores
    assert {key: each.points for key, each in records(places).items()} == scores
    assert not any(each.reasons or each.flags for each in records(places).values())
    assert len({each.seed for each in records(places).values()}) == 1
    assert not list(places.root.rglob(".part-*"))
    check_database(places)


def nobody_has_a_score_too_early(places) -> None:
    """Who was not reached is in the table, without a score."""
    text = (places.results / "grades.csv").read_text(encoding="utf-8")
    table = {each["student_id"]: each for each in csv.DictReader(text.splitlines())}
    assert len(table) == STUDENTS
    for student, row in table.items():
        reached = student in kept(places)
        assert (row["score"] != "") == reached
        assert row["note"] == ("" if reached else "not graded yet")


def test_a_stop_is_in_good_order_and_the_next_run_goes_on(start, places, handed_in):
    """Stopped three times at random moments: while it starts, while it grades."""
    chance = random.Random(11)
    stops = (
        (signal.SIGTERM, 0, chance.uniform(0.5, 3.0)),
        (signal.SIGINT, 1, chance.uniform(0.0, 0.5)),
        (signal.SIGTERM, 1, chance.uniform(0.0, 0.5)),
    )
    for signum, more, after in stops:
        before = kept(places)
        started = start()
        wait_until(lambda: len(kept(places)) >= len(before) + more)  # noqa: B023
        time.sleep(after)
        below = descendants(started.pid)
        started.send_signal(signum)
        time.sleep(0.1)
        started.send_signal(signal.SIGINT)  # an impatient second one changes nothing
        out, err = started.communicate(timeout=60)
        assert started.returncode == 130, out + err
        assert re.search(r"To go on: course grade \S+", out), out + err
        assert "Traceback" not in err, err
        all_gone(below)
        assert before.items() <= kept(places).items()
    done = len(kept(places))
    assert 1 < done < STUDENTS
    nobody_has_a_score_too_early(places)
    assert (places.results / "report.html").is_file()
    assert f"{STUDENTS - done} graded, {done} unchanged" in grade(handed_in, places)
    as_expected(places)


def test_ordinary_kernels_end_with_a_stop_too(places, tmp_path):
    """Where kernels can't be forked, nothing ends them with a server."""
    begun = tmp_path / "begun"
    code = f"import time\nopen({str(begun)!r}, 'w').close()\ntime.sleep(600)"
    folder = hand_in_class(tmp_path / "class", places, 1, more=code)
    unforked = (
        "from autograder.grading import kernels\n"
        "kernels.unavailable = lambda: 'not here'"
    )
    started = start_grading(folder, places, "--no-isolation", code=unforked)
    try:
        wait_until(begun.exists)
        below = descendants(started.pid)
        started.send_signal(signal.SIGINT)
        out, err = started.communicate(timeout=60)
    finally:
        started.kill()
    assert started.returncode == 130 and "Traceback" not in err, out + err
    assert below and not kept(places)
    all_gone(below)


def test_a_kernel_that_is_given_its_cases_does_not_hold_up_a_stop(
    handed_in, places, tmp_path
):
    """A killed kernel answers nothing; who waits for its answer must see that."""
    begun = tmp_path / "begun"
    slow = (
        "from autograder.grading import runner\n"
        f"open_file = \"open({str(begun)!r}, 'w').close()\"\n"
        "runner.INSTALL = open_file + '; __import__(\"time\").sleep(600) # {}'\n"
        "runner.READY_SECONDS = 600"
    )
    started = start_grading(handed_in, places, "--no-isolation", code=slow)
    try:
        wait_until(begun.exists)
        started.send_signal(signal.SIGINT)
        out, err = started.communicate(timeout=60)
    finally:
        started.kill()
    assert started.returncode == 130 and "Traceback" not in err, out + err
    assert not kept(places)


@pytest.mark.parametrize(
    ("how", "isolation"),
    [
        *((how, []) for how in ("to its end", "stopped", "failing", "killed")),
        ("stopped", ["--no-isolation"]),
        ("killed", ["--no-isolation"]),
    ],
)
def test_a_run_leaves_nothing_in_the_temporary_folder(
    start, places, built, tmp_path, how, isolation
):
    """Neither in TMPDIR nor in /tmp, where the kernels' folders stand."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    env = clean_environment(TMPDIR=str(folder))
    code = FULL.format("autograder.grading.results", "save")
    run = start(*isolation, env=env, code=code if how == "failing" else "")
    if how in ("stopped", "killed"):
        wait_until(lambda: kept(places))
        run.send_signal(signal.SIGINT if how == "stopped" else signal.SIGKILL)
    out, err = run.communicate(timeout=120)
    expected = {"to its end": 0, "stopped": 130, "failing": 2, "killed": -9}
    assert run.returncode == expected[how], out + err
    wait_until(lambda: not [*folder.iterdir()], GONE_SECONDS)
    own = f"course-{run.pid}-*"
    if how == "killed":  # the next run looks for what such a one left
        assert [*Path("/tmp").glob(own)]
        grade(hand_in_class(tmp_path / "one", built, 1), places, *isolation)
    assert not [*Path("/tmp").glob(own)]


def test_two_signals_at_once_are_one_wish_to_stop():
    code = (
        "import os, signal\n"
        "from autograder.grading.stopping import STOPS, Stop\n"
        "try:\n"
        "    with Stop().heeded():\n"
        "        signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)\n"
        "        for each in STOPS: os.kill(os.getpid(), each)\n"
        "        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("stopped\n", "")


def test_killed_at_random_moments_all_get_their_grades(start, places, handed_in):
    """The coordinator, killed without a warning; the next run goes on each time."""
    chance = random.Random(5)
    killed = set()
    for _ in range(KILLS):
        before = kept(places)
        # some of them before the first submission, most in the middle
        more, after = chance.choice((0, 0, 1, 1, 2)), chance.uniform(0.0, 0.8)
        started = start()
        killed.add(str(started.pid))
        if more == 0:
            after += chance.uniform(0.5, 4.0)
        wait_until(lambda: len(kept(places)) >= len(before) + more)  # noqa: B023
        time.sleep(after)
        below = descendants(started.pid)
        started.kill()
        started.communicate(timeout=60)  # all that it started ends, too
        all_gone(below)
        assert before.items() <= kept(places).items()  # what is done stays done
    done = len(kept(places))
    said = grade(handed_in, places)
    assert f"{STUDENTS - done} graded" in said
    as_expected(places)
    # the folders of the runs that were killed are gone too
    assert not [each for each in socket_folders() if each.name.split("-")[1] in killed]


def fork_server_process(pid: int, name: str) -> psutil.Process | None:
    for each in descendants(pid):
        try:
            command = " ".join(each.cmdline())
        except psutil.Error:
            continue
        if name in command and "bwrap" not in command:
            return each
    return None


def test_fork_servers_that_are_killed_cost_nobody_a_grade(start, places):
    """What was in flight runs again, in kernels of a new server."""
    started = start()
    below = []
    names = ("multiprocessing.forkserver", "course.kernels.warm_server")
    for done, name in enumerate(names, start=1):
        wait_until(lambda: len(kept(places)) >= 2 * done)  # noqa: B023
        below += descendants(started.pid)
        fork_server_process(started.pid, name).kill()
    out, err = started.communicate(timeout=90)
    assert started.returncode == 0, out + err
    assert f"{STUDENTS} graded" in out
    assert "Traceback" not in err, err
    as_expected(places)
    all_gone(below)


BUSY = """
from dataclasses import replace
from autograder.grading.judge import Judge
from course.checks.verdicts import MIME_TYPE

usual, left = Judge.judge, {left}


def judge(self, *arguments):
    global left
    judged, left = usual(self, *arguments), left - 1
    if left < 0 or judged.data["outcome"] != "RIGHT":
        return judged
    busy = judged.data | {{"outcome": "NO VERDICT"}}
    bundle = judged.bundle | {{MIME_TYPE: busy}}
    return replace(judged, data=busy, bundle=bundle, failed="busy")


Judge.judge = judge
"""


def test_where_the_machine_was_too_busy_a_submission_runs_again_alone(built, places):
    """Stood in for: what came back says NO VERDICT where it was RIGHT."""
    class_of_3 = hand_in_class(places.root.parent / "class", built, 3)
    said = grade(class_of_3, places, code=BUSY.format(left=3))
    outcomes = {s: r.exercises[0].outcome for s, r in records(places).items()}
    assert outcomes == {"s01": "RIGHT", "s02": "WRONG", "s03": "RIGHT"}
    assert gradebook(places)["s01"][0] > 0
    assert "could not be run" not in said

    said = grade(class_of_3, places, "--again", code=BUSY.format(left=99))
    found = records(places)["s01"]
    assert found.exercises[0].outcome == "NO VERDICT"
    assert found.digest == ""
    assert any("too busy" in each for each in found.flags)
    assert "2 could not be run" in said
    assert "NO VERDICT" in (places.results / "report.html").read_text("utf-8")

    said = grade(class_of_3, places)  # the same command tries again
    assert "2 graded, 1 unchanged" in said
    assert records(places)["s01"].exercises[0].outcome == "RIGHT"


def test_a_gradebook_that_is_locked_meanwhile_is_waited_for(start, places):
    run = start()
    wait_until(lambda: kept(places))
    with contextlib.closing(sqlite3.connect(places.gradebook, timeout=60)) as other:
        other.execute("begin immediate")
        time.sleep(8)  # nbgrader alone gives up after five seconds
        other.rollback()
    out, err = run.communicate(timeout=120)
    assert run.returncode == 0, out + err
    assert len(gradebook(places)) == len(kept(places)) == STUDENTS


LOCKED = """
import autograder.grading.outages, {module} as module
import atexit, subprocess, sys

autograder.grading.outages.LOCK_SECONDS = 1.0
usual, lock = module.{name}, None


def locked(*arguments, **named):
    global lock
    if lock is None:
        command = [sys.executable, "-c", {lock!r}]
        lock = subprocess.Popen(command, stdout=subprocess.PIPE)
        atexit.register(lock.kill)
        lock.stdout.readline()
    return usual(*arguments, **named)


module.{name} = locked
"""
LOCK = """
import sqlite3, time

opened = sqlite3.connect({path!r})
opened.execute("begin {how}")
opened.execute("select * from assignment").fetchone()
print("locked", flush=True)
time.sleep(600)
"""
FULL = """
import {} as module


def full(*arguments, **named):
    raise OSError(28, "No space left on device")


module.{} = full
"""
RESULTS, READINESS = "autograder.grading.results", "autograder.grading.readiness"


@pytest.mark.parametrize(
    ("module", "name", "how"),
    [
        (READINESS, "render", "exclusive"),
        (RESULTS, "register", "deferred"),
        (RESULTS, "save", "exclusive"),
        (RESULTS, "save", "deferred"),
        (RESULTS, "write_tables", "exclusive"),
        (RESULTS, "write_tables", "deferred"),
    ],
)
def test_a_gradebook_that_stays_locked_is_named(built, places, module, name, how):
    """Wherever it is met: a program writes to it, or reads ("deferred") for long."""
    class_of_1 = hand_in_class(places.root.parent / "class", built, 1)
    if name == "render":
        places.gradebook.unlink()
        with contextlib.closing(sqlite3.connect(places.gradebook)) as opened:
            opened.execute("create table assignment (name text)")
    lock = LOCK.format(path=str(places.gradebook), how=how)
    reads = (name, how) == ("write_tables", "deferred")
    code = LOCKED.format(module=module, name=name, lock=lock)
    said = grade(class_of_1, places, code=code, expect=0 if reads else 2)
    if not reads:
        assert f"{places.gradebook} is locked by another program" in said
        assert "Leave the file where it is" in said and "same command" in said
        assert "course build" not in said and "Put back" not in said
    if name != "render":
        assert re.search("1 (graded|unchanged)", grade(class_of_1, places))
        as_expected(places, 1)


@pytest.mark.parametrize("where", ["write_report", "exports.write_canvas"])
def test_a_disk_that_is_full_at_the_very_end(built, places, where):
    class_of_1 = hand_in_class(places.root.parent / "class", built, 1)
    code = FULL.format("autograder.grading.tables", where)
    said = grade(class_of_1, places, code=code, expect=2)
    assert "The disk of" in said and "is full. Make room." in said
    assert "give the same command again" in said
    assert "1 unchanged" in grade(class_of_1, places)
    as_expected(places, 1)


def score_in_table(places) -> tuple[str, str]:
    text = (places.results / "grades.csv").read_text(encoding="utf-8")
    (row,) = csv.DictReader(text.splitlines())
    return row["score"], row["note"]


def test_who_is_waited_for_is_named(built, places):
    folder = places.root.parent / "class"
    more = "import time\ntime.sleep(10)"
    hand_in(folder / "s01" / NAME / f"{NAME}.ipynb", built)
    hand_in(folder / "s02" / NAME / f"{NAME}.ipynb", built, more=more)
    code = (
        "from autograder.grading import coordinator, progress\n"
        "coordinator.SAY_SECONDS, progress.LONG_SECONDS = 0.5, 2.0"
    )
    said = grade(folder, places, code=code)
    line = rf"^1 of 2 graded; waiting for s02, {NAME}, for \d+ s$"
    assert re.search(line, said, re.MULTILINE)


def test_a_kernel_that_can_not_hand_over_is_nobodys_fault(built, places):
    class_of_1 = hand_in_class(places.root.parent / "class", built, 1)
    code = "import autograder.grading.runner as r\nr.INSTALL = '1 / 0 # {}'"
    said = grade(class_of_1, places, code=code)
    assert "1 could not be run, through no fault of theirs" in said
    assert records(places)["s01"].digest == ""
    assert score_in_table(places) == ("", "not graded yet")

    again = " ".join(grade(class_of_1, places, code=code).split())
    assert "no fault of theirs" not in again
    assert "s01, 00_small_spread could not be run: it has failed in both runs" in again
    mark = "course mark s01 00_small_spread EXERCISE --points N"
    assert mark in again
    assert any(mark in each for each in records(places)["s01"].flags)
    report = places.results / "report.html"
    assert mark in report.read_text("utf-8") and "Not finished" in report.read_text()
    give(places, "s01", NAME, "my_spread", points=1.5, comment="")
    assert score_in_table(places) == ("1.5", "")
    assert "Not finished" not in report.read_text("utf-8")

    assert "1 graded" in grade(class_of_1, places)
    assert records(places)["s01"].exercises[0].outcome == "RIGHT"
