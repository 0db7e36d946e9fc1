"""nbgrader's exchange for a workshop: each learner sees a part of their own.

nbgrader tells learners apart by the owner of a file. Here all files have one owner, and
the wall shows each learner folders of their own instead, `inbound/NAME` and
`feedback/NAME`: whose a submission is says the folder that it arrived in.
"""

from __future__ import annotations

import shutil
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.exchange import default
from nbgrader.utils import notebook_hash, parse_utc
from traitlets.config import Config

from autograder.workshop.arrivals import Refused, take_in

STAMP, SECRET = "timestamp.txt", "submission_secret.txt"
SLACK = timedelta(minutes=1)  # between the stamp and the arrival


def configure(c: Config, root: Path) -> None:
    """Let nbgrader use the exchange below `root`."""
    c.Exchange.root = str(root)
    c.ExchangeFactory.collect = Collect
    c.ExchangeFactory.release_feedback = ReleaseFeedback


class Collect(default.ExchangeCollect):
    """Takes in the last submission of each learner, or the last before the due date.

    collected: the folders that were put where nbgrader looks for submissions.
    refused: learner -> why the last thing that arrived was not taken.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.check_owner = False
        self.collected: list[str] = []
        self.refused: dict[str, str] = {}

    def start(self) -> None:
        """Collect; what arrives is copied to a safe place before it is looked at."""
        with tempfile.TemporaryDirectory(prefix="course-collect-") as folder:
            self._safe = Path(folder)
            super().start()

    def init_src(self) -> None:
        """Find what has arrived, and take it in."""
        if not self.coursedir.course_id:
            self.fail("No course id specified. Re-run with --course flag.")
        self.course_path = str(Path(self.root) / self.coursedir.course_id)
        inbound, due = Path(self.course_path) / "inbound", self._due()
        self.inbound_path, self.src_records = str(self._safe), []
        wanted = self.coursedir.student_id or "*"
        for mine in sorted(inbound.glob(wanted)) if inbound.is_dir() else ():
            found = [r for each in sorted(mine.iterdir()) if (r := self._take(each))]
            found.sort(key=lambda record: record["timestamp"])
            in_time = [r for r in found if due is None or r["timestamp"] <= due]
            if found:
                in_time = in_time if self.before_duedate else found
                self.src_records.append((in_time or found)[-1])

    def _take(self, arrived: Path) -> dict | None:
        """Take in one submission, if it is one for this assignment."""
        learner, parts = arrived.parent.name, arrived.name.split("+")
        if len(parts) < 3 or parts[1] != self.coursedir.assignment_id:
            return None
        # the name is the learner's; ours are the numbers
        safe = self._safe / f"{learner}-{len(list(self._safe.iterdir()))}"
        try:
            when = take_in(arrived, safe, needed=(STAMP, SECRET))
            said = parse_utc((safe / STAMP).read_text().strip())
        except (Refused, ValueError, OverflowError) as error:
            self.refused[learner] = str(error)
            self.log.warning("%s/%s: %s", learner, arrived.name, error)
            return None
        arrival = datetime.fromtimestamp(when, UTC).replace(tzinfo=None)
        if abs(arrival - said) > SLACK:
            self.log.warning("%s: says %s, but arrived at %s", learner, said, arrival)
            (safe / STAMP).write_text(f"{arrival} UTC")
            said = arrival
        return {"username": learner, "filename": safe.name, "timestamp": said}

    def do_copy(self, src, dest, log=None) -> None:
        """Copy one submission to where nbgrader looks for it."""
        super().do_copy(src, dest, log)
        self.collected.append(dest)

    def _due(self) -> datetime | None:
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as book:
            try:
                return book.find_assignment(self.coursedir.assignment_id).duedate
            except MissingEntry:
                return None


class ReleaseFeedback(default.ExchangeReleaseFeedback):
    """Puts each learner's pages where only that learner sees them."""

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
            place = self.coursedir.format_path(
                self.coursedir.submitted_directory, learner, name
            )
            secret = Path(place) / SECRET
            if learner in without or not secret.is_file():
                continue  # it came another way than through the exchange
            if page.stat().st_mtime < secret.stat().st_mtime:
                self.log.warning("%s: a newer submission is not graded yet", learner)
                continue
            mark = notebook_hash(secret=secret.read_text(), notebook_id=page.stem)
            mine = self.dest_path / learner
            mine.mkdir(parents=True, exist_ok=True)
            part = mine / f".{mark}.part"
            shutil.copyfile(page, part)
            part.replace(mine / f"{mark}.html")
            self.released.append(learner)
            self.log.info("Feedback for %s on %s", learner, page.stem)
