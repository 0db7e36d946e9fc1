"""The path a class takes: submitted notebooks through nbgrader's own API."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from jupyter_client.provisioning import KernelProvisionerFactory
from nbformat.v4 import new_code_cell
from nbgrader.api import Gradebook
from nbgrader.apps import NbGraderAPI
from small_course_copy import NAME, copy_small_course, edit

from autograder.answers.reading import all_answers, put_in
from autograder.build import build
from autograder.nbgrader_settings import settings
from autograder.places import course_places
from autograder.verdict_outputs import verdicts

ROOT = Path(__file__).resolve().parent.parent
RIGHT = "def my_sum(shards):\n    return sum(map(sum, shards))"
WRONG = "def my_sum(shards):\n    return sum(shards[1])"

pytestmark = [
    pytest.mark.class_path,
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
]


class Class:
    """A course with a gradebook, and what grading one notebook gives."""

    def __init__(self, places, gradebook):
        self.places, self.gradebook = places, gradebook
        self.api = NbGraderAPI(config=settings(places.root, gradebook))

    def submitted(self, student, name):
        """A copy of the learner's notebook, handed in by a student."""
        path = self.places.root / "autograder" / "submitted" / student / name
        path.mkdir(parents=True, exist_ok=True)
        shutil.copy(self.places.learner(name), path)
        return path / f"{name}.ipynb"

    def grade(self, student, name):
        """Autograde: exercise's grade id -> points; fails where nbgrader fails."""
        result = self.api.autograde(name, student, force=True)
        assert result["success"], result.get("log")
        with Gradebook(f"sqlite:///{self.gradebook}") as gradebook:
            submission = gradebook.find_submission(name, student)
            notebook = submission.notebooks[0]
            return {each.name: each.auto_score for each in notebook.grades}

    def graded_cells(self, student, name):
        """The executed notebook's cells by id."""
        folder = self.places.root / "autograder" / "autograded" / student / name
        notebook = nbformat.read(folder / f"{name}.ipynb", as_version=4)
        return {cell.get("id"): cell for cell in notebook.cells}

    def feedback(self, student, name):
        """The feedback page's text."""
        result = self.api.generate_feedback(name, student, force=True)
        assert result["success"], result.get("log")
        folder = self.places.root / "autograder" / "feedback" / student / name
        return (folder / f"{name}.html").read_text(encoding="utf-8")


def change(path, change_cells):
    notebook = nbformat.read(path, as_version=4)
    change_cells(notebook.cells)
    nbformat.write(notebook, path)


def find(cells, cell_id):
    return next(cell for cell in cells if cell.id == cell_id)


def write_answer(path, text):
    def put(cells):
        find(cells, "my_sum-fix").source = text

    change(path, put)


@pytest.fixture(scope="module", autouse=True)
def ordinary_kernels():
    """Here nbgrader starts kernels as it does by itself; course grade's are forked."""
    factory = KernelProvisionerFactory.instance()
    before = factory.default_provisioner_name
    factory.default_provisioner_name = "local-provisioner"
    yield
    factory.default_provisioner_name = before


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    places = copy_small_course(tmp_path_factory.mktemp("class"))
    build(places)
    return Class(places, places.gradebook)


def test_right_answer_gets_its_points_despite_a_warning(small):
    write_answer(small.submitted("right", NAME), RIGHT)
    assert small.grade("right", NAME) == {"my_sum-check": 4}
    check = small.graded_cells("right", NAME)["my_sum-check"]
    assert [each["outcome"] for each in verdicts(check)] == ["RIGHT"]
    engine = small.graded_cells("right", NAME)["engine"]
    assert "file=sys.stderr" in engine.source  # the check does warn on stderr
    page = small.feedback("right", NAME)
    assert "4.0" in page and "RIGHT 90/my_sum" in page


