"""The trial of other versions: environments, what it keeps, the README's table."""

import io
import subprocess
import sys
import zipfile

import keras
import pytest
import tensorflow as tf
from checkout import ROOT

from autograder.places import CourseError, Places, course_places
from autograder.versions import table
from autograder.versions.environments import (
    Environment,
    archive,
    environments,
    installed,
    make,
)
from autograder.versions.table import Measured, keep, measured, versions_table
from autograder.versions.trial import right_answers
from course.learner.machine import NEWEST, OLDEST, OLDEST_KERAS

ROW = Measured(
    "colab", "2026-08-01", "3.12", "2.20.0", "3.13.2",
    3, ("02/my_step WRONG: a", "02: 'x': ValueError: b", "05/my_count WRONG: c"),
    5, ("05/my_count/right_one: d",),
)  # fmt: skip


def numbers(version):
    return tuple(map(int, version.split(".")[:2]))


def test_they_span_what_the_course_says_it_is_for():
    oldest, _, newest = environments().values()
    pins = dict(each.split("==") for each in oldest.packages if "==" in each)
    assert numbers(pins["tensorflow-cpu"]) == OLDEST
    assert numbers(pins["keras"]) == OLDEST_KERAS
    lock = (ROOT / newest.lock).read_text()
    assert f"tensorflow-cpu=={tf.__version__}" in lock
    assert f"keras=={keras.__version__}" in lock and numbers(tf.__version__) == NEWEST


def test_what_was_measured_is_kept_and_told(tmp_path, monkeypatch):
    monkeypatch.setattr(table, "DATA", tmp_path / "measured.toml")
    keep(ROW)
    keep(Measured("oldest", "2026-08-02", "3.11", "2.18.0", "3.10.0", 3, (), 5, ()))
    keep(ROW)
    assert [*measured()] == ["oldest", "colab"] and measured()["colab"] == ROW
    _, _, oldest, colab = versions_table().splitlines()
    assert "| 2.18.0 | 3.10.0 | 3.11 | 3 of 3 | 5 of 5 | 2026-08-02 |" in oldest
    assert "| 1 of 3 | 4 of 5 | 2026-08-01 |" in colab


def test_the_archive_holds_what_is_tracked_as_it_is_now(tmp_path):
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b.c"]

    def run(*words):
        subprocess.run([*git, *words], check=True, capture_output=True)

    run("init")
    (tmp_path / "a.txt").write_text("first")
    run("add", "-A")
    run("commit", "-m", "a")
    (tmp_path / "a.txt").write_text("second")
    (tmp_path / "new.txt").write_text("not tracked")
    path = archive(Places(tmp_path), tmp_path / "b.zip")
    zipped = zipfile.ZipFile(io.BytesIO(path.read_bytes()))
    assert [n for n in zipped.namelist() if n[-1] != "/"] == ["course/a.txt"]
    assert zipped.read("course/a.txt") == b"second"


def test_no_checkout_and_no_python_are_explained(tmp_path):
    with pytest.raises(CourseError, match="not a git repository"):
        archive(Places(tmp_path), tmp_path / "b.zip")
    with pytest.raises(CourseError, match=r"uv venv"):
        make(Environment("a", "b", "2.2"), tmp_path / "env", Places(tmp_path))


def test_a_new_environment_has_what_was_asked_for(tmp_path):
    asked = Environment("a", "b", "3.11", ("packaging==24.0",))
    python = make(asked, tmp_path / "env", Places(tmp_path))
    assert installed(python)["packaging"] == "24.0"


@pytest.mark.prove
def test_right_answers_are_judged_by_another_python(tmp_path):
    came = dict(right_answers(sys.executable, course_places(ROOT), ["00"], tmp_path))
    assert len(came) > 3 and set(came.values()) == {""}
    assert all(name.startswith("00/") for name in came)
