"""The build: what it derives, that it repeats itself, that it never loses an edit."""

import json
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell
from small_course_copy import NAME, copy_small_course, edit

from autograder.adopt import adopt
from autograder.build import (
    as_bytes,
    build,
    differences,
    generate,
    solution_notebook,
)
from autograder.edits import EditedByHand
from autograder.places import CourseError, course_places
from autograder.render import render_readme
from autograder.source import SourceError, read_source

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def built_once(tmp_path_factory):
    places = copy_small_course(tmp_path_factory.mktemp("built"))
    build(places)
    return places


@pytest.fixture
def built(built_once, tmp_path):
    """A built small course that a test may change."""
    shutil.copytree(built_once.root, tmp_path / "course")
    return course_places(tmp_path / "course")


def cells(path):
    return {cell.id: cell for cell in nbformat.read(path, as_version=4).cells}


def change(path, change_cells):
    """Edit a notebook as JupyterLab does: read, change the cells, write."""
    notebook = nbformat.read(path, as_version=4)
    change_cells(notebook.cells)
    nbformat.write(notebook, path)


def find(all_cells, cell_id):
    return next(cell for cell in all_cells if cell.id == cell_id)


def bytes_below(places):
    files = [*places.solutions.rglob("*"), *places.notebooks.rglob("*"), places.readme]
    return {path: path.read_bytes() for path in files if path.is_file()}


def test_learner_starts_from_the_broken_code(built):
    learner, solution = cells(built.learner(NAME)), cells(built.solution(NAME))
    assert "sum(shards[0])" in learner["my_sum-fix"].source
    assert learner["my_sum-fix"].source.startswith("def my_sum(shards):")
    assert "broken_sum" not in learner["my_sum-fix"].source
    assert learner["my_sum-broken"].source.startswith("def broken_sum(shards):")
    assert "for shard in shards" in solution["my_sum-fix"].source
    assert "every shard is added" not in str(learner)
    assert "every shard is added" in str(solution)


def test_locks_points_and_tags(built):
    learner = cells(built.learner(NAME))
    marks = {name: cell.metadata.get("nbgrader") for name, cell in learner.items()}
    assert marks["my_sum-fix"]["solution"] and not marks["my_sum-fix"]["locked"]
    assert marks["my_sum-check"]["grade"] and marks["my_sum-check"]["points"] == 4
    assert marks["edit"] is None
    assert learner["my_sum-check"].metadata["tags"] == ["raises-exception"]
    locked = {name for name, mark in marks.items() if mark and mark["locked"]}
    assert locked == {"start", "engine", "my_sum-broken", "code-01", "my_sum-check"}
    assert learner["engine"].metadata["editable"] is False


def test_header_and_end_are_rendered(built):
    header = cells(built.learner(NAME))["header"].source
    assert header.startswith(
        "# 90 · Sum too small\n\n**5 minutes; the further exercises: 3 more**"
    )
    end = cells(built.learner(NAME))["end"].source
    assert end.startswith("<details>") and "Add **all** shards" in end
    assert "Add **all** shards" not in header  # it answers what is asked below it


def test_claims_are_rendered(built):
    text = cells(built.learner(NAME))["claims"].source
    assert '"Why is the sum too small?"' in text
    assert "| a sum over shards equals the sum | adds them up | holds |" in text


def test_no_source_and_no_outputs_reach_the_learner(built):
    assert [p.suffix for p in built.notebooks.rglob("*") if p.is_file()] == [".ipynb"]
    for cell in cells(built.learner(NAME)).values():
        assert not cell.get("outputs") and cell.get("execution_count") is None


def test_nothing_of_the_authors_room_reaches_the_learner(tmp_path):
    places = copy_small_course(tmp_path)
    room = places.source(NAME).parent
    (room / "answers").mkdir()
    (room / "records").mkdir()
    for name in ("answers/my_sum.py", "records/my_sum.zip", "guide.toml", "triage.md"):
        (room / name).write_text("# not for learners\n")
    (room / "test_claims.py").write_text("# not for learners\n")
    places.solution(NAME).write_bytes(as_bytes(solution_of(places)))
    generate(places, [NAME], tmp_path / "gradebook.db")
    handed_out = places.learner(NAME).parent
    assert [each.name for each in handed_out.rglob("*")] == [f"{NAME}.ipynb"]


def solution_of(places):
    return solution_notebook(read_source(places.source(NAME)), places.claims)


def test_readme_tables(built):
    text = built.readme.read_text()
    link = f"notebooks/{NAME}/{NAME}.ipynb"
    assert f"| 90 | [Sum too small]({link}) | 5 + 3 |" in text
    assert f"| the sum is too small | [90 Sum too small]({link}) |" in text


@pytest.mark.prove
def test_rebuild_is_byte_identical(built):
    before = bytes_below(built)
    assert build(built) == []
    assert bytes_below(built) == before
    assert differences(built) == []


