"""What goes wrong for everybody: who has the gradebook, what to do on a full disk."""

import contextlib
import io
import sqlite3
import threading

import pytest
from rich.console import Console
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from autograder.grading.outages import everybodys, is_locked, wait_for_gradebook
from autograder.places import CourseError


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
    assert "Another program writes to the gradebook" in said.getvalue()
    wait_for_gradebook(gradebook, Console(file=said), seconds=0.0)
    assert said.getvalue().count("Another program") == 1


def test_it_is_named_as_locked(gradebook):
    before = gradebook.read_bytes()
    with locked(gradebook), pytest.raises(CourseError, match="is locked") as raised:
        wait_for_gradebook(gradebook, seconds=0.0)
    assert "Leave it where it is" in str(raised.value)
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
