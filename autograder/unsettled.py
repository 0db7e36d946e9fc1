"""What was handed in and has no result: held back, or not reached before a stop.

Both are kept beside the records, so that report and tables can be written again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence, Set
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from autograder.intake import Found, HeldBack
from autograder.records import Record
from course.whole_files import write_whole

HELD_BACK = "held_back.json"
EXPECTED = "expected.json"  # what was found to be graded
FROM = "handed_in"  # the folder or zip that an item was found in
HELD_BACK_WORD, WAITING_WORD = "held back", "not graded yet"


@dataclass(frozen=True)
class Unsettled:
    """What has no result.

    held_back: what waits for its instructor.
    waiting: student and notebook of each submission that grading has not come to.
    failed: those of them that a machine ran and could not judge.
    """

    held_back: tuple[HeldBack, ...] = ()
    waiting: frozenset[tuple[str, str]] = frozenset()
    failed: frozenset[tuple[str, str]] = frozenset()

    def word(self, student: str, notebook: str, graded: bool) -> str:
        """Why this student's notebook has no score, or "".

        What is held back without its notebook's name touches only what is not
        `graded`: a score that an earlier submission got stands.
        """
        for each in self.held_back:
            if each.student == student and (
                each.notebook == notebook or not (each.notebook or graded)
            ):
                return HELD_BACK_WORD
        return WAITING_WORD if (student, notebook) in self.waiting else ""

    def without(self, settled: Set[tuple[str, str]]) -> Unsettled:
        """Return the rest: a person graded what a machine could not judge.

        Args:
            settled: student and notebook of what was graded by hand.
        """
        settled = self.failed & settled
        return replace(
            self, waiting=self.waiting - settled, failed=self.failed - settled
        )

    def pairs(self) -> list[tuple[str, str]]:
        """Student and notebook of all that has no result, where both are known."""
        held = {(each.student, each.notebook) for each in self.held_back}
        return sorted(each for each in held | self.waiting if all(each))


NOTHING = Unsettled()


def keep(
    results: Path, found: Found, handed_in: Path, notebooks: Sequence[str] = ()
) -> None:
    """Write down what a run found, before it grades; each file whole or not at all.

    A run replaces what it found earlier at the same place. What another place had
    stays, until the same student's notebook is handed in again.

    Args:
        results: The course's folder of results.
        found: What intake found.
        handed_in: Where; a folder or a zip.
        notebooks: The names of those that were looked for; all by default.
    """
    here = str(handed_in.resolve())
    taken = {(each.student, each.notebook) for each in found.submissions}
    named = {(each.student, each.notebook) for each in found.held_back}
    seen = taken | named | {(student, "") for student, _ in taken}

    def stays(item: dict) -> bool:
        if item[FROM] != here:
            return (item["student"], item["notebook"]) not in seen
        return bool(notebooks and item["notebook"] not in ("", *notebooks))

    for name, now in (
        (HELD_BACK, [asdict(each) for each in found.held_back]),
        (EXPECTED, [{"student": s, "notebook": n} for s, n in sorted(taken)]),
    ):
        old = [item for item in _read(results / name) if stays(item)]
        items = [*old, *({**item, FROM: here} for item in now)]
        text = json.dumps(items, indent=1, ensure_ascii=False)
        write_whole(results / name, text.encode("utf-8", "replace"))


def read(results: Path, records: Iterable[Record]) -> Unsettled:
    """What has no result now, given the records there are.

    A record without a digest counts as none: a machine failed, or was too busy.
    """
    held = [
        HeldBack(*(str(item.get(name, "")) for name in HeldBack.__match_args__))
        for item in _read(results / HELD_BACK)
    ]
    items = _read(results / EXPECTED)
    expected = frozenset((item["student"], item["notebook"]) for item in items)
    known = {(each.student, each.notebook): each.digest for each in records}
    failed = frozenset(each for each, digest in known.items() if not digest)
    return Unsettled(tuple(sorted(held)), (expected - known.keys()) | failed, failed)


def _read(path: Path) -> list[dict]:
    """The items of one of the files; none where it can't be read: a run makes it."""
    try:
        items = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    every = items if isinstance(items, list) else []
    wanted = {"student", "notebook", FROM}
    return [x for x in every if isinstance(x, dict) and wanted <= x.keys()]
