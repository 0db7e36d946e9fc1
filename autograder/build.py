"""Build the solution notebooks, the learner's, the README's tables and docs/."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import nbformat
from nbformat import NotebookNode, v4

from autograder.claims import render_claims
from autograder.edits import refuse_to_lose
from autograder.elsewhere_page import render_elsewhere
from autograder.field import read_field
from autograder.pages import pages
from autograder.places import CourseError, Places
from autograder.render import minutes, render_end, render_header, render_readme
from autograder.source import Cell, Source, checked_exercise, read_source
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
    metadata = {
        **KERNEL,
        "course": {
            "name": source.name,
            "version": "solution",
            "number": source.header.number,
            "title": source.header.title,
            "minutes": minutes(source.header).replace(" minutes", "", 1),
            "exercises": [
                checked_exercise(each.text)
                for each in source.cells
                if each.role == "check"
            ],
        },
    }
    notebook = v4.new_notebook(cells=cells, metadata=metadata)
    notebook.nbformat_minor = 5
    set_stamp(notebook)
    return notebook


def _markdown(cell_id: str, text: str, keys: dict) -> NotebookNode:
    return v4.new_markdown_cell(text, id=cell_id, metadata=keys)


def _cell(cell: Cell, source: Source, claims: Path) -> NotebookNode:
    keys = {k: v for k, v in cell.keys.items() if k not in ("points", "key")}
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
    if places.readme.is_file():
        text = places.readme.read_text(encoding="utf-8")
        built.append(
            Built(
                places.readme,
                render_readme(text, everything, read_field(places)).encode(),
            )
        )
    built += [Built(path, text.encode()) for path, text in pages(places, everything)]
    return built


def generate(places: Places, names: list[str], gradebook: Path) -> None:
    """Let nbgrader make the learner's notebooks and record them in the gradebook."""
    from nbgrader.apps import NbGraderAPI

    from autograder.nbgrader_settings import settings

    gradebook.parent.mkdir(parents=True, exist_ok=True)
    api = NbGraderAPI(config=settings(places.root, gradebook))
    for name in names:
        result = api.generate_assignment(name, force=True, create=True)
        if not result["success"]:
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