def test_wrong_and_untouched_answers_get_nothing(small):
    write_answer(small.submitted("wrong", NAME), WRONG)
    small.submitted("untouched", NAME)
    assert small.grade("wrong", NAME) == {"my_sum-check": 0}
    assert small.grade("untouched", NAME) == {"my_sum-check": 0}
    check = small.graded_cells("wrong", NAME)["my_sum-check"]
    assert verdicts(check)[0]["message"] == "came 70, expected 73"


@pytest.mark.parametrize(
    "trick",
    [
        "def check(exercise, function):\n    pass",
        "def check(exercise, function):\n    return 4",
        "def check(exercise, function):\n    print('RIGHT', exercise)",
        "the_real_check = check\n"
        "def check(exercise, function):\n"
        "    the_real_check('90/other', lambda shards: 73)",
    ],
)
def test_a_check_that_shows_no_verdict_of_its_own_gives_nothing(small, trick):
    write_answer(small.submitted("trick", NAME), f"{WRONG}\n\n{trick}")
    assert small.grade("trick", NAME) == {"my_sum-check": 0}
    check = small.graded_cells("trick", NAME)["my_sum-check"]
    assert any("no RIGHT verdict for 90/my_sum" in str(o) for o in check.outputs)


def test_edited_deleted_and_copied_cells(small):
    """A wrong answer can't be talked right; an honest one survives accidents."""

    def edit_check(cells):
        find(cells, "my_sum-check").source = 'print("fine")'
        find(cells, "my_sum-check").metadata.nbgrader.points = 400

    path = small.submitted("edited", NAME)
    change(path, edit_check)
    assert small.grade("edited", NAME) == {"my_sum-check": 0}

    path = small.submitted("deleted", NAME)
    write_answer(path, RIGHT)
    change(path, lambda cells: cells.remove(find(cells, "my_sum-check")))
    assert small.grade("deleted", NAME) == {"my_sum-check": 4}

    def copy_cells(cells):
        for each in ("my_sum-fix", "my_sum-check", "engine"):
            copied = find(cells, each).copy()
            copied["id"] = f"copy-of-{each}"
            cells.insert(cells.index(find(cells, each)), copied)

    def rename_cells(cells):  # as in a notebook of an earlier version
        for each in ("code-01", "engine"):
            find(cells, each).metadata.nbgrader.grade_id = f"old-{each}"

    path = small.submitted("older", NAME)
    write_answer(path, RIGHT)
    change(path, rename_cells)
    assert small.grade("older", NAME) == {"my_sum-check": 4}

    path = small.submitted("copied", NAME)
    write_answer(path, RIGHT)
    change(path, copy_cells)
    assert small.grade("copied", NAME) == {"my_sum-check": 4}


