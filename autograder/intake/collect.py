"""Find every submission below a folder or in zips: whose, and for which notebook."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from autograder.intake.archives import printable
from autograder.intake.candidates import Candidate, examples, last_of_each, one_id_each
from autograder.intake.files import File, Files, TooLarge
from autograder.intake.owners import (
    EXAMPLE,
    Owner,
    check_student,
    compile_pattern,
    owners,
)
from autograder.intake.recognise import Recogniser, is_notebook_file
from autograder.places import CourseError, Places

STAMP = "timestamp.txt"  # nbgrader's, beside the notebook
MAX_STAMP = 100  # characters
PACKED = {".7z", ".bz2", ".gz", ".rar", ".tar", ".tgz", ".xz"}


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
    """The submissions by student and notebook, and a line for all that was left out."""

    submissions: tuple[Submission, ...]
    left_out: tuple[str, ...] = ()


def find_submissions(
    path: Path,
    places: Places,
    notebooks: Sequence[str] = (),
    pattern: str | None = None,
) -> Found:
    """Find every student's notebooks below a folder, in a zip or in zips.

    Nothing is written. Raises CourseError where it can't be told what counts: no such
    path, no notebook, names without a student, two students of one id, two different
    files of one student for one notebook, an archive that must not be opened.

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
    if not path.exists():
        raise CourseError(f"There is nothing at {path}. Name a folder or a zip.")
    known = Recogniser(places)
    candidates, others, left_out = _look(path, known)
    if not candidates:
        raise CourseError(
            f"There is no notebook in {path}: {_summary(others) or 'no other file'}. "
            "Name the folder or zip that holds the students' notebooks."
            + "".join(f"\n{line}" for line in left_out)
        )
    whose, of_others = owners(
        [each.file.parts for each in candidates],
        known.is_name,
        expression,
        others=[each.file.parts for each in others],
    )
    mine, lines = _attributed(candidates, whose, known)
    left_out += lines
    if not mine:
        raise CourseError(_nobodys(candidates))
    ours = [each for each in mine if each.notebook is not None]
    one_id_each(ours)
    asked = [each for each in ours if not wanted or each.notebook in wanted]
    if not asked:
        what = f"no {' or '.join(sorted(wanted))}" if ours else "none of this course"
        raise CourseError(
            f"Among {len(candidates)} notebooks in {path} there is {what}:\n"
            + examples(each.file.shown for each in candidates)
        )
    if len(asked) < len(ours):
        left_out.append(f"Notebooks not asked for: {len(ours) - len(asked)}.")
    chosen, lines = last_of_each(asked)
    left_out += lines
    with_one = {each.owner.student for each in mine}
    without = {each.student for each in of_others if each} - with_one
    left_out += [f"{printable(name)}: no notebook." for name in sorted(without)]
    if others:
        left_out.append(f"Not looked at: {_summary(others)}.")
    return Found(tuple(_submission(each, known) for each in chosen), tuple(left_out))


def _attributed(
    candidates: list[Candidate], whose: list[Owner | None], known: Recogniser
) -> tuple[list[Candidate], list[str]]:
    """The candidates with owner and notebook; a line for each that lacks one.

    Raises CourseError where a student's id can't be used.
    """
    mine, lines = [], []
    for each, owner in zip(candidates, whose, strict=True):
        if owner is None:
            lines.append(f"{each.file.shown}: its name does not tell whose it is.")
            continue
        check_student(owner, each.file.shown)
        name = each.told or known.by_name(owner.below)
        if name is None:
            lines.append(f"{each.file.shown}: no notebook of this course.")
        stamp = each.timestamp or owner.timestamp
        mine.append(replace(each, owner=owner, notebook=name, timestamp=stamp))
    return mine, lines


def _look(
    path: Path, known: Recogniser
) -> tuple[list[Candidate], list[Candidate], list[str]]:
    """Read every notebook once; return notebooks, other files and notes."""
    notebooks, others, stamps = [], [], {}
    files = Files(path)
    for file, read in files:
        if not is_notebook_file(file.name) and file.name != STAMP:
            others.append(Candidate(file, "", None))
            if PurePosixPath(file.name.lower()).suffix in PACKED:
                files.notes.append(f"{file.shown}: only zips are opened; unpack it.")
            continue
        try:
            data = read()
        except TooLarge as error:  # one student's file need not stop the others
            files.notes.append(str(error))
            continue
        if file.name == STAMP:
            text = data[:MAX_STAMP].decode(errors="replace")
            stamps[file.folder] = printable(text.strip())
        else:
            digest = hashlib.sha256(data).hexdigest()
            notebooks.append((file, digest, known.by_content(data)))
    found = [
        Candidate(file, digest, told, timestamp=stamps.get(file.folder) or None)
        for file, digest, told in notebooks
    ]
    return sorted(found, key=lambda each: each.file.shown), others, files.notes


def _submission(chosen: Candidate, known: Recogniser) -> Submission:
    owner, notes = chosen.owner, []
    named = known.by_name(owner.below)
    if named != chosen.notebook:
        was = printable("/".join(owner.below))
        notes.append(f"was named {was}; recognised by its content")
    if owner.late:
        notes.append(f"handed in late, says {owner.system}")
    return Submission(
        owner.student,
        chosen.notebook,
        chosen.file.shown,
        chosen.file,
        owner.lms_id,
        chosen.timestamp,
        tuple(notes),
    )


def _nobodys(candidates: list[Candidate]) -> str:
    return (
        "These names do not tell whose the notebooks are:\n"
        + examples("/".join(each.file.parts) for each in candidates)
        + "\nPut each student's notebooks in a folder named after the student, or give "
        "a --pattern, a regular expression with a group named student: for "
        f"s01_homework.ipynb it is --pattern '{EXAMPLE}'"
    )


def _summary(others: list[Candidate]) -> str:
    """How many other files there are, by their kind."""
    kinds = Counter(PurePosixPath(c.file.name).suffix.lower() for c in others)
    ordered = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
    parts = [f"{n} {printable(kind) or 'without ending'}" for kind, n in ordered]
    files = "file" if len(others) == 1 else "files"
    return f"{len(others)} other {files} ({', '.join(parts)})" if others else ""