@pytest.mark.prove
def test_build_elsewhere_is_byte_identical(built, tmp_path):
    other = copy_small_course(tmp_path / "elsewhere")
    build(other)
    for one, two in (
        (built.learner(NAME), other.learner(NAME)),
        (built.solution(NAME), other.solution(NAME)),
    ):
        assert one.read_bytes() == two.read_bytes()


@pytest.mark.prove
def test_stock_nbgrader_makes_the_same_notebook(built, tmp_path):
    """`nbgrader generate_assignment` from any folder, the environment not activated."""
    expected = built.learner(NAME).read_bytes()
    (tmp_path / "nbgrader_config.py").write_text(
        "from pathlib import Path\n"
        "from autograder.nbgrader_settings import configure\n"
        f"configure(get_config(), Path({str(built.root)!r}))\n"
    )
    built.learner(NAME).unlink()
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "generate_assignment", NAME, "--force"],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert built.learner(NAME).read_bytes() == expected


def test_differences_are_told_and_nothing_is_written(built):
    edit(built.source(NAME), "What does it return?", "What does it give?")
    (built.notebooks / "80_gone").mkdir()
    shutil.copy(built.learner(NAME), built.notebooks / "80_gone" / "80_gone.ipynb")
    before = bytes_below(built)
    assert differences(built) == [
        f"solutions/{NAME}/{NAME}.ipynb is not what its source builds",
        f"notebooks/{NAME}/{NAME}.ipynb is not what its source builds",
        "notebooks/80_gone/80_gone.ipynb has no source",
    ]
    assert bytes_below(built) == before


@pytest.mark.parametrize("which", ["learner", "solution"])
def test_edited_notebook_is_not_overwritten(built, which):
    path = getattr(built, which)(NAME)

    def work(all_cells):
        find(all_cells, "my_sum-fix").source = "def my_sum(shards):\n    return 73"
        all_cells.append(new_markdown_cell("My own note."))

    change(path, work)
    edit(built.source(NAME), "What does it return?", "What does it give?")
    before = bytes_below(built)
    with pytest.raises(EditedByHand) as refused:
        build(built)
    assert "+    return 73" in str(refused.value)
    assert "My own note." in str(refused.value)
    assert f"--adopt {path.relative_to(built.root)}" in str(refused.value)
    assert bytes_below(built) == before


def test_deleted_and_moved_cells_are_edits(built):
    change(built.learner(NAME), lambda all_cells: all_cells.pop(5))
    with pytest.raises(EditedByHand, match="deleted cell my_sum-broken"):
        build(built)
    built.learner(NAME).unlink()
    build(built)
    change(built.learner(NAME), lambda all_cells: all_cells.insert(1, all_cells.pop(5)))
    with pytest.raises(EditedByHand, match="moved"):
        build(built)


def test_outputs_alone_are_no_edit(built):
    def run(all_cells):
        code = find(all_cells, "code-01")
        code.execution_count = 3
        code.outputs = [nbformat.v4.new_output("stream", text="3\n")]

    before = built.learner(NAME).read_bytes()
    change(built.learner(NAME), run)
    assert build(built) == [built.learner(NAME)]
    assert built.learner(NAME).read_bytes() == before


@pytest.mark.parametrize("text", ["{ <<<<<<< HEAD", "{}", '{"cells": []}'])
def test_a_file_that_is_no_built_notebook_is_kept(built, text):
    built.learner(NAME).write_text(text)
    with pytest.raises(CourseError, match="build again"):
        build(built)
    assert built.learner(NAME).read_text() == text


def test_adopt_takes_edits_new_and_deleted_cells(built):
    def work(all_cells):
        find(
            all_cells, "my_sum-fix"
        ).source = "def my_sum(shards):\n    return sum(map(sum, shards))"
        find(all_cells, "text-03").source = "Mend **it**.\n\nSlowly."
        place = all_cells.index(find(all_cells, "code-01"))
        all_cells.insert(place + 1, new_code_cell('print("""two\n\nlines""")'))
        all_cells.remove(find(all_cells, "edit"))

    change(built.solution(NAME), work)
    before = read_source(built.source(NAME))
    lines = adopt(built.solution(NAME), built)
    after = read_source(built.source(NAME))
    assert lines == [
        "changed text-03",
        "changed my_sum-fix",
        "added a code cell",
        "deleted edit",
    ]
    assert after.header == before.header
    texts = [cell.text for cell in after.cells]
    assert "def my_sum(shards):\n    return sum(map(sum, shards))" in texts
    assert "Mend **it**.\n\nSlowly." in texts
    assert texts[texts.index('print("""two\n\nlines""")') - 1].startswith("print(bro")
    assert "play = 1" not in texts
    assert len(after.cells) == len(before.cells)
    fix = next(cell for cell in after.cells if cell.role == "fix")
    assert fix.keys == {"role": "fix", "exercise": "my_sum"}
    build(built)
    assert differences(built) == []
    assert adopt(built.solution(NAME), built) == []