def test_grading_has_a_progress_folder_of_its_own(small, tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("COURSE_SEED", "7")
    code = (
        "import os, pathlib\n"
        "folder = pathlib.Path(os.environ['COURSE_DATA_DIR'])\n"
        "(folder / 'mine').write_text('x')\n"
        "print(os.environ['COURSE_SEED'], os.environ['TF_CPP_MIN_LOG_LEVEL'], folder)"
    )
    path = small.submitted("folder", NAME)
    change(path, lambda cells: cells.append(new_code_cell(code, id="spy")))
    small.grade("folder", NAME)
    seed, level, folder = (
        small.graded_cells("folder", NAME)["spy"].outputs[0].text.split()
    )
    assert (seed, level) == ("7", "3")
    assert folder != str(tmp_path) and not Path(folder).exists()
    assert list(tmp_path.iterdir()) == []


def test_feedback_is_sanitized(small):
    code = (
        "from IPython.display import HTML, display\n"
        "display(HTML('<script>steal()</script><b>bold</b>'))"
    )
    path = small.submitted("script", NAME)
    change(path, lambda cells: cells.append(new_code_cell(code, id="evil")))
    small.grade("script", NAME)
    page = small.feedback("script", NAME)
    assert "<b>bold</b>" in page
    assert "<script>steal" not in page


@pytest.mark.prove
def test_stock_commands_work_from_any_folder(small, tmp_path):
    """Autograde, feedback, export and validate, the environment not activated."""
    (tmp_path / "nbgrader_config.py").write_text(
        "from pathlib import Path\n"
        "from autograder.nbgrader_settings import configure\n"
        f"configure(get_config(), Path({str(small.places.root)!r}))\n"
    )
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
        "PYTHONPATH": str(ROOT),
    }

    def nbgrader(*arguments):
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    path = small.submitted("stock", NAME)
    write_answer(path, RIGHT)
    nbgrader("autograde", NAME, "--student", "stock")
    nbgrader("generate_feedback", NAME, "--student", "stock")
    nbgrader("export")
    rows = (tmp_path / "grades.csv").read_text().splitlines()
    stock = next(row for row in rows if ",stock," in row)
    assert stock.endswith(",4.0,0.0,4.0,4.0")  # raw, late penalty, score, of
    shutil.copy(small.places.learner(NAME), tmp_path / "mine.ipynb")
    assert "WRONG" in nbgrader("validate", "mine.ipynb")
    # Validate takes any stderr for a failure: without the small course's warning
    quiet = tmp_path / "right.ipynb"
    shutil.copy(small.places.solution(NAME), quiet)
    edit(quiet, 'must cost nothing\\", file=sys.stderr)', 'is not shown\\")')
    assert "Success!" in nbgrader("validate", "right.ipynb")


def test_the_installed_configuration_is_the_courses():
    """Jupyter finds the two lines in the environment, and they name this course."""
    installed = Path(sys.prefix) / "etc" / "jupyter" / "nbgrader_config.py"
    shipped = ROOT / "autograder" / "nbgrader_config.py"
    assert installed.read_text() == shipped.read_text(), (
        "install the package again: pip install -e . --no-deps"
    )


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The real course's notebooks, with a gradebook and folders of their own."""
    here = course_places(ROOT)
    root = tmp_path_factory.mktemp("course")
    for folder in ("solutions", "course"):
        shutil.copytree(
            here.root / folder,
            root / folder,
            ignore=shutil.ignore_patterns("__pycache__", ".*"),
        )
    places = course_places(root)
    build(places)
    return Class(places, places.gradebook)


def first_of_each_kind(*numbers):
    """One right and one wrong answer to each of these notebooks."""
    chosen = {}
    for answer in all_answers(course_places(ROOT)):
        if answer.notebook[:2] in numbers:
            chosen.setdefault((answer.notebook, answer.is_right), answer)
    return list(chosen.values())


def student_of(answer):
    return re.sub(r"\W", "-", f"s{answer}")


def send(course, answer):
    """Hand in an answer, grade it, compare every exercise it expects something of."""
    student = student_of(answer)
    handed_in = course.submitted(student, answer.notebook)
    notebook = nbformat.read(handed_in, as_version=4)
    nbformat.write(put_in(notebook, answer), handed_in)
    points = course.grade(student, answer.notebook)
    cells = course.graded_cells(student, answer.notebook)
    for exercise, (outcome, _) in answer.expected.items():
        grade_id = exercise.partition("/")[2] + "-check"
        check = cells[grade_id]
        verdict = verdicts(check)[-1]
        assert verdict["exercise"] == exercise
        assert verdict["outcome"] == outcome, json.dumps(verdict, indent=1)
        full = check.metadata.nbgrader.points
        assert points[grade_id] == (full if outcome == "RIGHT" else 0)
    return student


@pytest.mark.prove
@pytest.mark.parametrize("answer", first_of_each_kind("02"), ids=str)
def test_a_right_and_a_wrong_answer_of_the_real_course(course, answer):
    student = send(course, answer)
    page = course.feedback(student, answer.notebook)
    for exercise, (outcome, _) in answer.expected.items():
        assert re.search(rf"{outcome}\b", page) and exercise in page
