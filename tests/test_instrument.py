"""An instrument in the kernel: turned, kept, stopped; and where no widgets are."""

import threading

import pytest

from course.checks.verdicts import Outcome
from course.learner import progress
from course.pictures.picture import Picture
from course.pictures.style import new_figure
from course.runs.stopping import go_on
from course.widgets import cells, film, instrument, knobs
from course.widgets.instrument import _Instrument
from course.widgets.knobs import Choice, Knobs, Slider, Switch

SECONDS = 30  # until something that hangs fails


def picture(now, before):
    figure, _ = new_figure()
    return Picture(figure, f"{now} after {before}.", (), [])


@pytest.fixture
def made():
    """An instrument over plain numbers, the calls of its run, and its knobs."""
    calls, hold = [], threading.Event()

    def run(rows, how):
        calls.append((rows, how))
        if how == "hangs":
            while not hold.wait(0.01):
                go_on()
        if how == "refuses":
            raise ValueError("These do not go together.")
        return f"{rows} rows" if how == "runs" else how()

    choice = {name: name for name in ("runs", "hangs", "refuses")}
    choice["fails"] = lambda: 1 / 0
    listed = [Slider("rows", "rows", 1, 9, 4), Choice("how", "how", choice, "runs")]
    each = _Instrument(Knobs(listed), run, picture, told=str)
    each.begin("4 rows", picture("4 rows", None))
    yield each, calls, [widget for _, widget in each._knobs]
    hold.set()


def told(each):
    each._last.join(SECONDS)
    return each.film.shown["said"], each._says.value


def test_a_knob_runs_once_for_each_setting_and_what_came_is_kept(made):
    each, calls, (rows, _) = made
    rows.value = 7
    assert told(each)[0] == ["7 rows after 4 rows."]
    rows.value = 4
    assert each.film.shown["said"] == ["4 rows after 7 rows."]
    assert calls == [(7, "runs")]
    assert [line for _, line in each._runs] == ["4 rows", "7 rows"]
    assert each._stop.disabled


def test_runs_so_far_name_every_knob_that_differs(made):
    each, _, _ = made
    first, more = {"rows": 4, "how": "runs"}, {"rows": 5, "how": "runs"}
    differing = each._knobs.differing
    assert differing([(first, "loss 0.5")]) == ["loss 0.5"]
    # no line says how many rows: both get the knob; none of them "how", which is equal
    assert differing([(first, "loss 0.5"), (more, "loss 0.5")]) == [
        "loss 0.5 (rows 4)",
        "loss 0.5 (rows 5)",
    ]
    # 4 stands in 0.4 and in 14, but is not named there
    assert differing([(first, "0.4, 14"), (more, "5")])[0] == "0.4, 14 (rows 4)"
    named = ["4 rows: loss 0.5", "5 rows: loss 0.5"]
    assert differing(list(zip((first, more), named, strict=True))) == named
    other = {"rows": 4, "how": "hangs"}
    assert differing([(first, "4 rows"), (other, "4 rows")]) == [
        "4 rows (how runs)",
        "4 rows (how hangs)",
    ]


def test_a_knob_without_effect_is_disabled_and_says_why():
    def idle(how, rows):
        return {"rows": "no rows are read"} if how == "hangs" else {}

    ways = {"runs": "runs", "hangs": "hangs"}
    each = Knobs(
        [Slider("rows", "rows <a>", 1, 9, 4), Choice("how", "how", ways, "runs")], idle
    )
    (_, rows), (_, how) = each
    why = each.box.children[1]
    assert not rows.disabled and why.value == ""
    how.value = "hangs"
    assert rows.disabled and not how.disabled
    assert why.value == "rows &lt;a&gt;: no rows are read"
    each.lock(True)
    assert rows.disabled and how.disabled
    each.lock(False)
    assert rows.disabled and not how.disabled
    how.value = "runs"
    assert not rows.disabled and why.value == ""


