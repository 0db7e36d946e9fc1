"""Which tests run: those of one failure; what a file shares is made once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

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


SHARED = """
import os, pathlib, pytest

HERE = pathlib.Path(__file__).parent

@pytest.fixture(scope="module")
def server():
    (HERE / f"made-{os.getpid()}").touch()

@pytest.mark.parametrize("n", range(6))
def test_uses_it(server, n):
    pass

"""


def test_what_a_file_shares_is_made_once(pytest_in, tmp_path):
    written = tmp_path / "tests" / "test_shared.py"
    written.write_text(SHARED)
    assert "11 passed" in pytest_in("-n", "2", "--dist", "loadgroup")
    assert len([*written.parent.glob("made-*")]) == 1
