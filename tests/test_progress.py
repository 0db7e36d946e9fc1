"""Progress is written whole or not at all, and never costs a learner a cell."""

import multiprocessing
import os
from pathlib import Path

import ipywidgets
import pytest
import traitlets

from course.checks.declared import find_prediction
from course.checks.verdicts import Outcome, Verdict
from course.learner import course_map, progress
from course.learner.course_map import load_progress, read_entries, save_progress
from course.learner.predictions import make_prediction, recall, ticks
from course.learner.progress import Progress


def verdict(outcome, fingerprint=""):
    return Verdict("02/my_step", outcome, 20, ("line",), fingerprint=fingerprint)


def test_right_stays_right():
    progress.remember_verdict(verdict(Outcome.WRONG, "abc"))
    assert progress.last_fingerprint("02/my_step") == "abc"
    progress.remember_verdict(verdict(Outcome.RIGHT))
    progress.remember_verdict(verdict(Outcome.WRONG, "def"))
    assert progress.is_solved("02/my_step")
    assert progress.last_fingerprint("02/my_step") == "def"


def test_a_crash_while_writing_leaves_the_old_file(monkeypatch):
    progress.remember_prediction("02", "A", "certain")

    def crash(*paths):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", crash)
    with pytest.raises(KeyboardInterrupt):
        progress.remember_prediction("02", "B", "certain")
    assert progress.parse(progress.path().read_text()).predictions["02"] == {
        "answer": "A",
        "sure": "certain",
    }
    left = {file.name for file in progress.path().parent.iterdir()}
    assert left - {"progress.lock"} == {"progress.json"}


def test_a_file_that_cannot_be_read_now_is_left_alone(monkeypatch):
    progress.remember_prediction("02", "C", "a guess")
    kept = progress.path().read_text()

    def fails(*arguments, **options):
        raise OSError("too many open files")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_text", fails)
        assert progress.load() == Progress()
    assert progress.path().read_text() == kept
    assert progress.load().predictions["02"]["answer"] == "C"


def test_predictions_of_another_shape_are_dropped():
    text = (
        '{"predictions": {"00": {"answer": "A"}, "01": 3, "02": {"answer": ["A"], '
        '"sure": "certain"}, "03": {"answer": "B", "sure": "certain"}}}'
    )
    assert set(progress.parse(text).predictions) == {"03"}


def remember_many(first):
    for number in range(first, first + 30):
        progress.remember_prediction(str(number), "A", "certain")


def test_two_kernels_lose_nothing_of_each_other():
    context = multiprocessing.get_context("fork")
    others = [context.Process(target=remember_many, args=(n,)) for n in (100, 200)]
    for process in others:
        process.start()
    for process in others:
        process.join(60)
        assert process.exitcode == 0
    assert len(progress.load().predictions) == 60


def test_grading_does_not_ask_for_the_learners_predictions(monkeypatch):
    monkeypatch.setenv("COURSE_GRADING", "1")
    assert recall("02").startswith("It was C: The copy")


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"outcomes": 3}', "\x00\x01"])
def test_a_damaged_file_is_put_aside(text):
    progress.path().parent.mkdir(parents=True)
    progress.path().write_text(text)
    assert progress.load() == Progress()
    assert progress.path().with_suffix(".damaged.json").read_text() == text
    progress.remember_prediction("02", "C", "a guess")
    assert progress.load().predictions["02"]["answer"] == "C"


