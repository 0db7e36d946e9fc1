"""A receipt stands for a test only while nothing that the test rests on changed."""

import json
import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
import receipts
from receipts import Keys

pytest_plugins = ["pytester"]
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

@pytest.mark.prove
@pytest.mark.depends_on("page.md")
def test_machinery():
    assert LIMIT

def test_neither():
    assert LIMIT
"""
FILES = {
    "tests/test_it.py": TEST,
    "tests/helper.py": "from course.runs.workloads import LEARNING_RATE as LIMIT",
    "data/rows.toml": "a = 1",
    "page.md": "one",
    "autograder/own.py": "A = 1",
    "course/runs/own.py": "A = 1",
    "course/lessons/n92_other/own.py": "A = 1",
    "requirements-dev.txt": "numpy==1",
}
ROOM = "solutions/90_sum_too_small"
SOURCE = f"{ROOM}/90_sum_too_small.py"


@pytest.fixture
def project(tmp_path):
    """A small project: evidence of two failures, one of which it has, and machinery."""
    shutil.copytree(HERE / "small_course" / "solutions", tmp_path / "solutions")
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def keys(root):
    """The keys of the two tests of evidence, and of the one of machinery."""
    found = Keys(root)
    evidence = {"evidence": SimpleNamespace(args=("data/*.toml",))}
    machinery = {"depends_on": SimpleNamespace(args=("page.md",))}

    def key(name, marks):
        item = SimpleNamespace(
            path=root / "tests/test_it.py",
            nodeid=f"tests/test_it.py::test_it[{name}]",
            callspec=SimpleNamespace(params={"name": name}),
            get_closest_marker=marks.get,
        )
        return found.of(item)

    return [key("90/my_sum", evidence), key("91/my_sum", evidence), key("", machinery)]


@pytest.mark.parametrize(
    ("file", "old", "new", "stale"),
    [
        ("tests/test_it.py", "exists()\n\n", "is_file()\n\n", [True, True, True]),
        ("tests/helper.py", "LEARNING_RATE", "regression", [True, True, True]),
        ("requirements-dev.txt", "1", "2", [True, True, True]),
        ("data/rows.toml", "1", "2", [True, True, False]),
        ("page.md", "one", "two", [False, False, True]),
        # the test's file names the failure 90, and so machinery rests on it as well
        (f"{ROOM}/claims.toml", "\n", "\n# more\n", [True, False, True]),
        (SOURCE, "value == 73", "value == 74", [True, False, True]),
        ("autograder/own.py", "1", "2", [False, False, True]),
        ("course/runs/own.py", "1", "2", [False, False, True]),
        ("course/lessons/n92_other/own.py", "1", "2", [False, False, False]),
        # words are no code
        (SOURCE, "Two shards go in", "Two shards are there", [False, False, False]),
        ("tests/test_it.py", "\n\ndef", "\n\n# words\ndef", [False, False, False]),
        ("autograder/own.py", "A", "# words\nA", [False, False, False]),
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


@pytest.fixture
def run(project, pytester, monkeypatch):
    """Return a function that runs the project's tests and returns what pytest prints.

    No test is drawn.
    """
    for name in ("CI", "COURSE_PROVE_ALL", "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COURSE_PROVE_COMMIT", "draws none of them")
    monkeypatch.setenv("PYTHONPATH", str(HERE))
    plugins = ["-p", "rings", "-p", "receipts", "-p", "no:cacheprovider"]
    place = ["-c", os.devnull, "--rootdir", project, project / "tests"]

    def run(*options, apart=False, **variables):
        receipts._receipts.cache_clear()
        with monkeypatch.context() as patch:
            for name, value in variables.items():
                patch.setenv(name, value)
            method = "subprocess" if apart else "inprocess"
            run_as = getattr(pytester, f"runpytest_{method}")
            return run_as(*plugins, *options, *place).stdout.str()

    return run


def test_what_passed_is_left_out_until_it_is_stale_or_drawn(project, run):
    test, path = project / "tests/test_it.py", project / "tests/receipts/test_it.json"
    # about no failure, and without the course, which takes seconds to read
    test.write_text(TEST.replace("90/", "one/").replace("91/", "two/"))
    (project / "tests/helper.py").write_text("LIMIT = 1")
    assert "4 passed" in run("-n", "2", "--dist", "loadgroup", apart=True)
    found = json.loads(path.read_text())
    names = ["test_it[one/my_sum]", "test_it[two/my_sum]", "test_machinery"]
    assert sorted(found) == names
    assert all({"key", "date", "seconds"} == each.keys() for each in found.values())
    assert "1 passed, 3 deselected" in run(CI="true")

    (project / "tests/broken").touch()  # a receipt for what fails: drawn, it is found
    assert "2 failed, 2 passed" in run(COURSE_PROVE_ALL="1")
    assert json.loads(path.read_text()) == found  # nor is one that fits written anew

    for name in names:  # none was written by a run
        found[name]["key"] = "0123"
    path.write_text(json.dumps(found))
    said = run(CI="true")
    # evidence should have come with the commit; machinery shows itself
    assert "2 passed" in said and "2 errors" in said
    assert "no receipt fits this test" in said
    assert json.loads(path.read_text()) == found


def test_receipts_are_of_tests_that_are_there():
    root, gone = HERE.parent, []
    of_rooms = root.glob("solutions/*/records/test_*.json")
    for path in (*root.glob("tests/receipts/*.json"), *of_rooms):
        folders = ("tests", "workshop/tests", path.parent.parent.relative_to(root))
        files = [root / folder / f"{path.stem}.py" for folder in folders]
        code = "".join(each.read_text("utf-8") for each in files if each.exists())
        names = {name.partition("[")[0] for name in json.loads(path.read_text("utf-8"))}
        gone += [f"{path.name}: {name}" for name in names if f"def {name}(" not in code]
    assert not gone, "delete the receipts of tests that no longer exist"
