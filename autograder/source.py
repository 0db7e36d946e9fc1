"""Read the hand-edited text of a notebook: its header and its cells."""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import jupytext
import yaml

from autograder.places import CourseError
from course.checks.exercises import broken_name_of

ROLES = {
    "start",
    "setup",
    "broken",
    "fix",
    "edit",
    "check",
    "claims",
    "elsewhere",
    "hint",
    "jobs",  # stands for the cells of jobs that are composed
}
JOBS = '# %% role="jobs"\n'  # the cell that stands for jobs that are composed
BEATS = {
    "symptom",
    "predict",
    "observe",
    "locate",
    "fix",
    "confirm",
    "aside",
    "further",
}
KEYS = {
    "role",
    "exercise",
    "points",
    "beat",
    "key",
    "solution_only",
    "tags",
    "jupyter",
    "thumbnail",
    "value",
}


WHOLE, BOX = "0 0 100 100", r"\d+ \d+ \d+ \d+(, \d+ \d+ \d+ \d+)*"


class SourceError(CourseError):
    """A notebook's source can't be built; the message says where and why."""


@dataclass(frozen=True)
class Header:
    """The facts of a notebook that stand once, in its YAML header."""

    number: str
    title: str
    part: int
    core: int
    further: tuple[int, ...]
    symptoms: tuple[str, ...]
    cause: str
    probe: str
    fix: str


@dataclass(frozen=True)
class Cell:
    """One cell of a source: its stable id, its kind, its text and its keys."""

    id: str
    kind: str
    text: str
    keys: dict

    @property
    def role(self) -> str | None:
        """The part this cell plays, or None."""
        return self.keys.get("role")


@dataclass(frozen=True)
class Source:
    """A notebook as its author wrote it."""

    path: Path
    header: Header
    cells: tuple[Cell, ...]

    @property
    def name(self) -> str:
        """The notebook's name, such as 02_replicas_drift_apart."""
        return self.path.stem

    @property
    def exercises(self) -> tuple[str, ...]:
        """The exercises in the order of their checks, such as 02/my_step."""
        return tuple(
            checked_exercise(cell.text) for cell in self.cells if cell.role == "check"
        )


def checked_exercise(code: str) -> str | None:
    """The exercise that a check cell's code names, or None where it names none."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Name(id="check"),
                args=[ast.Constant(value=str(exercise)), *_],
            ):
                return exercise
    return None


def read_source(path: Path) -> Source:
    """Read and verify solutions/NN/NN.py; raises SourceError where it is not sound."""
    return parse_source(path.read_text(encoding="utf-8"), path)


def read_header(path: Path) -> Header:
    """Read the header alone; raises SourceError where it is not sound."""
    return _header(split_header(path.read_text(encoding="utf-8"), path)[0], path)


@functools.lru_cache(maxsize=64)  # one command reads a source many times
def parse_source(text: str, path: Path) -> Source:
    """Verify a source's text, `path` naming it; SourceError where it is not sound."""
    yaml_text, body = split_header(text, path)
    header = _header(yaml_text, path)
    body = _with_jobs(body, header)
    notebook = jupytext.reads(body, fmt="py:percent")
    source = Source(path, header, tuple(_cells(notebook.cells, path)))
    _verify(source)
    return source


def _with_jobs(body: str, header: Header) -> str:
    """Put the text of composed jobs in the place of the cell that stands for them."""
    if JOBS not in body:
        return body
    from autograder.drawn_jobs import drawn_in
    from autograder.job_cells import job_cells

    try:
        return body.replace(JOBS, job_cells(header.number, **drawn_in(body)) + "\n")
    except (TypeError, ValueError) as error:
        raise SourceError(f"The jobs can't be composed: {error}") from error


def split_header(text: str, path: Path) -> tuple[str, str]:
    """Cut a source into its YAML header (without comment marks) and the rest."""
    found = re.match(r"# ---\n((?:#.*\n)*?)# ---\n", text)
    if found is None:
        raise SourceError(
            f"{path}: the YAML header is missing. The file must begin with a line "
            '"# ---", the header in comments, and another line "# ---".'
        )
    lines = found.group(1).splitlines()
    yaml_text = "\n".join(re.sub(r"^# ?", "", line) for line in lines)
    return yaml_text, text[found.end() :].lstrip("\n")