def test_a_switch_passes_on_and_off():
    calls = []

    def run(reads):
        calls.append(reads)
        return str(reads)

    each = _Instrument(Knobs([Switch("reads", "float(loss)")]), run, picture, None)
    each.begin("False", picture("False", None))
    ((_, box),) = each._knobs
    assert box.value is False and box.description == "float(loss)"
    box.value = True
    assert told(each)[0] == ["True after False."] and calls == [True]


def test_none_is_no_choice():
    with pytest.raises(ValueError, match="limit: None cannot be chosen"):
        Choice("limit", "limit", {"none": None, "80": 80}, None)


def test_what_cannot_be_is_said_in_words_and_the_picture_stays_pale(made):
    each, _, (_, how) = made
    assert not each.film.stale
    how.value = "refuses"
    said, words = told(each)
    assert said == ["4 rows after None."] and "These do not go together." in words
    assert each.film.stale
    how.value = "runs"
    assert not each.film.stale
    how.index = 3
    assert "The run stopped with ZeroDivisionError" in told(each)[1]
    assert each._stop.disabled


@pytest.mark.parametrize("by", ["the button", "another cell", "another knob"])
def test_a_run_that_does_not_end_is_stopped(made, by):
    each, _, (rows, how) = made
    how.value = "hangs"
    assert not each._stop.disabled and "Running" in each._says.value
    hanging = each._last
    if by == "the button":
        each._stop.click()
        assert "Stopped." in told(each)[1]
    elif by == "another cell":
        cells._stop_all()
        assert "as another cell was run" in each._says.value
    else:
        with each.box.hold_sync():
            how.value = "runs"
            rows.value = 6
        assert told(each)[0] == ["6 rows after 4 rows."]
    hanging.join(SECONDS)
    assert not hanging.is_alive() and each._stop.disabled


def test_mine_appears_once_the_exercise_is_solved(monkeypatch, tmp_path):
    monkeypatch.setenv("COURSE_DATA_DIR", str(tmp_path))

    def my_step():
        return 1

    class Shell:
        user_ns = {"my_step": my_step}  # noqa: RUF012

    monkeypatch.setattr(knobs, "get_ipython", Shell)
    choice = Choice("step", "step", {"broken": len}, len, mine="02/my_step")
    widget = choice.widget()
    choice.add_mine(widget)
    assert [label for label, _ in widget.options] == ["broken"]
    assert widget.layout.display == "none"  # no choice yet
    solved = progress.Progress(outcomes={"02/my_step": Outcome.RIGHT})
    (tmp_path / progress.FILE_NAME).write_text(progress.to_text(solved))
    choice.add_mine(widget)
    choice.add_mine(widget)
    assert dict(widget.options) == {"broken": len, "mine: my_step": my_step}
    assert widget.value is len and widget.layout.display is None


def test_without_widgets_the_picture_of_the_first_run_stands_there(monkeypatch):
    shown = []
    monkeypatch.setattr(film, "display", lambda data, **more: shown.append(data))
    instrument.instrument([Slider("rows", "rows", 1, 9, 4)], str_of, picture)
    (bundle,) = shown
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "data:image/png" in bundle["text/html"]
    assert "<p>4 rows after None.</p>" in bundle["text/html"]
    monkeypatch.setenv("COURSE_GRADING", "1")
    monkeypatch.setattr(instrument, "show", lambda one, prediction: shown.append(one))
    instrument.instrument([Slider("rows", "rows", 1, 9, 4)], str_of, picture)
    assert shown[1].sentence == "4 rows after None."


def str_of(rows):
    return f"{rows} rows"


def test_long_labels_become_a_menu():
    short = Choice("n", "n", {"1": 1, "2": 2}, 1)
    long = Choice(
        "n", "n", {"one of a great many": 1, "another one of a great many": 2}, 1
    )
    names = [type(each.widget()).__name__ for each in (short, long)]
    assert names == ["ToggleButtons", "Dropdown"]
