"""Who is waited for is named under the bar of progress, once it takes long."""

import io
from concurrent.futures import Future

import pytest
from rich.console import Console

from autograder.grading import progress
from autograder.grading.progress import Bar, Waits
from autograder.intake import Submission
from autograder.intake.files import File


def of(student, notebook="02_drift"):
    return Submission(student, notebook, "", File(None))


def running(waits, student, now):
    cells = Future()
    waits.begin(cells, of(student))
    cells.set_running_or_notify_cancel()
    assert student not in waits.describe(now)
    return cells


@pytest.fixture
def waits():
    return Waits(Future.running)


def test_one_that_runs_for_long_is_named(waits):
    cells = running(waits, "ada", 100.0)
    assert waits.describe(129.0) == ""
    assert waits.describe(145.0) == "waiting for ada, 02_drift, for 45 s"
    assert waits.describe(733.0) == "waiting for ada, 02_drift, for 10 min"
    waits.end(cells)
    assert waits.describe(733.0) == ""
    waits.end(Future())  # a step of another kind


def test_waiting_in_the_queue_does_not_count(waits):
    cells = Future()
    waits.begin(cells, of("ada"))
    assert waits.describe(0.0) == waits.describe(500.0) == ""
    cells.set_running_or_notify_cancel()
    assert waits.describe(501.0) == ""
    assert waits.describe(561.0) == "waiting for ada, 02_drift, for 1 min"


def test_several_are_named_and_many_are_counted(waits):
    for number, name in enumerate("abcde"):
        running(waits, name, float(number))
    assert waits.describe(100.0) == (
        "waiting for a, 02_drift, for 1 min; b, 02_drift, for 1 min; "
        "c, 02_drift, for 1 min; and 2 more"
    )
    assert waits.describe(31.5) == (
        "waiting for a, 02_drift, for 32 s; b, 02_drift, for 30 s"
    )


def test_the_line_stands_under_the_bar():
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=60)
    with Bar(console) as bar:
        bar.add_task("grading", total=2, rate="")
        bar.waiting = "waiting for [bold]ada, 02_drift, for 2 min; " + "x" * 90
        bar.refresh()
    shown = out.getvalue()
    assert "waiting for [bold]ada, 02_drift, for 2 min; xx" in shown
    assert "x" * 60 not in shown  # one line
    assert progress.LONG_SECONDS == 30.0
