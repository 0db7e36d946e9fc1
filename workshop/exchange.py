"""nbgrader's exchange for a workshop: each learner sees a part of their own.

nbgrader tells learners apart by the owner of a file. Here all files have one owner, and
the wall shows each learner folders of their own instead, `inbound/NAME` and
`feedback/NAME`: whose a submission is says the folder that it arrived in.

A learner can write anything into their part: what is wrong there costs them only, and
no text of theirs gets into a message.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from datetime import datetime
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.exchange import default
from nbgrader.utils import notebook_hash
from traitlets.config import Config

from workshop.arrivals import (
    SECRET,
    SLACK,
    STAMP,
    Refused,
    parse_secret,
    take_in,
    utc,
)

TRIES = 3  # submissions of one learner that are looked at, the newest first


def configure(c: Config, root: Path) -> None:
    """Let nbgrader use the exchange below `root`."""
    c.Exchange.root = str(root)
    c.ExchangeFactory.collect = Collect
    c.ExchangeFactory.release_feedback = ReleaseFeedback


class Collect(default.ExchangeCollect):
    """Takes in the last submission of each learner, or the last before the due date.

    collected: the folders that were put where nbgrader looks for submissions.
    refused: learner -> why the last thing that arrived was not taken; an older one may
        have been taken instead.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.check_owner = False
        self.collected: list[str] = []
        self.refused: dict[str, str] = {}

    def init_src(self) -> None:
        """Find the learners' folders."""
        if not self.coursedir.course_id:
            self.fail("No course id specified. Re-run with --course flag.")
        self.course_path = str(Path(self.root) / self.coursedir.course_id)
        inbound, wanted = Path(self.course_path) / "inbound", self.coursedir.student_id
        self._learners = sorted(inbound.glob(wanted or "*") if inbound.is_dir() else ())

    def copy_files(self) -> None:
        """Collect each learner's; what goes wrong with one does not stop the others."""
        due = self._due() if self.before_duedate else None
        for mine in self._learners:
            # what arrives is copied to a safe place before it is looked at
            with tempfile.TemporaryDirectory(prefix="course-collect-") as safe:
                try:
                    record = self._last(mine, Path(safe), due)
                    self.inbound_path, self.src_records = safe, [record]
                    if record:
                        super().copy_files()
                except Exception as error:  # whatever else a learner may think of
                    self._refuse(mine.name, f"can't be collected ({_kind(error)})")

    def do_copy(self, src, dest, log=None) -> None:
        """Copy one submission to where nbgrader looks for it, whole or not at all."""
        try:
            super().do_copy(src, dest, log)
        except Exception:
            shutil.rmtree(dest, ignore_errors=True)
            raise
        self.collected.append(dest)

    def _last(self, mine: Path, safe: Path, due: datetime | None) -> dict | None:
        """What counts of one learner's, copied to below `safe`, as nbgrader has it."""
        late = []
        for arrived in self._newest_first(mine, due)[:TRIES]:
            name = str(len(os.listdir(safe)))  # `arrived.name` is the learner's text
            try:
                when = take_in(arrived, safe / name, self.coursedir.assignment_id)
            except Refused as error:
                self._refuse(mine.name, str(error))
                continue
            record = {"username": mine.name, "filename": name, "timestamp": when}
            if due is None or when <= due:
                return record
            late.append(record)
        return max(late, key=lambda record: record["timestamp"], default=None)

    def _newest_first(self, mine: Path, due: datetime | None) -> list[Path]:
        """A learner's submissions of this assignment; nothing is opened."""
        names = (name.split("+") for name in os.listdir(mine))
        asked = self.coursedir.assignment_id
        found = [mine / "+".join(n) for n in names if len(n) > 2 and n[1] == asked]
        came = {each: _arrival(each, f"{asked}.ipynb") for each in found}
        found.sort(key=came.get, reverse=True)
        if due is not None:
            found.sort(key=lambda each: came[each] - SLACK > due)
        return found

    def _refuse(self, learner: str, why: str) -> None:
        self.refused.setdefault(learner, why)  # of the newest
        self.log.warning("%s: a submission %s", learner, why)

    def _due(self) -> datetime | None:
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as book:
            try:
                return book.find_assignment(self.coursedir.assignment_id).duedate
            except MissingEntry:
                return None


class ReleaseFeedback(default.ExchangeReleaseFeedback):
    """Puts each learner's pages where only that learner sees them.

    released: whose pages were put there.
    """

    def init_dest(self) -> None:
        """Find the folder above the learners' own."""
        self.dest_path = Path(self.root) / self.coursedir.course_id / "feedback"

    def copy_files(self) -> None:
        """Hand out the pages of the submissions that were graded."""
        name = self.coursedir.assignment_id
        pages = Path(self.coursedir.root) / self.coursedir.feedback_directory
        without = set((self.coursedir.student_id_exclude or "").split(","))
        self.released: list[str] = []
        wanted = self.coursedir.student_id or "*"
        for page in sorted(pages.glob(f"{wanted}/{name}/*.html")):
            learner = page.parts[-3]
            if learner in without:
                continue
            try:
                self._hand_out(page, learner)
            except (Refused, OSError) as error:
                why = error if isinstance(error, Refused) else f"fails ({_kind(error)})"
                self.log.error("%s gets no page of %s: it %s.", learner, name, why)

    def _hand_out(self, page: Path, learner: str) -> None:
        place = self.coursedir.format_path(
            self.coursedir.submitted_directory, learner, self.coursedir.assignment_id
        )
        secret = Path(place) / SECRET
        if not secret.is_file():
            return  # it came another way than through the exchange
        if page.stat().st_mtime < secret.stat().st_mtime:
            self.log.warning("%s: a newer submission is not graded yet", learner)
            return
        mark = notebook_hash(
            secret=parse_secret(secret.read_bytes()), notebook_id=page.stem
        )
        mine = self.dest_path / learner
        mine.mkdir(parents=True, exist_ok=True)
        part = mine / f".{mark}.part"
        shutil.copyfile(page, part)
        part.replace(mine / f"{mark}.html")
        self.released.append(learner)
        self.log.info("Feedback for %s on %s", learner, page.stem)


def _arrival(submission: Path, notebook: str) -> datetime:
    """When the last of a submission's files arrived, or of what there is of it."""
    times = []
    for each in (submission, *(submission / n for n in (notebook, STAMP, SECRET))):
        try:
            times.append(each.lstat().st_ctime)
        except OSError:  # it is not there yet, or not any more
            continue
    return utc(max(times[1:] or times, default=0.0))


def _kind(error: Exception) -> str:
    """What went wrong, without a text that may be the learner's."""
    said = error.strerror if isinstance(error, OSError) else None
    return said or type(error).__name__
