"""Submissions that no run could grade: since when, and how often it was tried.

A machine's fault passes, and the next run grades the submission. What fails in every
run needs its instructor. It is kept beside the records, in one file.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from pathlib import Path

from autograder.records import Record
from course.whole_files import write_whole

FILE = "failing.json"
AGAIN = 2  # runs after which it is no accident any more


@dataclass(frozen=True)
class Failure:
    """A submission that could not be graded so far.

    student, notebook: as in nbgrader's folders.
    digest: of all that decides its result; with another one it is another submission.
    since: when it first failed, in ISO format.
    runs: in how many runs it has failed since then.
    reason: why, the last time.
    """

    student: str
    notebook: str
    digest: str
    since: str
    runs: int = 1
    reason: str = ""

    @property
    def always(self) -> bool:
        """Whether it has failed again, so that trying once more will hardly help."""
        return self.runs >= AGAIN

    def __str__(self) -> str:
        """What happened and what to do, for the instructor."""
        since = datetime.fromisoformat(self.since)
        every = "both runs" if self.runs == AGAIN else f"each of {self.runs} runs"
        mark = shlex.join(["course", "mark", self.student, self.notebook])
        text = (
            f"it has failed in {every} since {since.day} {since:%B %Y, %H:%M}. Open "
            "the notebook and run it to see why, or give each exercise points by hand "
            f"({mark} EXERCISE --points N)"
        )
        return f"{text}; the last time: {self.reason}" if self.reason else text


class Failing:
    """The submissions that fail, kept in a file of the folder of results."""

    def __init__(self, results: Path) -> None:
        self._path = results / FILE
        self._known = {
            (each.student, each.notebook): each for each in _read(self._path)
        }

    def note(self, record: Record, digest: str) -> Failure | None:
        """Take in what came of a submission; return its failure, if it has one.

        Args:
            record: without a digest where it could not be graded.
            digest: of the submission.
        """
        key = record.student, record.notebook
        known = self._known.get(key)
        if record.digest:
            if known is not None:
                del self._known[key]
                self._write()
            return None
        reason = "; ".join(record.reasons)[:300] or "a check gave no verdict"
        if known is not None and known.digest == digest:
            failure = replace(known, runs=known.runs + 1, reason=reason)
        else:
            now = datetime.now().astimezone().isoformat(timespec="minutes")
            failure = Failure(*key, digest, now, reason=reason)
        self._known[key] = failure
        self._write()
        return failure

    def _write(self) -> None:
        items = [asdict(each) for _, each in sorted(self._known.items())]
        text = json.dumps(items, indent=1, ensure_ascii=False)
        write_whole(self._path, text.encode("utf-8", "replace"))


def _read(path: Path) -> list[Failure]:
    """What stands in the file; nothing where it can't be read: counting begins anew."""
    names = [each.name for each in fields(Failure)]
    try:
        items = json.loads(path.read_text(encoding="utf-8"))
        found = [Failure(**{name: each[name] for name in names}) for each in items]
        for each in found:
            datetime.fromisoformat(each.since)
            each.runs + 1
    except (OSError, ValueError, TypeError, KeyError):
        return []
    return found
