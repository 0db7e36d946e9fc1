"""Which tests run: of one failure, within a budget, and what a change touches first."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import rings

HERE = Path(__file__).resolve().parent
FILES = {
    "solutions/20_small/test_claims.py": "def test_claim(): pass",
    "tests/test_other.py": "def test_other(): pass",
    "tests/test_each.py": """
import pytest

@pytest.mark.parametrize("name", ["20/my_sum", "20/my_mean", "21/my_sum", "07_idle"])
def test_each(name):
    assert name != "20/my_mean"
""",
}


@pytest.fixture
def pytest_in(tmp_path):
    """Run pytest with these rules on the files above; what it prints."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    def run(*options):
        command = [sys.executable, "-m", "pytest", "-p", "rings", "-c", os.devnull]
        command += ["--rootdir", str(tmp_path), "-p", "no:cacheprovider", "-v"]
        environment = os.environ | {"PYTHONPATH": str(HERE), "PYTEST_ADDOPTS": ""}
        done = subprocess.run(
            [*command, *options, str(tmp_path)],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        return done.stdout

    return run


def test_one_failure_has_the_tests_of_its_folder_and_its_parameters(pytest_in):
    said = pytest_in("--room", "20")
    assert "2 passed" in said and "1 failed" in said and "3 deselected" in said
    assert "test_claim PASSED" in said and "test_each[20/my_sum] PASSED" in said


def test_one_failure_has_no_other_rooms_and_no_tests_of_the_grader(pytest_in, tmp_path):
    (tmp_path / "solutions" / "21_other").mkdir()
    unread = tmp_path / "solutions" / "21_other" / "test_claims.py"
    unread.write_text("raise RuntimeError('nobody reads this')")
    grader = FILES["tests/test_each.py"].replace(
        "@pytest", "@pytest.mark.class_path\n@pytest"
    )
    (tmp_path / "tests" / "test_grader.py").write_text(grader)
    said = pytest_in("--room", "20")
    assert "2 passed" in said and "1 failed" in said and "7 deselected" in said
    assert "nobody reads this" in pytest_in("--room", "21")


def test_one_exercise_has_those_that_name_it(pytest_in):
    assert "1 failed, 5 deselected" in pytest_in("--room", "20/my_mean")


def test_what_the_budget_does_not_reach_is_listed_last(pytest_in):
    said = pytest_in("--budget", "0")
    assert "6 skipped" in said
    listed = said[said.index("= not reached in the budget =") :].splitlines()
    assert [line.split() for line in listed[1:5]] == [
        ["1", "solutions/20_small/test_claims.py"],
        ["4", "tests/test_each.py"],
        ["1", "tests/test_other.py"],
        ["6", "in", "all"],
    ]
    assert "6 passed" not in said and "5 passed, 1 failed" not in said


def test_a_budget_of_an_hour_reaches_everything(pytest_in):
    said = pytest_in("--budget", "60")
    assert "5 passed" in said and "0 in all" in said


def test_each_of_the_workers_keeps_to_the_budget(pytest_in):
    said = pytest_in("-n", "2", "--budget", "0")
    assert "6 skipped" in said and "6 in all" in said


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_pytest_that_a_test_starts_has_a_time_of_its_own(
    pytest_in, tmp_path, workers
):
    """It would skip everything when it is started shortly before the end."""
    written = tmp_path / "tests" / "test_names.py"
    written.write_text(
        "import os, pathlib\n"
        "def test_names():\n"
        "    names = [name for name in os.environ if not name.startswith('PYTEST')]\n"
        "    pathlib.Path(__file__).with_suffix('.txt').write_text(repr(sorted(names)))"
    )
    names = []
    for budget in [(), ("--budget", "60")]:
        assert "6 passed" in pytest_in("-n", workers, *budget)
        names.append(written.with_suffix(".txt").read_text())
    assert names[0] == names[1]


def item(file, *parameters):
    """A test in a file, with these parameters."""
    params = dict(enumerate(parameters))
    return SimpleNamespace(
        path=rings.ROOT / file, callspec=SimpleNamespace(params=params)
    )


@pytest.mark.parametrize(
    ("changed", "file", "parameters", "reached"),
    [
        ("tests/test_progress.py", "tests/test_progress.py", (), True),
        ("course/learner/progress.py", "tests/test_progress.py", (), True),
        ("course/runs/sequential.py", "tests/test_progress.py", (), False),
        ("course/runs/sequential.py", "tests/test_training.py", (), True),
        ("tests/lab_page.py", "tests/test_in_browser.py", (), True),
        ("README.md", "tests/test_training.py", (), False),
        ("solutions/02_x/triage.md", "tests/test_build.py", ("02_x",), True),
        ("solutions/02_x/triage.md", "tests/test_build.py", ("03_x",), False),
        ("course/runs/sequential.py", "tests/test_build.py", ("02/my_step",), True),
    ],
)
def test_a_change_touches_what_imports_it_and_its_own_failure(
    changed, file, parameters, reached
):
    assert rings.Touched({changed}).reaches(item(file, *parameters)) == reached