def _header(yaml_text: str, path: Path) -> Header:
    try:
        facts = yaml.safe_load(yaml_text)["course"]
        return Header(
            number=str(facts["number"]),
            title=str(facts["title"]),
            part=int(facts["part"]),
            core=int(facts["minutes"]["core"]),
            further=tuple(int(each) for each in facts["minutes"].get("further") or ()),
            symptoms=tuple(str(each) for each in facts["symptoms"]),
            cause=str(facts["in_a_hurry"]["cause"]).strip(),
            probe=str(facts["in_a_hurry"]["probe"]).strip(),
            fix=str(facts["in_a_hurry"]["fix"]).strip(),
        )
    except yaml.YAMLError as error:
        raise SourceError(f"{path}: the header is no YAML: {error}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise SourceError(
            f"{path}: the header's `course` part is incomplete or has a wrong type at "
            f"{error}. It needs number, title, part, minutes (core, further), symptoms "
            "and in_a_hurry (cause, probe, fix)."
        ) from error


def _cells(cells: list, path: Path) -> list[Cell]:
    used: Counter = Counter()
    result = []
    for place, cell in enumerate(cells, start=1):
        keys = {k: v for k, v in cell.metadata.items() if not k.startswith("lines_to_")}
        where = f"{path}, cell {place} ({cell.source.strip()[:40]!r})"
        unknown = sorted(set(keys) - KEYS)
        if unknown:
            raise SourceError(
                f"{where}: unknown key {unknown[0]!r}. Known: {', '.join(sorted(KEYS))}"
            )
        for key, known in (("role", ROLES), ("beat", BEATS)):
            if keys.get(key) not in (known | {None}):
                raise SourceError(
                    f"{where}: unknown {key} {keys[key]!r}. Known: "
                    f"{', '.join(sorted(known))}."
                )
        if keys.get("role") == "check":
            exercise = checked_exercise(cell.source)
            if exercise is None or len(cell.source.splitlines()) != 1:
                raise SourceError(
                    f"{where}: a check cell is one line such as "
                    'check("02/my_step", my_step)'
                )
            if not isinstance(keys.get("points"), int):
                raise SourceError(f"{where}: a check cell needs its points (a number).")
            keys["exercise"] = exercise.partition("/")[2]
        if not re.fullmatch(BOX, keys.get("thumbnail", WHOLE)):
            raise SourceError(
                f"{where}: thumbnail is the part of the picture that is shown, in "
                f'percent: left, top, right, bottom, such as "{WHOLE}"; or several '
                f'parts with ", " between them, that are put side by side'
            )
        slug = _slug(cell.cell_type, keys)
        used[slug] += 1
        named = used[slug] == 1 and ("key" in keys or "role" in keys)
        cell_id = slug if named else f"{slug}-{used[slug]:02d}"
        result.append(Cell(cell_id, cell.cell_type, cell.source, keys))
    return result


def _slug(kind: str, keys: dict) -> str:
    if "key" in keys:
        slug = keys["key"]
    elif {"role", "exercise"} <= set(keys):
        slug = f"{keys['exercise']}-{keys['role']}"
    else:
        slug = keys.get("role") or ("text" if kind == "markdown" else "code")
    return re.sub(r"[^A-Za-z0-9_-]+", "-", str(slug))[:56]


def _verify(source: Source) -> None:
    """Refuse a source whose cells contradict each other."""
    number = source.header.number
    if not source.name.startswith(f"{number}_"):
        raise SourceError(
            f"{source.path}: the header says number {number}, the file's name does not."
        )
    if len(source.header.symptoms) < 2:
        raise SourceError(f"{source.path}: the header needs two symptoms or more.")
    broken = {c.keys.get("exercise"): c for c in source.cells if c.role == "broken"}
    for cell in source.cells:
        exercise = cell.keys.get("exercise")
        if cell.role in ("broken", "fix") and not str(exercise).startswith("my_"):
            raise SourceError(
                f"{source.path}, cell {cell.id}: a {cell.role} cell needs its "
                'exercise="my_...".'
            )
        value = cell.keys.get("value")
        if cell.role == "fix" and exercise not in broken and not value:
            raise SourceError(
                f"{source.path}, cell {cell.id}: no cell with role=broken and "
                f'exercise="{exercise}" to derive the learner\'s cell from.'
            )
        name = {"fix": str(exercise), "broken": broken_name_of(str(exercise))}
        wanted = name.get(cell.role or "")
        if wanted and not re.search(rf"\b{wanted}\b", cell.text):
            raise SourceError(
                f"{source.path}, cell {cell.id}: it must define {wanted}."
            )
    repeated = [each for each, n in Counter(source.exercises).items() if n > 1]
    foreign = [each for each in source.exercises if not each.startswith(f"{number}/")]
    if repeated or foreign:
        raise SourceError(
            f"{source.path}: exercise {(repeated + foreign)[0]!r} is checked twice or "
            f"does not begin with {number}/."
        )
    ids = Counter(cell.id for cell in source.cells)
    if max(ids.values(), default=0) > 1:
        raise SourceError(
            f"{source.path}: two cells have the id {max(ids, key=ids.get)!r}"
        )
