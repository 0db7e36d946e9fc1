"""What goes wrong for everybody: who has the gradebook, what to do on a full disk."""

import contextlib
import errno
import io
import os
import signal
import sqlite3
import subprocess
import sys
import threading

import pytest
from rich.console import Console
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from autograder.exports import read_gradebook
from autograder.grading import feedback_process, outages, tables
from autograder.grading.outages import (
    everybodys,
    for_people,
    is_locked,
    wait_for_gradebook,
    when_unlocked,
)
from autograder.places import CourseError, Places


@pytest.fixture
def gradebook(tmp_path):
    path = tmp_path / "gradebook.db"
    with contextlib.closing(sqlite3.connect(path)) as opened:
        opened.execute("create table assignment (name text)")
        opened.commit()
    return path


@contextlib.contextmanager
def locked(path):
    with contextlib.closing(sqlite3.connect(path, check_same_thread=False)) as opened:
        opened.execute("begin immediate")
        yield opened


def test_a_locked_gradebook_is_waited_for(gradebook):
    said = io.StringIO()
    with locked(gradebook) as other:
        timer = threading.Timer(1.0, other.rollback)
        timer.start()
        wait_for_gradebook(gradebook, Console(file=said), seconds=30.0)
        timer.join()
    assert "Another program has locked the gradebook" in said.getvalue()
    wait_for_gradebook(gradebook, Console(file=said), seconds=0.0)
    assert said.getvalue().count("Another program") == 1


def test_it_is_named_as_locked(gradebook):
    before = gradebook.read_bytes()
    with locked(gradebook), pytest.raises(CourseError, match="is locked") as raised:
        wait_for_gradebook(gradebook, seconds=0.0)
    assert "Leave the file where it is" in str(raised.value)
    assert gradebook.read_bytes() == before


def test_a_damaged_one_is_kept(gradebook):
    gradebook.write_bytes(b"no database" * 100)
    with pytest.raises(CourseError, match="can't be used as a gradebook") as raised:
        wait_for_gradebook(gradebook, seconds=0.0)
    assert "keep it" in str(raised.value) and "away" not in str(raised.value)


def test_none_needs_no_waiting(tmp_path):
    wait_for_gradebook(tmp_path / "none.db")
    (tmp_path / "empty.db").touch()
    wait_for_gradebook(tmp_path / "empty.db")


def test_sqlalchemys_error_is_known_as_locked(gradebook):
    engine = create_engine(f"sqlite:///{gradebook}", connect_args={"timeout": 0})
    insert = text("insert into assignment values ('a')")
    with (
        locked(gradebook),
        engine.connect() as ours,
        pytest.raises(OperationalError) as raised,
    ):
        ours.execute(insert)
    engine.dispose()
    assert is_locked(raised.value)
    assert "is locked" in str(everybodys(raised.value, gradebook))


def test_a_full_disk_is_everybodys(gradebook):
    with pytest.raises(OSError) as raised, open("/dev/full", "wb", buffering=0) as full:
        full.write(b"x")
    said = str(everybodys(raised.value, gradebook))
    assert "full" in said and "same command" in said


@pytest.mark.parametrize(
    "error", [ValueError("odd"), RecursionError(), FileNotFoundError(2, "none", "x")]
)
def test_a_submissions_own_error_is_not(error, gradebook):
    assert everybodys(error, gradebook) is None


def test_errors_in_a_circle(gradebook):
    one, two = ValueError("one"), ValueError("two")
    one.__cause__, two.__cause__ = two, one
    assert everybodys(one, gradebook) is None and not is_locked(one)


def insert(path):
    with contextlib.closing(sqlite3.connect(path, timeout=0)) as opened:
        opened.execute("insert into assignment values ('a')")
        opened.commit()
        return opened.execute("select count(*) from assignment").fetchone()


@contextlib.contextmanager
def read_from(path):
    """A program that has begun to read: it lets others read, and none write."""
    with contextlib.closing(sqlite3.connect(path, check_same_thread=False)) as opened:
        opened.execute("insert into assignment values ('b')")
        opened.commit()
        opened.execute("begin")
        opened.execute("select * from assignment").fetchone()
        yield opened