def test_adopt_from_the_learners_notebook(built):
    def work(all_cells):
        find(all_cells, "text-02").source = "What comes out?"

    change(built.learner(NAME), work)
    before = built.source(NAME).read_text()
    assert adopt(built.learner(NAME), built) == ["changed text-02"]
    expected = before.replace("What does it return?", "What comes out?")
    assert built.source(NAME).read_text() == expected != before
    build(built)
    assert "What comes out?" in str(cells(built.solution(NAME)))


@pytest.mark.parametrize(
    ("cell", "message"),
    [("header", "YAML header"), ("claims", "claims.toml"), ("my_sum-fix", "copy of")],
)
def test_rendered_cells_cannot_be_adopted(built, cell, message):
    def work(all_cells):
        find(all_cells, cell).source += "\n# changed"
        find(all_cells, "text-02").source = "What comes out?"

    change(built.learner(NAME), work)
    before = built.source(NAME).read_bytes()
    with pytest.raises(CourseError, match=message):
        adopt(built.learner(NAME), built)
    assert built.source(NAME).read_bytes() == before


def test_adopt_refuses_a_cell_that_changed_in_both(built):
    def work(all_cells):
        find(all_cells, "text-02").source = "What comes out?"

    change(built.learner(NAME), work)
    edit(built.source(NAME), "What does it return?", "What does it give?")
    with pytest.raises(CourseError, match="text-02 was changed in the source, too"):
        adopt(built.learner(NAME), built)
    assert "What does it give?" in built.source(NAME).read_text()


def test_adopt_refuses_moved_cells(built):
    change(built.learner(NAME), lambda all_cells: all_cells.insert(1, all_cells.pop(5)))
    with pytest.raises(CourseError, match="move them in the source"):
        adopt(built.learner(NAME), built)


def test_adopt_leaves_a_source_that_would_not_build(built):
    def work(all_cells):
        all_cells.remove(find(all_cells, "my_sum-broken"))

    change(built.solution(NAME), work)
    before = built.source(NAME).read_bytes()
    with pytest.raises(SourceError, match="role=broken"):
        adopt(built.solution(NAME), built)
    assert built.source(NAME).read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('role="start"', 'role="begin"', "unknown role 'begin'"),
        ('beat="confirm"', 'beat="end"', "unknown beat 'end'"),
        ('role="start"', 'rol="start"', "unknown key 'rol'"),
        ('role="start"', 'role="start" thumbnail="all"', "left, top, right, bottom"),
        ("points=4", 'points="four"', "needs its points"),
        ("\ncheck(", "\nprint(1); check_it(", "a check cell is one line"),
        ("def my_sum", "def your_sum", "must define my_sum"),
        ('role="broken" exercise="my_sum"', 'role="setup"', "no cell with role=broken"),
        ('check("90/', 'check("91/', "does not begin with 90/"),
        ("#   title: Sum too small\n", "", "title"),
        ('"the sum is too small", ', "", "two symptoms"),
        ("# ---\n# course", "# course", "header is missing"),
        ("{core: 5", "{core: five", "five"),
    ],
)
def test_an_unsound_source_is_explained(tmp_path, old, new, message):
    places = copy_small_course(tmp_path)
    edit(places.source(NAME), old, new)
    with pytest.raises(SourceError, match=message) as refused:
        read_source(places.source(NAME))
    assert NAME in str(refused.value)


def test_a_readme_without_markers_is_explained():
    with pytest.raises(CourseError, match="launch:begin"):
        render_readme("# A course\n", [])


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")
def test_changed_checks_with_submissions_are_explained(built):
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{built.gradebook}") as gradebook:
        gradebook.add_student("ada")
        gradebook.add_submission(NAME, "ada")
    edit(built.source(NAME), 'role="edit"', 'key="play"')
    with pytest.raises(CourseError, match="holds submissions"):
        build(built)
    assert "play" not in cells(built.learner(NAME))


def test_committed_notebooks_are_what_their_sources_build():
    assert differences(course_places(ROOT)) == []


def test_built_notebooks_are_valid(built):
    for path in (built.solution(NAME), built.learner(NAME)):
        nbformat.validate(nbformat.read(path, as_version=4))
        assert json.loads(path.read_text())["metadata"]["kernelspec"]["name"]


def test_a_notebook_ends_with_its_probe_and_the_next_one():
    """The course's own: each but the last leads on."""
    places = course_places(ROOT)
    names = places.names()
    for name, following in pairwise(names):
        last = nbformat.read(places.learner(name), as_version=4).cells[-1]
        assert f"(../{following}/{following}.ipynb)" in last.source
        assert "**Take to work:** the probe `" in last.source
    last = nbformat.read(places.learner(names[-1]), as_version=4).cells[-1]
    assert "**Next:**" not in last.source
