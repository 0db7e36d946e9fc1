"""Notebooks of jobs without a label: they tell nothing, another seed makes others."""

import json
import re
import shutil
from pathlib import Path

import nbformat
import pytest

from autograder.build import build
from autograder.drawn_jobs import drawn_in
from autograder.places import CourseError, course_places
from autograder.practice import practice_source, write_practice
from course.lessons.n21_mystery_jobs.faults import BY_CODE
from course.lessons.n21_mystery_jobs.jobs import mystery

ROOT = Path(__file__).resolve().parents[2]
PLACES = course_places(ROOT)
FOLDER = Path(__file__).parent.name
DEFAULT = drawn_in(PLACES.source(FOLDER).read_text())["seed"]


def test_the_notebook_holds_no_label(devices):
    """Neither in cells nor in metadata nor in what is shown of the jobs."""
    path = PLACES.learner(FOLDER)
    notebook = nbformat.read(path, as_version=4)
    jobs = mystery(DEFAULT)
    text = json.dumps(notebook) + repr(jobs) + "".join(map(repr, jobs))
    for fault in BY_CODE.values():
        if "_" in fault.code:  # the others are words of their own
            assert fault.code not in text
    answers = [c.source for c in notebook.cells if c.metadata.get("value")]
    assert len(answers) == 12
    assert all(re.fullmatch(r"my_(name|place)_\d = \.\.\.", each) for each in answers)


def test_another_seed_in_the_header_builds_another_notebook(tmp_path):
    target = tmp_path / "solutions" / FOLDER
    target.mkdir(parents=True)
    shutil.copy(PLACES.claims, target.parent)
    shutil.copy(PLACES.source(FOLDER).with_name("claims.toml"), target)
    edited = PLACES.source(FOLDER).read_text().replace(f"seed={DEFAULT}", "seed=7")
    (target / f"{FOLDER}.py").write_text(edited)
    places = course_places(tmp_path)
    build(places)
    new = nbformat.read(places.learner(FOLDER), as_version=4)
    old = nbformat.read(PLACES.learner(FOLDER), as_version=4)
    reports = [
        [c.source for c in each.cells if c.source.startswith("## Job")]
        for each in (new, old)
    ]
    assert len(reports[0]) == 6 and reports[0] != reports[1]


def test_a_practice_is_a_notebook_of_its_own(tmp_path):
    places = PLACES
    source = practice_source(places, 3, 4)
    assert source.name == "practice-3-4_two_jobs"
    assert len(source.exercises) == 6
    assert all(each.startswith("practice-3-4/my_") for each in source.exercises)
    assert source.cells[-1].id == "card"
    with pytest.raises(CourseError, match="parts 1, 2 and 3"):
        practice_source(places, 4, 1)


def test_a_practice_that_is_there_is_not_lost(tmp_path):
    (tmp_path / "solutions").symlink_to(ROOT / "solutions")
    places = course_places(tmp_path)
    path = write_practice(places, 1, 1)
    notebook = nbformat.read(path, as_version=4)
    assert "mystery(seed=1, parts=(1,), jobs=2)" in json.dumps(dict(notebook))
    with pytest.raises(CourseError, match="perhaps with your work"):
        write_practice(places, 1, 1)
