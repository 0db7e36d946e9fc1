"""How long a careful reader needs for a notebook's core: one formula for all."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nbformat import NotebookNode

from autograder.source import Header

BASE = 8.0  # minutes to open the notebook, predict, and play with the instrument
WORDS_A_MINUTE = 100.0  # of technical English that is read once, with care
LINES_A_MINUTE = 10.0  # of code
AN_EXERCISE = 5.0  # minutes to think, write, and check
PART_OF_A_JOB = 1.4  # minutes for each of a job's checks: its name, place, repair
WORKERS = 6.0  # minutes of runs in Part 3, in which processes start, wait and end
ROUNDED_TO = 5  # minutes

_FOLDED_TEXT = re.compile(r"<details>.*?</details>|<!--.*?-->", re.S)
_OF_A_JOB = re.compile(r"/my_\w+_\d")  # such as 21/my_name_1
_WORD = re.compile(r"\w[\w'’.-]*")
# links to other pages; the same imports everywhere; a copy of what was read above
_UNREAD = ("claims", "elsewhere", "start", "fix", "check")


def core_minutes(learner: NotebookNode, header: Header) -> int:
    """Return the minutes of a learner's version up to its further exercises.

    The constants are a fit to the minutes that readers of eleven cores needed; it is
    off by less than four minutes for eight of them. A part of a job is fitted to six
    jobs without a label: readers took 80 minutes, and spent 8 of these on programs that
    were printed twice then.
    """
    cells = core_of(learner.cells)
    read = [each for each in cells if each.metadata.get("role") not in _UNREAD]
    checks = [each.source for each in cells if each.metadata.get("role") == "check"]
    parts = sum(bool(_OF_A_JOB.search(each)) for each in checks)
    exercises = AN_EXERCISE * (len(checks) - parts) + PART_OF_A_JOB * parts
    reading = words_in(read) / WORDS_A_MINUTE + len(code_in(read)) / LINES_A_MINUTE
    minutes = BASE + reading + exercises + WORKERS * (header.part == 3)
    return ROUNDED_TO * round(minutes / ROUNDED_TO)


def core_of(cells: Iterable[NotebookNode]) -> list[NotebookNode]:
    """Return the cells before the first further exercise."""
    core: list[NotebookNode] = []
    for cell in cells:
        if cell.metadata.get("beat") == "further":
            break
        core.append(cell)
    return core


def words_in(cells: Iterable[NotebookNode]) -> int:
    """Count the visible words of Markdown; folded text does not count."""
    text = [cell.source for cell in cells if cell.cell_type == "markdown"]
    return sum(len(_WORD.findall(_FOLDED_TEXT.sub("", each))) for each in text)


def code_in(cells: Iterable[NotebookNode]) -> list[str]:
    """Return the visible lines of code, without empty ones."""
    return [
        line
        for cell in cells
        if cell.cell_type == "code" and not is_folded(cell)
        for line in cell.source.splitlines()
        if line.strip()
    ]


def is_folded(cell: NotebookNode) -> bool:
    """Whether a cell's code is hidden, and the learner need not open it."""
    hidden = cell.metadata.get("jupyter", {}).get("source_hidden", False)
    return hidden and cell.metadata.get("role") != "fix"
