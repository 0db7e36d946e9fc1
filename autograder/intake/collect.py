"""Find every submission below a folder or in zips: whose, and for which notebook."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from autograder.intake.archives import printable
from autograder.intake.candidates import Candidate, examples, names_of
from autograder.intake.files import File
from autograder.intake.held_back import HeldBack
from autograder.intake.ids import plain_id
from autograder.intake.looking import Seen, look
from autograder.intake.owners import EXAMPLE, compile_pattern
from autograder.intake.recognise import Recogniser
from autograder.intake.sorting import may_count, sort_out
from autograder.places import CourseError, Places


@dataclass(frozen=True)
class Submission:
    """One student's notebook as it was handed in.

    student, notebook: as in nbgrader's folders.
    origin: which file in which archive, for people.
    file: where it is read from.
    lms_id: the student's number in Canvas, in Moodle's export, or from --pattern.
    timestamp: the text of timestamp.txt beside it.
    notes: what a person should know, such as a name that was wrong.
    """

    student: str
    notebook: str
    origin: str
    file: File = field(repr=False)
    lms_id: str | None = None
    timestamp: str | None = None
    notes: tuple[str, ...] = ()

    def read(self) -> bytes:
        """Its content, read anew at each call."""
        return self.file.read()


@dataclass(frozen=True)
class Found:
    """What was handed in.

    submissions: by student and notebook.
    left_out: a line for each harmless thing: other files, older uploads.
    held_back: what can't be graded before its instructor has looked at it.
    """

    submissions: tuple[Submission, ...]
    left_out: tuple[str, ...] = ()
    held_back: tuple[HeldBack, ...] = ()


def find_submissions(
    path: Path,
    places: Places,
    notebooks: Sequence[str] = (),
    pattern: str | None = None,
) -> Found:
    """Find every student's notebooks below a folder, in a zip or in zips.

    Nothing is written. What is odd holds back its own student, and all of it is told
    at once. Raises CourseError for what is nobody's own: no such path, no notebook
    of this course in it, a pattern that can't serve, no name that tells whose a
    notebook is.

    Args:
        path: A folder or a zip. In it stand STUDENT/NOTEBOOK/NOTEBOOK.ipynb,
            STUDENT/anything.ipynb, STUDENT.zip, an export of Canvas or Moodle (as it
            came, or unpacked), or files whose names fit `pattern`.
        places: The course; its learner versions tell notebooks by their content.
        notebooks: Take only these; number, name or path.
        pattern: A regular expression with the group `student` (and, where wanted,
            `lms_id` and `timestamp`), matched with the beginning of each name
            in a file's path, outermost first, or else of the whole path.
    """
    wanted = {places.find(name) for name in notebooks}
    expression = compile_pattern(pattern)
    if not os.path.exists(path):
        what_next = "Name a folder or a zip."
        if os.path.basename(path) == "submitted":
            what_next = "Of a workshop: Collect first (`course workshop collect`)."
        raise CourseError(f"There is nothing at {path}. {what_next}")
    known = Recogniser(places)
    seen = look(path, known, expression)
    _check_any(path, seen, wanted)
    found = sort_out(seen, wanted)
    left_out = [*found.lines]
    if seen.others:
        left_out.append(f"Not looked at: {_summary(name for _, name in seen.others)}.")
    return Found(
        tuple(_submission(each, known) for each in found.chosen),
        tuple(left_out),
        tuple(found.held),
    )


def _check_any(path: Path, seen: Seen, wanted: set[str]) -> None:
    """Raise CourseError where there is nothing of anybody."""
    every = seen.candidates
    if not every:
        names = [
            *(name for _, name in seen.others),
            *(p.file.name for p in seen.doors),
        ]
        lines = [
            *seen.lines,
            *(f"{p.file.shown}: {p.trouble.why}." for p in seen.doors),
        ]
        raise CourseError(
            f"There is no notebook in {path}: {_summary(names) or 'no other file'}. "
            "Name the folder or zip that holds the students' notebooks."
            + "".join(f"\n{line}" for line in lines)
        )
    mine = [each for each in every if each.owner]
    if not mine:
        raise CourseError(_nobodys(every))
    if not any(may_count(each, wanted) for each in mine):
        ours = any(each.notebook for each in mine)
        what = f"no {' or '.join(sorted(wanted))}" if ours else "none of this course"
        raise CourseError(
            f"Among {len(every)} notebooks in {path} there is {what}:\n"
            + examples(each.file.shown for each in every)
        )


def _submission(chosen: Candidate, known: Recogniser) -> Submission:
    owner, notes = chosen.owner, []
    named = known.by_name(names_of(owner))
    if named != chosen.notebook:
        was = printable("/".join(owner.below))
        notes.append(f"was named {was}; recognised by its content")
    if owner.late:
        notes.append(f"handed in late, says {owner.system}")
    if not plain_id(owner.student, owner.said) and not owner.system:
        notes.append(f'its name was written "{printable(owner.said)}"')
    return Submission(
        owner.student,
        chosen.notebook,
        chosen.file.shown,
        chosen.file,
        owner.lms_id,
        chosen.timestamp,
        (*notes, *chosen.notes),
    )


def _nobodys(candidates: list[Candidate]) -> str:
    return (
        "These names do not tell whose the notebooks are:\n"
        + examples("/".join(each.file.parts) for each in candidates)
        + "\nPut each student's notebooks in a folder named after the student, or give "
        "a --pattern, a regular expression with a group named student: for "
        f"s01_homework.ipynb it is --pattern '{EXAMPLE}'"
    )


def _summary(others: Iterable[str]) -> str:
    """How many other files there are, by their kind."""
    kinds = Counter(PurePosixPath(name).suffix.lower() for name in others)
    ordered = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    parts = [f"{n} {printable(kind) or 'without ending'}" for kind, n in ordered]
    number = kinds.total()
    files = "file" if number == 1 else "files"
    return f"{number} other {files} ({', '.join(parts)})" if number else ""
