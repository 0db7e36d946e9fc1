"""A graded kernel sees what notebooks and trials need of the course, and no truths."""

import ast
import base64
import json
import os
import pickle
import re
import subprocess
import sys

import pytest
from checkout import ROOT

from autograder.grading.judge import Judge
from autograder.grading.judging import Judging
from autograder.grading.pared import Pared
from autograder.grading.views import Views
from autograder.places import course_places

pytestmark = [
    pytest.mark.prove,
    pytest.mark.depends_on("course/lessons/**/*.py", "notebooks/*/*.ipynb"),
]
PLACES = course_places(ROOT)
JOBS = "21_mystery_jobs"
LOAD = """
import base64, json, os, pickle, sys
import keras, matplotlib.pyplot, tensorflow
for line in sys.stdin:
    folder, name, packed, code = json.loads(line)
    if not os.fork():
        sys.path.insert(0, folder)
        pickle.loads(base64.b64decode(packed))
        exec(code, {})
        print(name, flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """Each notebook's trials, and the course as its kernels see it, by name."""
    folder = tmp_path_factory.mktemp("seen")
    views = Views()
    with Judge() as judge:
        judging = Judging(judge, PLACES, seed=7)
        trials = {name: judging.trials(name) for name in PLACES.names()}
    yield trials, {name: seen_by(each, views, folder) for name, each in trials.items()}
    views.close()
    assert not views.folder.exists()


def seen_by(trials, views, folder):
    """A folder with the course as the kernels of a notebook see it."""
    view = views.of(trials.names)
    copy = folder / view.name
    (copy / "course").mkdir(parents=True)
    for part in (ROOT / "course").iterdir():
        if (own := view / part.name).is_dir():
            part = own
        (copy / "course" / part.name).symlink_to(part)
    return copy


def test_notebooks_and_trials_find_what_they_import(seen):
    trials, folders = seen
    lines = []
    for name, each in trials.items():
        learner = json.loads(PLACES.learner(name).read_text(encoding="utf-8"))
        imports = [
            ast.unparse(node)
            for cell in learner["cells"]
            if cell["cell_type"] == "code"
            for node in _statements("".join(cell["source"]))
            if isinstance(node, ast.ImportFrom) and node.module.startswith("course")
        ]
        told = [str(folders[name]), name, each.packed, "\n".join(imports)]
        lines.append(json.dumps(told))
    done = subprocess.run(
        [sys.executable, "-P", "-c", LOAD],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"},
        timeout=120,
    )
    assert done.stdout.split() == PLACES.names(), done.stderr[-2000:]


def test_no_exercise_is_in_it(seen):
    files = [
        path
        for folder in seen[1].values()
        for path in (folder / "course" / "lessons").glob("n*/**/*.py")
    ]
    assert len(files) > 100
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func).split(".")[-1]
                assert called not in ("Exercise", "finding", "Mistake", "wrong_answers")
                given = {each.arg for each in node.keywords}
                assert not given & {"expect", "mistakes"}, path


def test_trials_hold_no_exercise(seen):
    for name, each in seen[0].items():
        data = base64.b64decode(each.packed)
        assert b"Exercise" not in data and b"Mistake" not in data, name


def test_of_jobs_without_a_label_no_kernel_knows_what_they_have(seen):
    room = f"course.lessons.n{JOBS}"
    faults = pytest.importorskip(f"{room}.faults")
    record = pytest.importorskip(f"{room}.job_record")
    trials, folders = seen
    lesson = folders[JOBS] / "course" / "lessons" / f"n{JOBS}"
    text = {path.stem: path.read_text() for path in lesson.glob("**/*.py")}
    assert "class RepairTrial" in text["trials"]
    told = {"checks", "composing", "diagnosis", "faults", "findings", "folders"}
    assert not text.keys() & (told | {"owners", "repairs", "slots", "tasks"})
    kept = set(re.findall(r"^ *def (\w+)", "\n".join(text.values()), re.MULTILINE))
    assert not kept & {"compose", "draw_plans", "first_sign", "fine", "what_is_wrong"}
    packed = base64.b64decode(trials[JOBS].packed)
    known = {*faults.BY_CODE, "mended", "_plan"} - {"alone"}  # also what a job may find
    assert not [code for code in known if code.encode() in packed]
    repairs = [
        each for each in pickle.loads(packed).values() if "dossier" in vars(each)
    ]
    assert len(repairs) == 6
    for each in repairs:  # the rows, and not what becomes of them on one device
        for situation in (each.dossier.shown, *each.situations):
            assert vars(situation.task).keys() == {*record.Task.__dataclass_fields__}


def test_lines_stay_where_they_are():
    whole = (ROOT / "course/runs/sequential.py").read_text(encoding="utf-8")
    pared = dict(Pared([("course.runs.sequential", "train_sequentially")]).files())
    text = next(t for path, t in pared.items() if path.name == "sequential.py")
    number = whole.splitlines().index(
        next(line for line in whole.splitlines() if "def train_sequentially" in line)
    )
    assert text.splitlines()[number] == whole.splitlines()[number]


def _statements(code: str) -> list[ast.stmt]:
    try:
        return ast.parse(code).body
    except SyntaxError:
        return []
