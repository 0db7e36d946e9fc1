"""Which files are graded, which wait for the instructor, and which are left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from autograder.intake.archives import printable
from autograder.intake.candidates import Candidate, last_of_each
from autograder.intake.held_back import HeldBack, sentence
from autograder.intake.looking import Seen
from autograder.intake.people import odd_people

NOBODYS = (
    "Its name does not tell whose it is: put it into a folder named after its student, "
    "or give a --pattern that finds the id."
)
UNKNOWN = (
    "It is no notebook of this course, by its name or its content: look into it, and "
    "give it the notebook's name if it is one."
)

NO_NOTEBOOK = (
    "No notebook was handed in, only other files: ask for the file that ends with "
    ".ipynb."
)


@dataclass(frozen=True)
class Sorted:
    """What is graded, what is held back, and a line for all the rest."""

    chosen: list[Candidate]
    held: list[HeldBack]
    lines: list[str]


def may_count(each: Candidate, wanted: set[str]) -> bool:
    """Whether a file is a wanted notebook (any, if none is named), or may be one."""
    if each.notebook is None:
        return each.trouble is not None
    return not wanted or each.notebook in wanted


def sort_out(seen: Seen, wanted: set[str]) -> Sorted:
    """Sort the files; what is odd about one student touches nobody else."""
    held, lines = [], list(seen.lines)
    for each in seen.candidates:
        if each.owner is None and may_count(each, wanted):
            held.append(each.held(_of(each) if each.trouble else NOBODYS))
        elif each.owner is None:
            lines.append(f"{each.file.shown}: its name does not tell whose it is.")
    mine = [each for each in seen.candidates if each.owner]
    ours = [each for each in mine if may_count(each, set())]
    more_held, more_lines = _without_any(mine, ours, seen.doors)
    held, lines = held + more_held, lines + more_lines
    odd = odd_people(ours)
    asked = [each for each in ours if may_count(each, wanted)]
    if len(asked) < len(ours):
        lines.append(f"Notebooks not asked for: {len(ours) - len(asked)}.")
    held += [
        each.held(_of(each) if each.trouble else odd[each])
        for each in asked
        if each in odd
    ]
    sure = [each for each in asked if each not in odd]
    unknown = [each for each in sure if each.notebook is None]
    held += [each.held(_of(each)) for each in unknown]
    chosen, more_lines, more_held = last_of_each([c for c in sure if c.notebook])
    lines += more_lines
    held += _without_notebook(seen, mine)
    return Sorted(_noted(chosen, unknown), sorted([*held, *more_held]), lines)


def _of(each: Candidate) -> str:
    return sentence(each.trouble.why, each.trouble.then)


def _without_any(
    mine: Iterable[Candidate], ours: Iterable[Candidate], doors: Iterable[Candidate]
) -> tuple[list[HeldBack], list[str]]:
    """Strange notebooks and archives: a line, unless a student has nothing else."""
    held, lines = [], []
    served = {each.owner.student for each in ours}
    for each in [c for c in mine if not may_count(c, set())]:
        if each.owner.student in served:
            lines.append(f"{each.file.shown}: no notebook of this course.")
        else:
            held.append(each.held(UNKNOWN))
    for each in doors:
        if each.owner is None or each.owner.student in served:
            lines.append(f"{each.file.shown}: {each.trouble.why}.")
        else:
            held.append(each.held(_of(each)))
    return held, lines


def _without_notebook(seen: Seen, mine: Iterable[Candidate]) -> list[HeldBack]:
    """Students who handed in other things only."""
    named = {each.owner.student for each in (*mine, *seen.doors) if each.owner}
    others = defaultdict(list)
    for owner, file in seen.others:
        if owner and owner.student not in named:
            others[owner.student].append(printable(file))
    return [
        HeldBack(printable(student), "", ", ".join(sorted(files)[:3]), NO_NOTEBOOK)
        for student, files in others.items()
    ]


def _noted(chosen: list[Candidate], unknown: list[Candidate]) -> list[Candidate]:
    """The chosen ones; each says what else of its student could not be read."""
    more = defaultdict(list)
    for each in unknown:
        more[each.owner.student].append(
            f"{each.file.shown} was handed in, too, and held back"
        )
    return [
        replace(each, notes=(*each.notes, *more[each.owner.student])) for each in chosen
    ]
