"""The answers that a notebook gives, and all code that its learner was handed out."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nbformat import NotebookNode
from nbgrader.utils import is_locked

from autograder.grading.answer_forms import (
    HIDDEN,
    Tree,
    Trees,
    add_definitions,
    computes,
    hidden,
    kept,
    numbered,
    subtrees,
    written,
)
from autograder.grading.cell_code import parsed
from autograder.grading.verdict_cells import checks_in

CODE_IN_TEXT = re.compile(r"```\w*\n(.*?)```|`([^`\n]+)`", re.DOTALL)

Cells = tuple[tuple[str, str, bool, str], ...]  # kind, source, the learner's, checked


@dataclass(frozen=True)
class Given:
    """An answer as a syntax tree.

    kept, numbered, hidden: the tree; how its names are written.
    names: how many names of its own it has.
    computes: whether it is more than a value that is written down.
    """

    kept: Tree
    numbered: Tree
    hidden: Tree
    names: int
    computes: bool


@dataclass(frozen=True)
class HandedOut:
    """What all learners of a notebook have read.

    known: all trees of its code, in cells and in text such as hints; names hidden.
    imports: name -> what it stands for.
    answers: exercise -> what it starts from.
    """

    known: set[Tree]
    imports: dict[str, str]
    answers: dict[str, Given]


def given_answers(
    notebook: NotebookNode, imports: Mapping[str, str]
) -> Iterator[tuple[str, Given]]:
    """Yield each exercise that the learner's cells define, as its check finds it.

    Those that are defined again after their check come once more, at the end.

    Args:
        notebook: a prepared submission, whose locked cells are the course's.
        imports: of the course's cells.
    """
    yield from _answers(_cells(notebook), imports)


def handed_out(shipped: NotebookNode) -> HandedOut:
    """Return what a notebook has shown before anything in it was answered."""
    return _handed_out(_cells(shipped))


@functools.lru_cache(32)
def _handed_out(cells: Cells) -> HandedOut:
    trees, imports = [], {}
    for kind, source, _, _ in cells:
        inline = map("".join, CODE_IN_TEXT.findall(source))
        for each in [source] if kind == "code" else inline:
            trees.append(parsed(each.strip())[1])
            add_definitions(trees[-1], {}, imports)
    reading = Trees(imports=imports)
    known = {
        part for each in trees for part in subtrees(written(reading.tree(each), hidden))
    }
    return HandedOut(known | {HIDDEN}, imports, dict(_answers(cells, imports)))


def _cells(notebook: NotebookNode) -> Cells:
    checked = dict(checks_in(notebook))
    return tuple(
        (each.cell_type, each.source, not is_locked(each), checked.get(number, ""))
        for number, each in enumerate(notebook.cells)
    )


def _answers(cells: Cells, imports: Mapping[str, str]) -> Iterator[tuple[str, Given]]:
    own: dict[str, list[ast.stmt]] = {}
    known = dict(imports)
    checked: dict[str, list[ast.stmt] | None] = {}
    for kind, source, is_own, exercise in cells:
        if kind == "code" and is_own:
            add_definitions(parsed(source)[1], own, known)
        elif exercise:
            checked[exercise] = own.get(_name(exercise))
            yield from _answer(exercise, own, known)
    for exercise, before in checked.items():
        if own.get(_name(exercise)) is not before:
            yield from _answer(exercise, own, known)


def _answer(
    exercise: str, own: dict, imports: dict[str, str]
) -> Iterator[tuple[str, Given]]:
    """Yield an answer, unless there is none or it is too deep to compare."""
    reading = Trees(own, imports)
    try:
        tree = reading.answer(_name(exercise))
        forms = [written(tree, each) for each in (kept, numbered, hidden)]
    except (KeyError, RecursionError):
        return
    names, more = len(reading.numbers), any(map(computes, reading.statements()))
    yield exercise, Given(*forms, names, more)


def _name(exercise: str) -> str:
    return exercise.rpartition("/")[2]
