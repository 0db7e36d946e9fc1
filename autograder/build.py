"""Build the solution notebooks, the learner's, the README's tables and docs/."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import nbformat
from nbformat import NotebookNode, v4

from autograder.claims import render_claims
from autograder.colab import colab_version
from autograder.edits import refuse_to_lose
from autograder.elsewhere_page import render_elsewhere
from autograder.field import read_field
from autograder.grading.outages import locked_error
from autograder.notebook_list import LIST, facts_of, notebook_list
from autograder.pages import pages
from autograder.places import CourseError, Places
from autograder.published import Published, read_published
from autograder.render import render_end, render_header, render_readme
from autograder.source import Cell, Source, read_source
from autograder.stamp import set_stamp
from course.whole_files import write_whole

KERNEL = {
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}

LOCKED = "database is locked"  # SQLite's words
NOT_BUILT = {"points", "key", "thumbnail"}  # of a cell: not for notebooks


@dataclass(frozen=True)
class Built:
    """What one build wrote, or would write: a file and its bytes."""

    path: Path
    content: bytes

    @property
    def differs(self) -> bool:
        """Whether the file on disk is another."""
        return not self.path.is_file() or self.path.read_bytes() != self.content

    def write(self) -> None:
        """Replace the file in one go, so that a crash never leaves half of it."""
        write_whole(self.path, self.content)


def solution_notebook(
    source: Source, claims: Path, following: Source | None = None
) -> NotebookNode:
    """The solution notebook of a source: rendered cells, nbgrader's marks, no outputs.

    Takes the source, the path of documents.toml, the source of the next notebook.
    """
    cells = [_markdown("header", render_header(source.header), {"role": "header"})]
    cells += [_cell(each, source, claims) for each in source.cells]
    cells.append(_markdown("end", render_end(source, following), {}))
    facts = {"name": source.name, "version": "solution", **facts_of(source)}
    metadata = {**KERNEL, "course": facts}
    notebook = v4.new_notebook(cells=cells, metadata=metadata)
    notebook.nbformat_minor = 5
    set_stamp(notebook)
    return notebook


def _markdown(cell_id: str, text: str, keys: dict) -> NotebookNode:
    return v4.new_markdown_cell(text, id=cell_id, metadata=keys)


def _cell(cell: Cell, source: Source, claims: Path) -> NotebookNode:
    keys = {k: v for k, v in cell.keys.items() if k not in NOT_BUILT}
    if cell.kind == "markdown":
        text = cell.text
        if cell.role == "claims":
            text = f"{text}\n\n{render_claims(claims, source.header.number)}".lstrip()
        if cell.role == "elsewhere":
            text = f"{text}\n\n{render_elsewhere(source)}".lstrip()
        return _markdown(cell.id, text, keys)
    if cell.kind != "code":
        raise CourseError(f"{source.path}: a {cell.kind} cell has no place here.")
    if cell.role == "check":
        keys["tags"] = sorted({*keys.get("tags", []), "raises-exception"})
    if cell.role != "edit" and not cell.keys.get("solution_only"):
        keys["nbgrader"] = {
            "grade": cell.role == "check",
            "grade_id": cell.id,
            "locked": cell.role != "fix",
            "schema_version": 3,
            "solution": cell.role == "fix",
            "task": False,
        }
        if cell.role == "check":
            keys["nbgrader"]["points"] = cell.keys["points"]
    return v4.new_code_cell(cell.text, id=cell.id, metadata=keys)


def as_bytes(notebook: NotebookNode) -> bytes:
    """A notebook as it stands on disk."""
    return (nbformat.writes(notebook).rstrip("\n") + "\n").encode()


def build(
    places: Places, names: list[str] | None = None, gradebook: Path | None = None
) -> list[Path]:
    """Build the named notebooks (all by default) and return the files that changed.

    Nothing is written where a notebook holds edits that would be lost: CourseError
    then shows them. `gradebook` is the database that nbgrader records the cells in.
    """
    built = render(places, names, gradebook or places.gradebook)
    for each in built:
        if each.path.suffix == ".ipynb" and each.path.is_file():
            refuse_to_lose(each.path, each.content, places)
    changed = [each for each in built if each.differs]
    for each in changed:
        each.write()
    return [each.path for each in changed]


def differences(places: Places) -> list[str]:
    """What a build from the sources would change, a sentence per file; writes nothing.

    Builds with a gradebook of its own. Knows notebooks that have no source, too.
    """
    with tempfile.TemporaryDirectory(prefix="course-build-") as folder:
        built = render(places, None, Path(folder) / "gradebook.db")
    expected = {each.path for each in built}
    found = [
        f"{each.path.relative_to(places.root)} "
        + ("is not what its source builds" if each.path.is_file() else "is not built")
        for each in built
        if each.differs
    ]
    strays = places.colab.glob("*.ipynb")
    found += [
        f"{path.relative_to(places.root)} has no source, or nothing is published"
        for path in sorted(strays)
        if path not in expected
    ]
    for folder in (places.solutions, places.notebooks):
        for path in sorted(folder.glob("[0-9][0-9]_*/*")):
            stray = path.suffix == ".ipynb" and path not in expected
            if stray or (path.suffix == ".py" and folder == places.notebooks):
                found.append(f"{path.relative_to(places.root)} has no source")
    return found


def render(places: Places, names: list[str] | None, gradebook: Path) -> list[Built]:
    """Everything that a build writes, without writing it into the course."""
    everything = [read_source(places.source(name)) for name in places.names()]
    following = {a.name: b for a, b in pairwise(everything)}
    chosen = [each for each in everything if names is None or each.name in names]
    if not chosen:
        raise CourseError(f"There is no notebook to build in {places.solutions}.")
    built = []
    with tempfile.TemporaryDirectory(prefix="course-build-") as folder:
        workshop = Places(Path(folder).resolve())
        for source in chosen:
            after = following.get(source.name)
            notebook = as_bytes(solution_notebook(source, places.claims, after))
            built.append(Built(places.solution(source.name), notebook))
            shutil.copytree(
                places.solutions / source.name,
                workshop.source(source.name).parent,
                ignore=shutil.ignore_patterns("*.ipynb", ".*"),
            )
            workshop.solution(source.name).write_bytes(notebook)
        generate(workshop, [each.name for each in chosen], gradebook)
        for path in sorted(workshop.notebooks.rglob("*")):
            if path.is_file():
                place = places.root / path.relative_to(workshop.root)
                built.append(Built(place, path.read_bytes()))
    published = read_published(places)
    if published and published.has_colab:
        built += [*_for_colab(built, places, published)]
    built += [Built(path, text.encode()) for path, text in _pages(places, everything)]
    return built


def _for_colab(
    built: Sequence[Built], places: Places, published: Published
) -> Iterator[Built]:
    """The learner's notebooks among what was built, as Colab opens them."""
    for each in built:
        if each.path.suffix == ".ipynb" and each.path.is_relative_to(places.notebooks):
            learners = nbformat.reads(each.content.decode(), as_version=4)
            made = colab_version(learners, published.archive, published)
            yield Built(places.colab / each.path.name, as_bytes(made))


