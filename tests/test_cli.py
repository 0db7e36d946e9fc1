"""The course command: help everywhere, suggestions, what it prints, exit codes."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from small_course_copy import NAME, copy_small_course, edit

from autograder.build import build
from autograder.places import course_places

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = ("lab", "check", "build", "status", "publish", "binder-link", "colab-link")


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    places = copy_small_course(tmp_path_factory.mktemp("cli"))
    build(places)
    return places


def course(*arguments, timeout=120, env=None):
    """Run `course` as a person does; returns the finished process."""
    return subprocess.run(
        [sys.executable, "-m", "autograder.cli", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "120", "NO_COLOR": "1", **(env or {})},
        capture_output=True,
        text=True,
        timeout=timeout,
    )


def test_help_is_fast_and_lists_the_commands():
    start = time.monotonic()
    done = course("--help")
    seconds = time.monotonic() - start
    print(f"course --help: {seconds:.2f} s")
    assert done.returncode == 0
    for command in COMMANDS:
        assert re.search(rf"\b{command}\b", done.stdout)


def test_help_imports_nothing_heavy():
    code = (
        "import sys, autograder.cli\n"
        "print([m for m in ('tensorflow', 'nbgrader', 'nbclient') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True)
    assert done.stdout.strip() == b"[]"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command):
    done = course(command, "--help")
    assert done.returncode == 0 and "Usage" in done.stdout


def test_a_misspelt_command_gets_a_suggestion():
    done = course("biuld")
    assert done.returncode == 2
    assert "Did you mean 'build'" in done.stderr


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("90", NAME),
        (NAME, NAME),
        ("sum_too_small", NAME),
        (f"notebooks/{NAME}/{NAME}.ipynb", NAME),
        (f"solutions/{NAME}/", NAME),
    ],
)
def test_a_notebook_has_many_names(small, wanted, found):
    assert small.find(wanted) == found


@pytest.mark.parametrize(
    ("wanted", "suggestion"),
    [("sum_to_smal", f'Did you mean "{NAME}"?'), ("xyz", f"There are: {NAME}.")],
)
def test_a_wrong_name_gets_a_suggestion(small, wanted, suggestion):
    done = course("check", wanted, "--root", small.root)
    assert done.returncode == 2
    assert suggestion in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_without_a_course_is_explained(tmp_path):
    done = course("status", "--root", tmp_path)
    assert done.returncode == 2 and "no solutions/ folder" in done.stderr


def test_check_prints_a_table_and_leaves_the_file(small):
    before = small.learner(NAME).read_bytes()
    done = course("check", "90", "--root", small.root)
    assert done.returncode == 1
    assert re.search(r"90/my_sum.*WRONG.*came 3, expected 73", done.stdout)
    assert small.learner(NAME).read_bytes() == before
    assert [p.name for p in small.learner(NAME).parent.iterdir()] == [f"{NAME}.ipynb"]


def test_check_of_right_answers_succeeds(small):
    done = course("check", small.solution(NAME), "--root", small.root)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"90/my_sum.*RIGHT", done.stdout)


@pytest.mark.prove
@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("raise ValueError('no shards today')", "no shards today"),
        ("import os; os._exit(3)", "did not run"),
    ],
)
def test_check_survives_what_a_notebook_does(small, tmp_path, code, message):
    notebook = nbformat.read(small.learner(NAME), as_version=4)
    fix = next(cell for cell in notebook.cells if cell.id == "my_sum-fix")
    fix.source = f"def my_sum(shards):\n    {code}"
    nbformat.write(notebook, tmp_path / "mine.ipynb")
    done = course("check", tmp_path / "mine.ipynb", "--root", small.root)
    assert done.returncode == 1
    assert "CRASHED" in done.stdout and message in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.prove
def test_build_check_fails_on_a_difference(tmp_path):
    places = copy_small_course(tmp_path)
    done = course("build", "--check", "--root", places.root)
    assert done.returncode == 1 and "is not built" in done.stdout
    assert course("build", "--root", places.root).returncode == 0
    again = course("build", "--root", places.root)
    assert again.stdout.strip() == "Nothing changed."
    assert course("build", "--check", "--root", places.root).returncode == 0


@pytest.mark.prove
def test_build_refuses_in_words(tmp_path):
    places = copy_small_course(tmp_path)
    build(places)
    edit(places.learner(NAME), "What does it return?", "What will it return?")
    done = course("build", "--root", places.root)
    assert done.returncode == 2 and "+What will it return?" in done.stderr
    adopted = course("build", "--adopt", places.learner(NAME), "--root", places.root)
    assert adopted.stdout.strip() == "changed text-02"
    assert course("build", "--root", places.root).returncode == 0


def test_status_shows_minutes_and_progress(small, tmp_path):
    (tmp_path / "progress.json").write_text('{"outcomes": {"90/my_sum": "RIGHT"}}')
    done = course(
        "status", "--root", small.root, env={"COURSE_DATA_DIR": str(tmp_path)}
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"90\s+Sum too small\s+5 \+ 3\s+1 of 1", done.stdout)


def test_this_course_is_found_without_root():
    assert course_places().root == ROOT
