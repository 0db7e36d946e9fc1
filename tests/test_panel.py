"""A control panel in the kernel: started, pressed, ended; and where no widgets are."""

import json
import os
import time

import pytest

from course.kernels import warm
from course.pictures.picture import Picture
from course.pictures.style import new_figure
from course.runs.cluster import note
from course.runs.cluster.live import Job
from course.widgets import cells
from course.widgets import panel as panels
from course.widgets.knobs import Knobs, Slider
from course.widgets.panel import Panel

pytestmark = [
    pytest.mark.skipif(bool(warm.unavailable()), reason=warm.unavailable() or "-"),
    pytest.mark.xdist_group("warm"),
]

LONG = 60.0  # seconds, after which a test gives up
NAMES = ("worker 0", "worker 1")


def count(steps):
    for step in range(steps):
        note(step=step)
        time.sleep(0.02)


def count_by_number(steps):
    task = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
    count(2 if task else steps)


def job(steps):
    if steps == 1:
        raise ValueError("One step is too few.")
    return Job({"worker": 2}, count, (steps,))


def picture(run, acts):
    said = ", ".join(f"{end.name} {end.outcome}" for end in run.ends)
    done = ", ".join(f"{act.what} {act.name}" for act in acts)
    return Picture(new_figure()[0], f"{said}; {done}", (), [])


@pytest.fixture
def made():
    each = Panel(Knobs([Slider("steps", "steps", 1, 100, 100)]), job, picture, NAMES)
    yield each
    each.stop("The test is over.")
    each.wait()


def until(true):
    over = time.monotonic() + LONG
    while not true():
        assert time.monotonic() < over
        time.sleep(0.05)


def buttons(each, name):
    return {button.description: button for button in each._buttons[name]}


def test_a_run_is_started_watched_and_over(made):
    ((_, steps),) = made._knobs
    assert all(b.disabled for b in buttons(made, "worker 0").values())
    steps.value = 60
    made._start.click()
    until(lambda: "step" in made._where["worker 1"].value)
    assert made._start.disabled and steps.disabled
    assert not buttons(made, "worker 0")["halt"].disabled
    made.start()  # a second one does not begin beside it
    made.wait()
    assert made.film.shown["said"] == ["worker 0 returned, worker 1 returned; "]
    assert made._where["worker 0"].value == "<code>step 59, finished</code>"
    assert "Over, after" in made._says.value
    assert made._end.disabled and not steps.disabled


def test_the_buttons_of_a_process_that_has_ended_are_disabled():
    def one_is_shorter(steps):
        return Job({"worker": 2}, count_by_number, (steps,))

    each = Panel(
        Knobs([Slider("steps", "steps", 1, 900, 900)]), one_is_shorter, picture, NAMES
    )
    try:
        each._start.click()
        until(lambda: "finished" in each._where["worker 1"].value)
        until(lambda: all(b.disabled for b in buttons(each, "worker 1").values()))
        assert not buttons(each, "worker 0")["kill"].disabled
    finally:
        each.stop("The test is over.")
        each.wait()


def test_buttons_act_on_their_own_process(made):
    made._start.click()
    until(lambda: "step" in made._where["worker 1"].value)
    buttons(made, "worker 1")["halt"].click()
    until(lambda: "halted" in made._where["worker 1"].value)
    assert "halted" not in made._where["worker 0"].value
    buttons(made, "worker 1")["go on"].click()
    until(lambda: "halted" not in made._where["worker 1"].value)
    buttons(made, "worker 1")["kill"].click()
    until(lambda: "killed" in made._where["worker 1"].value)
    cells._stop_all()  # as a cell that is run does
    assert made.film.shown["said"] == [
        "worker 0 waited, worker 1 killed; halt worker 1, go on worker 1, kill worker 1"
    ]


def test_values_that_do_not_go_together_are_said(made):
    ((_, steps),) = made._knobs
    steps.value = 1
    made._start.click()
    assert "One step is too few." in made._says.value and made._thread is None


def test_where_nobody_can_press_a_button_the_first_run_stands(monkeypatch):
    shown = []
    monkeypatch.setenv("COURSE_GRADING", "1")
    monkeypatch.setattr(panels, "show", lambda picture: shown.append(picture.sentence))
    first = Picture(new_figure()[0], "the first one", (), [])
    panels.panel([], job, picture, NAMES, first)
    assert shown == ["the first one"]