def test_a_folder_that_cannot_be_written_keeps_it_in_memory(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("COURSE_DATA_DIR", str(blocked / "inside"))
    monkeypatch.setattr(progress, "_unsaved", None)
    progress.remember_verdict(verdict(Outcome.WRONG, "abc"))
    assert progress.last_fingerprint("02/my_step") == "abc"


def test_a_saved_file_is_loaded_and_nothing_right_is_lost(tmp_path):
    progress.save(Progress({"02/my_step": "RIGHT", "02/other": "WRONG"}))
    file = tmp_path / "my_progress.json"
    assert save_progress(file).startswith("Saved")
    progress.save(Progress({"02/my_step": "WRONG", "00/my_spread": "RIGHT"}))
    assert load_progress(file.read_text()).startswith("Loaded")
    assert progress.load().outcomes == {
        "02/my_step": "RIGHT",
        "02/other": "WRONG",
        "00/my_spread": "RIGHT",
    }


def test_a_file_of_another_kind_is_refused_and_changes_nothing():
    progress.remember_prediction("02", "C", "a guess")
    assert "not a progress file" in load_progress("hello")
    assert "not a progress file" in load_progress('{"predictions": 3}')
    assert progress.load().predictions["02"]["answer"] == "C"


@pytest.mark.parametrize(
    ("made", "begins"),
    [
        (None, "You made no prediction. It was C"),
        (("B", "fairly sure"), "You said B (fairly sure). It was C: The copy"),
        (("C", "certain"), "You said C (certain). It was C. TensorFlow takes"),
    ],
)
def test_a_prediction_is_met_again(made, begins):
    if made:
        progress.remember_prediction("02", *made)
    assert recall("02").startswith(begins)


def test_the_map_reads_the_built_notebooks():
    entries = read_entries(Path(__file__).parent.parent / "notebooks")
    by_number = {entry.number: entry for entry in entries}
    assert by_number["02"].exercises[:2] == ("02/my_first_drift", "02/my_step")
    assert by_number["00"].minutes.startswith("25")


def test_ticks_are_counted():
    table = find_prediction("04")
    assert recall("04") == "You made no prediction. The table shows what came."
    make_prediction("04", table.answer, "certain")
    assert recall("04").startswith("You had 12 of 12 right (certain).")
    assert ticks("04") == dict(table.rows)
    make_prediction("02", "C", "certain")
    assert ticks("02") == {}
    make_prediction("04", "ny yy yn nn yy nn", "a guess")
    assert recall("04").startswith("You had 11 of 12 right (a guess).")


@pytest.mark.parametrize(
    "answer", ["A", "", "ny yy", "ny yy yn nn yy n", "xx " * 6, ["ny"] * 6]
)
def test_ticks_of_another_form_are_refused(answer):
    with pytest.raises(ValueError, match="answer with y or n for each tick"):
        make_prediction("04", answer, "certain")
    assert ticks("04") == {}


def test_grading_shows_no_learners_ticks(monkeypatch):
    make_prediction("04", find_prediction("04").answer, "certain")
    monkeypatch.setenv("COURSE_GRADING", "1")
    assert ticks("04") == {} and recall("04") == "The table shows what came."


def mistaken(outcome, mistake=None):
    return Verdict("02/my_step", outcome, 20, ("line",), mistake=mistake)


def test_the_last_mistake_is_kept_until_the_exercise_is_right():
    progress.remember_verdict(mistaken(Outcome.WRONG, "sum_of_means"))
    assert progress.load().mistakes == {"02/my_step": "sum_of_means"}
    progress.remember_verdict(mistaken(Outcome.NOT_ATTEMPTED))
    assert progress.load().mistakes == {"02/my_step": "sum_of_means"}
    progress.remember_verdict(mistaken(Outcome.CRASHED))
    assert progress.load().mistakes == {}
    progress.remember_verdict(mistaken(Outcome.WRONG, "divided_twice"))
    progress.remember_verdict(mistaken(Outcome.RIGHT))
    assert progress.load().tries == {"02/my_step": 4}  # no attempt is none
    progress.remember_verdict(mistaken(Outcome.WRONG, "divided_twice"))
    assert progress.load().mistakes == {}
    assert progress.load().tries == {"02/my_step": 4}  # what is right is not tried


def test_openings_and_saves_are_counted():
    for _ in range(2):
        progress.remember_opened("02")
        progress.remember_prediction("02", "C", "certain")
    known = progress.load()
    assert known.opened == {"02": 2} and known.saves == {"02": 2}


def test_a_file_of_an_older_course_loads_and_odd_counts_are_dropped():
    old = '{"outcomes": {"02/my_step": "RIGHT"}, "fingerprints": {}}'
    assert progress.parse(old).opened == {}
    text = '{"opened": {"01": true, "02": "3", "03": 4}, "mistakes": {"a": 1}}'
    assert progress.parse(text) == Progress(opened={"03": 4})


def test_brackets_thousands_deep_are_no_progress_file():
    with pytest.raises(ValueError, match="not a progress file"):
        progress.parse('{"outcomes": ' + "[" * 100_000)


def test_merged_keeps_the_larger_counts_and_no_mistake_of_what_is_right():
    one = Progress({"02/my_step": "RIGHT"}, opened={"02": 3}, saves={"02": 1})
    two = Progress(
        {"02/my_step": "WRONG"},
        mistakes={"02/my_step": "divided_twice", "01/my_blocks": "rows_lost"},
        opened={"02": 1, "03": 1},
    )
    both = progress.merged(one, two)
    assert both.mistakes == {"01/my_blocks": "rows_lost"}
    assert both.opened == {"02": 3, "03": 1} and both.saves == {"02": 1}


@pytest.mark.parametrize(
    "uploaded",
    [
        ({"name": "my_progress.json", "content": memoryview(b"{}")},),
        {"my_progress.json": {"metadata": {}, "content": b"{}"}},  # ipywidgets 7
    ],
)
def test_a_file_is_loaded_with_old_and_new_widgets(uploaded, monkeypatch):
    made, shown = [], []

    class Upload(ipywidgets.Button):
        value = traitlets.Any(()).tag(sync=False)

        def __init__(self, **options):
            super().__init__(description=options["description"])
            made.append(self)

    monkeypatch.setattr(course_map.ipywidgets, "FileUpload", Upload)
    monkeypatch.setattr(course_map, "display", shown.append)
    course_map.keep_progress()
    made[0].value = uploaded
    assert "Loaded. Run the map" in shown[0].children[1].value