def _pages(places: Places, sources: list[Source]) -> Iterator[tuple[Path, str]]:
    """All that is built of all sources: the README, the list, the pages in docs/."""
    published = read_published(places)
    if places.readme.is_file():
        text = places.readme.read_text(encoding="utf-8")
        threads = read_field(places)
        yield places.readme, render_readme(text, sources, threads, published)
    if (places.root / LIST).parent.is_dir():
        yield places.root / LIST, notebook_list(sources, published)
    yield from pages(places, sources)


def generate(places: Places, names: list[str], gradebook: Path) -> None:
    """Let nbgrader make the learner's notebooks and record them in the gradebook."""
    from nbgrader.apps import NbGraderAPI

    from autograder.nbgrader_settings import settings

    gradebook.parent.mkdir(parents=True, exist_ok=True)
    api = NbGraderAPI(config=settings(places.root, gradebook))
    for name in names:
        result = api.generate_assignment(name, force=True, create=True)
        if not result["success"]:
            if LOCKED in f"{result.get('log')}{result.get('error')}":
                cause = sqlite3.OperationalError(LOCKED)  # nbgrader keeps its text only
                raise locked_error(gradebook) from cause
            raise CourseError(_why(result, name, gradebook))


def _why(result: dict, name: str, gradebook: Path) -> str:
    log = f"{result.get('log', '')}\n{result.get('error', '')}"
    if "submissions associated" in log:
        return (
            f"{name}: its graded cells changed, but {gradebook} holds submissions for "
            "the old ones. Finish grading them with the old version, or move that file "
            "away (it holds the grades) and build again."
        )
    lines = "\n".join(log.strip().splitlines()[-15:])
    return f"nbgrader could not generate {name}:\n{lines}"