@pytest.mark.parametrize("other", [locked, read_from])
def test_a_step_is_taken_again_once_the_gradebook_is_free(gradebook, other):
    said = io.StringIO()
    with other(gradebook) as opened:
        timer = threading.Timer(1.0, opened.rollback)
        timer.start()
        done = when_unlocked(
            lambda: insert(gradebook), gradebook, Console(file=said), seconds=30.0
        )
        timer.join()
    assert done == (1 if other is locked else 2,)
    assert said.getvalue().count("Another program has locked the gradebook") == 1


@pytest.mark.parametrize("other", [locked, read_from])
def test_a_step_is_given_up_where_the_gradebook_stays_locked(gradebook, other):
    with (
        other(gradebook),
        pytest.raises(CourseError, match="is locked by another program") as raised,
    ):
        when_unlocked(lambda: insert(gradebook), gradebook, seconds=1.0)
    assert "Leave the file where it is" in str(raised.value)
    assert "Put back" not in str(raised.value)


def test_another_error_of_a_step_is_its_own(gradebook):
    with pytest.raises(ZeroDivisionError):
        when_unlocked(lambda: 1 / 0, gradebook)


def test_a_locked_gradebook_is_no_missing_one(gradebook, monkeypatch):
    """Whoever reads it: table, report, `course mark`."""
    real = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda *a, **k: real(*a, **k | {"timeout": 0})
    )
    with contextlib.closing(sqlite3.connect(gradebook)) as opened:
        opened.execute("begin exclusive")
        reading = read_gradebook(gradebook)
        with pytest.raises(CourseError, match="is locked by") as raised, reading:
            pass
    assert is_locked(raised.value) and "course build" not in str(raised.value)


def test_feedback_pages_wait_for_the_gradebook(gradebook, tmp_path, monkeypatch):
    monkeypatch.setattr(outages, "LOCK_SECONDS", 0.5)

    class Feedback:
        def write(self, autograded, student, name, page):
            insert(places.gradebook)

    bench = feedback_process._Bench.__new__(feedback_process._Bench)
    places = Places(tmp_path)
    places.gradebook.parent.mkdir()
    gradebook.rename(places.gradebook)
    bench._places, bench._feedback = places, Feedback()
    with read_from(places.gradebook), pytest.raises(CourseError, match="is locked by"):
        bench.write("ada", "00")
    bench.write("ada", "00")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell")
def test_the_program_that_has_it_is_named(gradebook):
    """Even one that is no child of ours."""
    code = (
        "import sqlite3, subprocess, sys\n"
        "lock = 'import sqlite3, sys, time; o = sqlite3.connect(sys.argv[1]); '\n"
        "lock += 'o.execute(\"begin exclusive\"); print(1, flush=True); '\n"
        "lock += 'time.sleep(60)'\n"
        "child = subprocess.Popen([sys.executable, '-c', lock, sys.argv[1]], "
        "stdout=subprocess.PIPE)\n"
        "child.stdout.readline()\n"
        "print(child.pid)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(gradebook)], stdout=subprocess.PIPE, text=True
    )
    pid = int(done.stdout)
    try:
        with pytest.raises(
            CourseError, match=rf"program: python\S* \(process {pid}\)\. "
        ):
            wait_for_gradebook(gradebook, seconds=0.0)
    finally:
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS])
def test_results_that_can_not_be_written(tmp_path, monkeypatch, number):
    def fails(*_, **__):
        raise OSError(number, "the disk says no")

    monkeypatch.setattr(tables, "write_report", fails)
    with pytest.raises(CourseError, match="give the same command again") as raised:
        tables.write_tables(Places(tmp_path))
    said = str(raised.value)
    assert "Make room" in said or "can't be written: the disk says no" in said


def test_an_error_for_people_stays_as_it_is(gradebook):
    with pytest.raises(CourseError, match=r"^one$") as raised, for_people(gradebook):
        raise CourseError("one")
    assert raised.value.__cause__ is None
