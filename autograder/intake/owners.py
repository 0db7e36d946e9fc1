"""Tell from folders and file names whose notebook a file is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograder.intake.ids import as_id
from autograder.places import CourseError

Parts = tuple[str, ...]
EXAMPLE = "(?P<student>[^_]+)_.*"

# Canvas: user's name, then its numbers of the user and of the upload. Only what stands
# before the numbers is Canvas's; the rest is the learner's own file name.
ANONYMOUS = re.compile(
    r"((?i:(?P<late>late))_)?(?P<student>anon_(?P<lms_id>[^\W_]+))"
    r"_(?P<upload>\d{3,})_(?P<name>.+)"
)
CANVAS = re.compile(
    r"(?P<student>\w+?)(_(?i:(?P<late>late)))?_(?P<lms_id>\d+)"
    r"_(?P<upload>\d{3,})_(?P<name>.+)"
)
# Moodle: a folder for each student, or the same text before each file's name. There is
# no other "_" in the student's name; a group may have no number.
MOODLE = re.compile(
    r"(?P<student>[^_]+)(_(?P<lms_id>\d+))?_assignsubmission_file(_(?P<name>.*))?"
)
HIDDEN_NAME = "participant"  # Moodle's, for everyone, where names are hidden


@dataclass(frozen=True)
class Owner:
    """Whose a file is.

    student: the student's id.
    said: the name as it was written; two that give one id are two students.
    below: the names that the learner chose: folders, then the file's.
    lms_id: the number that the export gives, where it does.
    system: "Canvas" or "Moodle", or nothing.
    export: the folders above; Moodle's numbers are the same only within one export.
    late: whether the export says so.
    upload: rises with each upload to Canvas.
    timestamp: as the pattern found it in the name.
    """

    student: str
    said: str
    below: Parts
    lms_id: str | None = None
    system: str = ""
    export: Parts = ()
    late: bool = False
    upload: int | None = None
    timestamp: str | None = None


def owners(
    notebooks: Sequence[Parts],
    is_notebook_name: Callable[[str], bool],
    pattern: re.Pattern | None = None,
    others: Sequence[Parts] = (),
) -> tuple[list[Owner | None], list[Owner | None]]:
    """Tell whose each of these files is; None where nothing says it.

    The layout is told from all notebooks at once and from the outermost names, which
    the instructor or an LMS wrote: what a learner calls a file says nothing here.
    Other files follow the notebooks' layout.
    """
    paths, count = [*notebooks, *others], len(notebooks)
    found: list[Owner | None] = [None] * len(paths)
    if pattern:
        found = [_from_pattern(parts, pattern) for parts in paths]
        return found[:count], found[count:]
    waiting, depth = list(range(len(paths))), 0
    while waiting:
        below = []
        for each in waiting:
            found[each] = _from_lms(paths[each], depth)
            if found[each] is None and len(paths[each]) > depth + 1:
                below.append(each)
        inside = [paths[each] for each in below if each < count]
        alone = len(inside) == sum(each < count for each in waiting)
        wraps = inside and _only_wraps(inside, depth, alone, is_notebook_name)
        wrappers = {parts[depth] for parts in inside} if wraps else set()
        waiting = []
        for each in below:
            if paths[each][depth] in wrappers:
                waiting.append(each)
                continue
            said = paths[each][depth]
            found[each] = Owner(as_id(said), said, paths[each][depth + 1 :])
        depth += 1
    return found[:count], found[count:]


def compile_pattern(text: str | None) -> re.Pattern | None:
    """The --pattern as a person wrote it; raises CourseError where it can't serve."""
    if text is None:
        return None
    example = f"An example: --pattern '{EXAMPLE}'"
    try:
        pattern = re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise CourseError(
            f"--pattern {text!r} is no regular expression: {error}. {example}"
        ) from None
    if "student" not in pattern.groupindex:
        raise CourseError(
            f"--pattern {text!r} has no group (?P<student>...). {example}"
        )
    return pattern


def _only_wraps(
    paths: Sequence[Parts],
    depth: int,
    alone: bool,
    is_notebook_name: Callable[[str], bool],
) -> bool:
    """Whether the folders at this depth are no students but stand around them.

    `alone` tells that no notebook stands beside these folders.
    """
    folders = {parts[depth] for parts in paths}
    if all(is_notebook_name(name) for name in folders):
        return True  # one folder or zip for each notebook
    if all(_from_lms(parts, depth + 1) for parts in paths):
        return True  # one export or several
    if len(folders) > 1 or not alone:
        return False
    # one folder: it is the student's, unless there are students further inside
    inside, first = depth + 1, paths[0]
    while all(len(p) > inside + 1 and p[inside] == first[inside] for p in paths):
        if is_notebook_name(first[inside]):
            return inside > depth + 1
        if _from_lms(first, inside):
            return True
        inside += 1
    if all(_from_lms(parts, inside) for parts in paths):
        return True
    if any(len(parts) == inside + 1 for parts in paths):
        return False
    notebooks = any(is_notebook_name(parts[inside]) for parts in paths)
    return not notebooks or inside > depth + 1


def _from_lms(parts: Parts, depth: int) -> Owner | None:
    """Read what Canvas or Moodle put before the learner's own name."""
    text, below = parts[depth], parts[depth + 1 :]
    if found := MOODLE.fullmatch(text):
        said, number = found["student"].strip(), found["lms_id"]
        student = _safe(said)
        if student.lower() == HIDDEN_NAME and number:
            student = said = f"{student}_{number}"
        own = (found["name"],) if found["name"] else ()
        return Owner(student, said, own + below, number, "Moodle", parts[:depth])
    if found := ANONYMOUS.fullmatch(text) or CANVAS.fullmatch(text):
        return Owner(
            as_id(found["student"]),
            found["student"],
            (found["name"], *below),
            found["lms_id"],
            "Canvas",
            parts[:depth],
            found["late"] is not None,
            int(found["upload"]),
        )
    return None


def _from_pattern(parts: Parts, pattern: re.Pattern) -> Owner | None:
    # outermost first: the names deeper inside are the learner's own
    every = [pattern.match(text) for text in (*parts, "/".join(parts))]
    found = next((each for each in every if each and each["student"]), None)
    if found is None:
        return None
    named = found.groupdict()
    said = named["student"].strip()
    return Owner(
        re.sub(r"\s+", "_", as_id(said)),
        said,
        parts[-1:],
        named.get("lms_id"),
        timestamp=named.get("timestamp"),
    )


def _safe(name: str) -> str:
    """A person's name as an id: blanks and signs become "_"."""
    text = unicodedata.normalize("NFC", name)
    return re.sub(r"[^\w.@-]+", "_", text).strip("_.-")
