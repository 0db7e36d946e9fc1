"""Where the course is published: Colab's notebooks, links and badges, from `origin`."""

import json
import re
import subprocess

import nbformat
import pytest
from small_course_copy import NAME, copy_small_course
from typer.testing import CliRunner

from autograder.build import build, differences
from autograder.cli import app
from autograder.colab import COLAB, colab_version
from autograder.find_page import render_find
from autograder.grading.limits import read_limits
from autograder.grading.submitted_file import read_file
from autograder.notebook_list import LIST
from autograder.places import CourseError
from autograder.published import Published, at_address, of_origin, read_published
from autograder.source import read_source
from autograder.stamp import changes_since_build
from course.learner import course_map

ADA = Published("github", "ada/course", "main")
ON_COLAB = "https://colab.research.google.com/github/ada/course/blob/main/colab/"


def git(places, *words):
    subprocess.run(["git", "-C", places.root, *words], check=True, capture_output=True)


@pytest.fixture
def cloned(tmp_path):
    """A small course with a list of its notebooks, in a clone of ada's repository."""
    places = copy_small_course(tmp_path)
    (places.root / LIST).parent.mkdir(parents=True)
    git(places, "init", "--initial-branch", "work")
    git(places, "remote", "add", "origin", "git@github.com:ada/course.git")
    git(places, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    return places


def found(places):
    """The page that leads to the notebooks."""
    return render_find(places, [read_source(places.source(NAME))])


def course(places, *words):
    """What a command prints, or the error that it ends with."""
    ran = CliRunner().invoke(app, [*words, "--root", str(places.root)])
    if ran.exception:
        raise ran.exception
    return ran.stdout


@pytest.mark.parametrize(
    ("remote", "repository", "binder"),
    [
        ("https://github.com/ada/course.git", "ada/course", "gh/ada/course"),
        ("git@github.com:ada/course.git", "ada/course", "gh/ada/course"),
        ("https://token@github.com/ada/course", "ada/course", "gh/ada/course"),
        ("ssh://git@gitlab.com/g/sub/c.git", "g/sub/c", "gl/g%2Fsub%2Fc"),
    ],
)
def test_addresses_of_a_remote(remote, repository, binder):
    published = at_address(remote, "main")
    assert published.repository == repository
    assert published.on_binder().startswith(
        f"https://mybinder.org/v2/{binder}/HEAD?urlpath=lab%2Ftree"
    )


def test_an_address_elsewhere_is_explained_without_the_token():
    with pytest.raises(CourseError) as refused:
        at_address("https://ada:secret@example.org/course.git", "main")
    assert "example.org" in str(refused.value) and "secret" not in str(refused.value)


def test_colab_opens_nothing_from_gitlab():
    with pytest.raises(CourseError, match="Colab opens notebooks from GitHub"):
        Published("gitlab", "ada/course", "main").on_colab()


def test_links_come_from_origin_and_its_main_branch(cloned):
    assert of_origin(cloned) == ADA
    assert of_origin(cloned, "course-2026").branch == "course-2026"
    address, badge = course(cloned, "colab-link", "90").splitlines()
    assert address == f"{ON_COLAB}{NAME}.ipynb"
    assert badge.startswith("[![Open in Colab](https://") and badge.endswith(
        f"({address})"
    )
    assert "mybinder.org/v2/gh/ada/course" in course(cloned, "binder-link")
    git(cloned, "symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
    assert of_origin(cloned).branch == "work"
    git(cloned, "remote", "remove", "origin")
    with pytest.raises(CourseError, match="no git remote called origin"):
        course(cloned, "binder-link")


def test_unpublished_nothing_links_to_colab(cloned):
    build(cloned)
    assert not cloned.colab.exists() and read_published(cloned) is None
    built = [cloned.readme.read_text(), (cloned.root / LIST).read_text(), found(cloned)]
    assert not any("colab.research" in text for text in built)
    assert "mybinder.org/v2" not in built[0]


def test_published_the_build_makes_notebooks_links_and_badges(cloned):
    printed = course(cloned, "publish")
    assert "push them to main" in printed and f"colab/{NAME}.ipynb" in printed
    assert read_published(cloned) == ADA and not differences(cloned)
    readme = cloned.readme.read_text()
    assert f"[Colab]({ON_COLAB}{NAME}.ipynb) |" in readme
    assert "[![Open in Colab](" in readme and "[![Binder](" in readme
    assert f'href="{ON_COLAB}{NAME}.ipynb"' in found(cloned)
    [listed] = json.loads((cloned.root / LIST).read_text())
    assert (listed["number"], listed["link"]) == ("90", f"{ON_COLAB}{NAME}.ipynb")

    notebook = nbformat.read(cloned.colab / f"{NAME}.ipynb", as_version=4)
    nbformat.validate(notebook)
    first = notebook.cells[1]
    assert (first.id, first.cell_type) == (COLAB, "code")
    zipped = "https://github.com/ada/course/archive/refs/heads/main.zip"
    assert first.source.startswith("# @title") and f'"{zipped}"' in first.source
    assert not changes_since_build(notebook)
    text = "\n".join(e.source for e in notebook.cells if e.cell_type == "markdown")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert links and not [link for link in links if not link.startswith("https://")]

    cloned.published.unlink()
    assert any("nothing is published" in line for line in differences(cloned))


def test_a_damaged_file_is_explained(cloned):
    cloned.published.parent.mkdir(exist_ok=True)
    cloned.published.write_text('host = "github"\n')
    with pytest.raises(CourseError, match="write it with `course publish`"):
        build(cloned)


def test_links_between_notebooks_open_in_colab():
    cell = nbformat.v4.new_markdown_cell(
        "[next](../03_b/03_b.ipynb), [probes](../../docs/triage.md), "
        "[docs](https://example.org/a), [below](#b)"
    )
    cells = [nbformat.v4.new_markdown_cell("# 02"), cell]
    facts = {"course": {"name": "02_a"}}
    made = colab_version(
        nbformat.v4.new_notebook(cells=cells, metadata=facts), "a.whl", ADA
    )
    assert made.cells[2].source == (
        f"[next]({ON_COLAB}03_b.ipynb), "
        "[probes](https://github.com/ada/course/blob/main/docs/triage.md), "
        "[docs](https://example.org/a), [below](#b)"
    )
    assert len(cells) == 2


def test_a_grader_leaves_the_first_cell_out(cloned):
    course(cloned, "publish")
    path = cloned.colab / f"{NAME}.ipynb"
    handed_in = read_file(path.read_bytes(), read_limits())
    learners = nbformat.read(cloned.learner(NAME), as_version=4)
    sources = [each.source for each in handed_in.cells]
    assert not any("pip" in source for source in sources)
    assert len(sources) == len(learners.cells)


def test_without_notebooks_beside_it_the_map_is_the_package_s(tmp_path, monkeypatch):
    entries = course_map.read_entries(tmp_path)
    assert [entry.number for entry in entries][:3] == ["00", "01", "02"]
    assert {entry.path for entry in entries} == {""} and "<a" not in entries[0].linked
    facts = {"number": "02", "title": "a & b", "minutes": "5", "exercises": ["02/my_a"]}
    listed = tmp_path / "notebooks.json"
    listed.write_text(json.dumps([{**facts, "link": f"{ON_COLAB}02_a.ipynb"}]))
    monkeypatch.setattr(course_map, "LIST", listed)
    [entry] = course_map.read_entries(tmp_path)
    assert entry.linked == f'<a href="{ON_COLAB}02_a.ipynb">02 a &amp; b</a>'
