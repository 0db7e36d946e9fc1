"""What records depend on is found, and what was changed by hand does not stand."""

import dataclasses
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import psutil
import pytest
from small_course_copy import edit

from autograder.answers.bench import Bench
from autograder.answers.reading import Answer
from autograder.grading import pared
from autograder.places import CourseError, Places, course_places
from autograder.proof import command
from autograder.proof.known import known_answers, short_name
from autograder.proof.recording import (
    EDITED,
    NEW,
    OTHER_CASES,
    AnswerFile,
    difference,
    differences,
    record,
)
from autograder.proof.sample import COMMIT, drawn
from autograder.proof.signature import signature_of
from autograder.proof.store import read_records, record_paths, write_records

HERE = course_places(Path(__file__).resolve().parent.parent)
STEP = "solutions/02_replicas_drift_apart/answers/my_step.py"
SPREAD = "solutions/00_start_here/answers/my_spread.py"
LESSON = "course/lessons/n02_replicas_drift_apart/even_shards.py"
SOURCE = "solutions/02_replicas_drift_apart/02_replicas_drift_apart.py"


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of what the records of two failures are found from, to be edited."""
    root = tmp_path / "course"
    without = shutil.ignore_patterns("__pycache__")
    shutil.copytree(HERE.root / "course", root / "course", ignore=without)
    shutil.copy(HERE.root / "requirements-cpu.txt", root)
    for path in (*HERE.solutions.glob("0[02]_*"), *HERE.solutions.glob("*.toml")):
        target = root / "solutions" / path.name
        (shutil.copytree if path.is_dir() else shutil.copy)(path, target)
    monkeypatch.setattr(pared, "ROOT", root / "course")
    _forget()
    yield Places(root)
    monkeypatch.undo()
    _forget()


def _forget():
    pared._parsed.cache_clear()
    pared._needed_by_all.cache_clear()


def opened(places, answers=STEP, seed=20):
    path = places.root / answers
    return AnswerFile(places, path, Bench(places, path.parent.parent.name, seed))


def reasons(places, answers=STEP, seed=20):
    return set(opened(places, answers, seed).stale().values())


def test_nothing_is_stale_where_nothing_was_changed(devices, copied):
    assert opened(copied).stale() == opened(copied, SPREAD).stale() == {}


@pytest.mark.parametrize(
    ("file", "old", "new", "part"),
    [
        # what the trial runs, a helper that it imports, one that this one imports
        ("course/runs/replica_exercises.py", "job.steps, dev", "8, dev", "runs.repl"),
        ("course/runs/replicas.py", "SECONDS = 20.0", "SECONDS = 30.0", "replicas"),
        (
            "course/runs/workloads.py",
            "LEARNING_RATE = ",
            "LEARNING_RATE = 2 * ",
            "work",
        ),
        ("course/checks/patience.py", "REST_SECONDS = 8", "REST_SECONDS = 9", "pati"),
        ("course/kernels/keeper.py", "FORWARDED = {", "FORWARDED = {9, ", "keeper"),
        (SOURCE, "LEARNING_RATE * grad", "2 * grad", "the notebook's cells"),
        ("requirements-cpu.txt", "numpy==", "numpy==9.", "the lock file"),
    ],
)
def test_what_an_observation_depends_on_makes_it_stale(
    devices, copied, file, old, new, part
):
    path = copied.root / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    (reason,) = reasons(copied)
    assert reason.startswith("changed: ") and part in reason


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (LESSON, "copies.mean(axis=0), copies.shape)", "copies[0], copies.shape)"),
        (LESSON, "the step goes up the gradient", "the step climbs the gradient"),
        (LESSON, "    expect=expect_sequential,", "    tolerance=1, expect=len,"),
        ("course/runs/sequential.py", "def train_seq", "def train_another_seq"),
        ("course/checks/judging.py", "FLOAT32 = 1e-5", "FLOAT32 = 1e-4"),
        ("course/checks/verdicts.py", "import html", "import html.entities as html"),
        ("course/pictures/picture.py", "import ", "import cmath\nimport "),
        ("course/runs/replicas.py", '"""', '"""Other words. '),
        (SOURCE, "# %%", "# %% [markdown]\n# Other words.\n\n# %%"),
    ],
)
def test_truth_mistakes_words_and_pictures_do_not(devices, copied, file, old, new):
    path = copied.root / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    assert reasons(copied) == set()


def test_other_cases_make_all_answers_stale(devices, copied):
    assert reasons(copied, seed=21) == {OTHER_CASES}


def test_an_answer_that_is_edited_or_new_is_stale_alone(devices, copied):
    path = copied.root / SPREAD
    edit(
        path,
        "@right\ndef pairs(",
        "@right\ndef added(copies):\n    '''It.'''\n"
        "    return 1\n\n\n@right\ndef pairs(",
    )
    first = known_answers(copied, path)[0]
    line = next(x for x in first.code.splitlines() if "return" in x)
    edit(path, line.strip(), line.strip() + " + 0")
    assert opened(copied, SPREAD).stale() == {short_name(first): EDITED, "added": NEW}


def test_of_an_answer_that_is_gone_the_record_is_left_over(devices, copied):
    path = copied.root / SPREAD
    edit(path, "@right\ndef pairs(", "def pairs(")
    assert opened(copied, SPREAD).left_over() == ["pairs"]


def test_what_was_changed_by_hand_is_found(copied):
    path = copied.root / SPREAD
    index, archive = record_paths(path)
    before, kept = index.read_bytes(), read_records(path)
    seen = kept.records["pairs"].observations
    changed = dataclasses.replace(kept.records["signed"], observations=seen)
    write_records(path, dataclasses.replace(kept, records={"signed": changed}))
    index.write_bytes(before)
    with pytest.raises(CourseError, match="Delete both and run: course record 00 my_s"):
        read_records(path)
    archive.unlink()
    with pytest.raises(CourseError, match="do not fit together"):
        read_records(path)
    index.unlink()
    assert read_records(path) is None


def test_records_of_another_python_count_as_they_are(devices, copied):
    path = copied.root / SPREAD
    kept = read_records(path)
    write_records(path, dataclasses.replace(kept, python="3.99", parts={}))
    other = opened(copied, SPREAD)
    assert other.stale() == {} and not other.of_this_python


def test_a_record_written_from_another_answer_is_found_by_running_it(devices, copied):
    """Whoever forges index and observation alike has to get past a second run."""
    path = copied.root / SPREAD
    kept = read_records(path)
    right, wrong = kept.records["pairs"], kept.records["signed"]
    forged = dataclasses.replace(right, code=wrong.code)
    records = {**kept.records, "signed": forged}
    write_records(path, dataclasses.replace(kept, records=records))
    (line,) = differences(opened(copied, SPREAD), ["pairs", "signed"])
    assert "00/my_spread/signed" in line and "RIGHT" in line and "WRONG" in line


UNSTEADY = """
import os


