"""Answers that are the same as another student's, or as the course's solution.

An answer is compared as a syntax tree (see `answer_forms`), once with its names and
once with its names numbered. So renaming, reordering helper functions, comments and
layout change nothing.

Honest students often agree on a small fix, so only new code counts. The size of an
answer is the number of its nodes that stand neither in the notebook as it was handed
out, hints included, nor in the same student's earlier answers; a value that is only
written down has size 0. Answers smaller than SMALL tell nothing. Students are in one
group if the sizes of their equal answers to a notebook add up to ENOUGH. Where the
names are equal as well, each name of their own counts as NAME further nodes.

The course's known right answers set these numbers. No two of them that were written to
differ are equal from SMALL on. Those that agree with the solution, without being its
copy, come to 32 in a notebook. A copy of the whole solution comes to ENOUGH in 19 of 22
notebooks, and in 13 if its names are changed.

Files that are equal byte for byte are a group whatever their size.

What this can't tell: who copied from whom, and whether two students worked together,
asked the same person or tool, or had the same idea. It misses answers whose statements
were reordered or rewritten. It misses copies of short fixes: all of 00, 01 and 21, and
most notebooks' core without their further exercises. A group is a reason to look.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import nbformat
from nbformat import NotebookNode

from autograder.grading.answer_forms import Tree, new_nodes, subtrees
from autograder.grading.given_answers import given_answers, handed_out
from autograder.places import Places
from autograder.records import Record

SMALL = 8  # nodes: an answer with fewer is a fix that many find
NAME = 3  # nodes that a name is worth, where students gave the same one
ENOUGH = 40  # nodes


@dataclass(frozen=True)
class Group:
    """Students of one notebook whose answers are the same.

    students: one or more where the answers are the course's, else two or more.
    exercises: those with the same answer, such as "02/my_step".
    renamed: those of them in which names differ.
    solution: whether they are the answers of the course's solution notebook.
    file: whether they handed in the same file, byte for byte.
    """

    notebook: str
    students: tuple[str, ...]
    exercises: tuple[str, ...]
    renamed: tuple[str, ...]
    solution: bool
    file: bool = False


@dataclass(frozen=True)
class _Print:
    """A fingerprint as it is kept: size, own names, digests with and without names."""

    size: int
    names: int
    exact: str
    normal: str

    @classmethod
    def read(cls, text: str) -> _Print | None:
        """Return what a fingerprint says; None if it is not one of this version."""
        try:
            size, names, exact, normal = text.split(":")
            return cls(int(size), int(names), exact, normal)
        except ValueError:
            return None

    def __str__(self) -> str:
        return f"{self.size}:{self.names}:{self.exact}:{self.normal}"


def fingerprint(notebook: NotebookNode, shipped: NotebookNode) -> dict[str, str]:
    """Return exercise -> fingerprint of its answer, where it is not the shipped one.

    A version after the check stands for an answer that is the shipped one.
    A fingerprint is SIZE:NAMES:EXACT:NORMAL: new nodes, own names, and the digests of
    the answer with its names and with its names numbered.

    Args:
        notebook: a prepared submission, whose locked cells are the course's.
        shipped: the notebook as it was handed out.
    """
    course = handed_out(shipped)
    own: set[Tree] = set()
    found = {}
    for exercise, answer in given_answers(notebook, course.imports):
        start = course.answers.get(exercise)
        if exercise in found or (start and start.numbered == answer.numbered):
            continue
        names = max(answer.names - (start.names if start else 0), 0)
        try:
            size = new_nodes(answer.hidden, course.known, own)
            exact, normal = _digest(answer.kept), _digest(answer.numbered)
            own.update(subtrees(answer.hidden))
        except RecursionError:  # too deep to compare
            continue
        size *= answer.computes
        found[exercise] = str(_Print(size, names, exact, normal))
    return found


def solution(places: Places, name: str) -> dict[str, str]:
    """Return the fingerprints of a course's solution notebook; none where it is not."""
    try:
        built, shipped = (
            nbformat.read(path, as_version=4)
            for path in (places.solution(name), places.learner(name))
        )
    except (OSError, ValueError):
        return {}
    return fingerprint(built, shipped)


def groups(records: Iterable[Record], solution: Mapping[str, str]) -> list[Group]:
    """Return who has the same answers to one notebook, the largest groups first.

    Args:
        records: all of one notebook.
        solution: the fingerprints of the course's solution.
    """
    written = sorted(records, key=lambda each: each.student)
    holders: dict[frozenset, list[str | None]] = defaultdict(list)
    everyone = [(each.student, each.answers) for each in written]
    for student, answers in [(None, solution), *everyone]:
        prints = [(name, _Print.read(text)) for name, text in answers.items()]
        large = [(name, each) for name, each in prints if each and each.size >= SMALL]
        holders[frozenset(large)].append(student)
    found: dict[frozenset, set[str | None]] = defaultdict(set)
    for one, students in holders.items():
        if len(students) > 1 and (same := _same(dict(one), dict(one))):
            found[same].update(students)
    for (one, some), (other, more) in combinations(holders.items(), 2):
        if same := _same(dict(one), dict(other)):
            found[same].update(some, more)
    notebook = written[0].notebook if written else ""
    made = [_group(notebook, same, who) for same, who in found.items()]
    made += _same_files(written)
    kept = [each for each in made if not any(_within(each, other) for other in made)]
    return sorted(kept, key=lambda e: (not e.solution, -len(e.students), e.students))


def _same_files(records: Iterable[Record]) -> Iterator[Group]:
    """Yield who handed in the same file with an answer in it, however short."""
    files: dict[str, list[Record]] = defaultdict(list)
    for each in records:
        if each.digest and each.answers:
            files[each.digest].append(each)
    for some in files.values():
        if len(some) > 1:
            students = tuple(each.student for each in some)
            exercises = tuple(sorted(some[0].answers))
            yield Group(some[0].notebook, students, exercises, (), False, file=True)


def _same(one: Mapping[str, _Print], other: Mapping[str, _Print]) -> frozenset:
    """Return the equal answers: exercise, digest, digest with names where equal."""
    same, weight = set(), 0
    for exercise in one.keys() & other.keys():
        a, b = one[exercise], other[exercise]
        if a.normal == b.normal:
            exact = a.exact == b.exact
            weight += min(a.size, b.size) + exact * NAME * min(a.names, b.names)
            same.add((exercise, a.normal, a.exact if exact else ""))
    return frozenset(same if weight >= ENOUGH else ())


def _group(notebook: str, same: frozenset, who: set[str | None]) -> Group:
    return Group(
        notebook,
        tuple(sorted(each for each in who if each is not None)),
        tuple(sorted(exercise for exercise, _, _ in same)),
        tuple(sorted(exercise for exercise, _, exact in same if not exact)),
        None in who,
    )


def _within(one: Group, other: Group) -> bool:
    """Whether a group says nothing that another one does not say."""
    return one != other and (
        {*one.students} <= {*other.students}
        and {*one.exercises} <= {*other.exercises}
        and {*other.renamed} & {*one.exercises} <= {*one.renamed}
        and one.solution <= other.solution
        and one.file <= other.file
    )


def _digest(tree: Tree) -> str:
    return hashlib.sha256(repr(tree).encode(errors="replace")).hexdigest()[:16]
