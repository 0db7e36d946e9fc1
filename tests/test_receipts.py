"""A receipt stands for a test only while nothing that the test rests on changed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from receipts import Keys

HERE = Path(__file__).resolve().parent
TEST = """
import pathlib
import pytest
from helper import LIMIT

HERE = pathlib.Path(__file__).parent

@pytest.mark.evidence("data/*.toml")
@pytest.mark.parametrize("name", ["90/my_sum", "91/my_sum"])
def test_it(name):
    assert not (HERE / "broken").exists()

def test_no_evidence():
    assert LIMIT
"""
FILES = {
    "tests/test_it.py": TEST,
    "tests/helper.py": "from course.runs.workloads import LEARNING_RATE as LIMIT",
    "data/rows.toml": "a = 1",
    "requirements-dev.txt": "numpy==1",
}
ROOM = "solutions/90_sum_too_small"
SOURCE = f"{ROOM}/90_sum_too_small.py"


@pytest.fixture
def project(tmp_path):
    """A small project with two tests of evidence, one of them about a failure."""
    shutil.copytree(HERE / "small_course" / "solutions", tmp_path / "solutions")
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def keys(root):
    """The keys of the two tests of evidence."""
    found = Keys(root)

    def key(name):
        item = SimpleNamespace(
            path=root / "tests/test_it.py",
            nodeid=f"tests/test_it.py::test_it[{name}]",
            callspec=SimpleNamespace(params={"name": name}),
            get_closest_marker=lambda mark: SimpleNamespace(args=("data/*.toml",)),
        )
        return found.of(item)

    return [key("90/my_sum"), key("91/my_sum")]


@pytest.mark.parametrize(
    ("file", "old", "new", "stale"),
    [
        ("tests/test_it.py", "exists()\n\n", "is_file()\n\n", [True, True]),
        ("tests/helper.py", "LEARNING_RATE", "regression", [True, True]),
        ("data/rows.toml", "1", "2", [True, True]),
        ("requirements-dev.txt", "1", "2", [True, True]),
        (f"{ROOM}/claims.toml", "\n", "\n# more\n", [True, False]),
        (SOURCE, "value == 73", "value == 74", [True, False]),
        # words are no code
        (SOURCE, "Two shards go in", "Two shards are there", [False, False]),
        ("tests/test_it.py", "\n\ndef", "\n\n# words\ndef", [False, False]),
    ],
)
def test_a_change_makes_the_receipts_stale_that_rest_on_it(
    project, file, old, new, stale
):
    before, path = keys(project), project / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    after = keys(project)
    assert [a != b for a, b in zip(before, after, strict=True)] == stale


def run(root, *options, **variables):
    """Run the project's tests, as if no test of evidence were drawn; what is said."""
    command = [sys.executable, "-m", "pytest", "-p", "rings", "-p", "receipts"]
    command += ["-c", os.devnull, "--rootdir", str(root), "-p", "no:cacheprovider"]
    without = {"CI", "COURSE_PROVE_ALL", "PYTEST_ADDOPTS"}
    kept = {name: v for name, v in os.environ.items() if name not in without}
    draws_none = {"COURSE_PROVE_COMMIT": "draws none of them", "PYTHONPATH": str(HERE)}
    done = subprocess.run(
        [*command, *options, str(root / "tests")],
        cwd=root,
        env={**kept, **draws_none, **variables},
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.stdout + done.stderr


def test_what_passed_is_left_out_until_it_is_stale_or_drawn(project):
    test, path = project / "tests/test_it.py", project / "tests/receipts/test_it.json"
    # about no failure, and without the course, which takes seconds to read
    test.write_text(TEST.replace("90/", "one/").replace("91/", "two/"))
    (project / "tests/helper.py").write_text("LIMIT = 1")
    assert "3 passed" in run(project, "-n", "2", "--dist", "loadgroup")
    written = path.read_text()
    found = json.loads(written)
    assert list(found) == ["test_it[one/my_sum]", "test_it[two/my_sum]"]
    assert all({"key", "date", "seconds"} == each.keys() for each in found.values())
    assert "1 passed, 2 deselected" in run(project, CI="true")

    (project / "tests/broken").touch()  # a receipt for what fails: drawn, it is found
    assert "2 failed" in run(project, COURSE_PROVE_ALL="1")
    assert path.read_text() == written

    first, second = found.values()
    first["key"] = second["key"]  # one that was written by hand
    path.write_text(json.dumps(found))
    said = run(project, CI="true")
    assert "1 error" in said and "no receipt fits this test" in said
    assert json.loads(path.read_text()) == found