def my_spread(copies):
    return {}
"""


@pytest.mark.parametrize(
    ("code", "agrees"),
    [
        ("int.from_bytes(os.urandom(4), 'big')", False),
        ("float('abc')", True),
        # named at run time: not there, since nobody who reads the code could find it
        ("__import__('course.lessons.n00_start_here.agrees')", True),
    ],
)
def test_an_answer_that_does_not_agree_with_itself_is_not_kept(
    devices, copied, monkeypatch, code, agrees
):
    made = _with_one_more(copied, monkeypatch, UNSTEADY.format(code))
    ran = []
    lines = list(record(made, ran.append))
    stored = read_records(made.path).records
    if agrees:
        assert lines == [] and stored["it"].verdict == "CRASHED"
    else:
        assert "not kept" in lines[0] and "gave" in lines[0] and "it" not in stored
    assert sum(ran) == 2  # of all answers, the new one alone, twice


@pytest.mark.parametrize("agrees", [True, False])
def test_an_old_record_stands_for_one_of_two_runs_where_it_agrees(
    devices, copied, monkeypatch, agrees
):
    """Where it does not (it is another answer's), the answer runs a second time."""
    path = copied.root / SPREAD
    kept = read_records(path)
    names = len(kept.records)
    records = kept.records
    if not agrees:
        seen = records["pairs"].observations
        changed = dataclasses.replace(records["signed"], observations=seen)
        records = {**records, "signed": changed}
    parts = {name: "of another time" for name in kept.parts}
    write_records(path, dataclasses.replace(kept, parts=parts, records=records))
    counted, ran, observe = [], [], AnswerFile.observe

    def observed(file, answers):
        ran.extend(map(short_name, answers))
        return observe(file, answers)

    monkeypatch.setattr(AnswerFile, "observe", observed)
    assert list(record(opened(copied, SPREAD), counted.append)) == []
    assert opened(copied, SPREAD).stale() == {} and sum(counted) == 2 * names
    assert sorted(ran) == sorted([*records, *([] if agrees else ["signed"])])
    now = read_records(path).records
    assert (read_records(path).numbers == kept.numbers).all()
    same = {name for name in now if now[name].digest == kept.records[name].digest}
    assert set(now) - same <= ({"signed"} if not agrees else set())
    assert now["signed"].verdict == kept.records["signed"].verdict


def test_a_file_that_no_key_has_is_refused(devices, copied, monkeypatch):
    code = UNSTEADY.format("len(open(notebooks).read())").replace(
        "import os",
        "import course, os, pathlib\n"
        "notebooks = pathlib.Path(course.__file__).parent / 'learner/notebooks.json'",
    )
    made = _with_one_more(copied, monkeypatch, code)
    with pytest.raises(CourseError, match=r"learner/notebooks\.json, which no record"):
        list(record(made, print))


def _with_one_more(places, monkeypatch, code):
    """The answers to 00/my_spread, and one more."""
    path = places.root / SPREAD
    expected = {"00/my_spread": ("CRASHED", None)}
    added = Answer("00_start_here", "my_spread/it", expected, code.strip())
    known = known_answers(places, path)
    monkeypatch.setattr(
        "autograder.proof.recording.known_answers", lambda *_: [*known, added]
    )
    return opened(places, SPREAD)


def test_recording_gets_nothing_of_the_environment(monkeypatch):
    monkeypatch.setenv("COURSE_SEED", "7")
    monkeypatch.setenv("TF_DETERMINISTIC_OPS", "1")
    with command.recorders(1) as pool:
        names = pool.submit(_variables).result()
    assert not {"COURSE_SEED", "TF_DETERMINISTIC_OPS"} & names
    assert isinstance(pool, ProcessPoolExecutor)


KILLED = """
import os, sys, time
from autograder.proof.command import recorders

if __name__ == "__main__":
    with recorders(1) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        pool.submit(time.sleep, 600).result()
"""


def test_who_is_killed_leaves_no_process_that_records(tmp_path):
    program = tmp_path / "killed.py"
    program.write_text(KILLED)
    command = [sys.executable, program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as caller:
        recorder = psutil.Process(int(caller.stdout.readline()))
        caller.kill()
    recorder.wait(60)
    assert not recorder.is_running()


def _variables():
    import os

    return set(os.environ)


def test_the_commit_draws_what_runs_again(monkeypatch):
    names = [f"{n}" for n in range(2000)]
    chosen = []
    for commit in ("one", "two"):
        monkeypatch.setenv(COMMIT, commit)
        chosen.append([name for name in names if drawn(name)])
    assert chosen[0] != chosen[1] and all(30 < len(each) < 90 for each in chosen)
    monkeypatch.setenv("COURSE_PROVE_ALL", "1")
    assert all(map(drawn, names))


def scaled(factor):
    return lambda x: factor * np.asarray(x)


def test_a_signature_sees_code_numbers_and_order_and_forgives_rounding():
    data = {"x": np.linspace(0, 1, 9, dtype=np.float32), "f": scaled(2.0)}
    first = signature_of(data)
    near = signature_of({**data, "x": data["x"] * (1 + 1e-6)})
    assert first.matches(near.digest, near.numbers)
    for changed in (
        {**data, "x": data["x"] * 1.01},
        {**data, "x": data["x"][::-1].copy()},
        {**data, "x": data["x"].astype(float)},
        {**data, "f": scaled(3.0)},
        {**data, "f": lambda x: np.asarray(x) / 2.0},
        {**data, "more": 1},
    ):
        other = signature_of(changed)
        assert not first.matches(other.digest, other.numbers)
    assert ("test_proof", "scaled") not in first.names
    assert ("numpy", "*") in signature_of(lambda: np).names


def test_observations_agree_within_the_tolerance(devices):
    bench = Bench(HERE, "02_replicas_drift_apart", 20)
    records = read_records(HERE.root / STEP).records
    by_verdict = {each.verdict: each.observations for each in records.values()}
    right, wrong = by_verdict["RIGHT"], by_verdict["WRONG sum_of_means"]
    assert difference(bench, right, right) == ""
    assert "RIGHT None, then WRONG sum_of_means" in difference(bench, right, wrong)
