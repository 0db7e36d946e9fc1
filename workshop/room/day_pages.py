"""The page of the instructor's day: each step a button, with its command beside it."""

from __future__ import annotations

import asyncio
import json
from urllib.parse import unquote

from tornado.web import HTTPError

from workshop.room.day import Day
from workshop.room.day_jobs import CLASS, Job, Jobs, written
from workshop.room.reports import Refused
from workshop.room.signed_in import Instructs

MARKS_SECONDS = 60
TYPES = {"html": "text/html", "csv": "text/csv"}
# what learners' notebooks put out stands in it: no script, and nobody's cookies
LOCKED = "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; "
LOCKED += "img-src data:; frame-ancestors 'none'"
# the report's own policy names its one script, which searches; both policies hold
SEARCHED = "sandbox allow-scripts allow-popups; default-src 'none'; script-src "
SEARCHED += "'unsafe-inline'; style-src 'unsafe-inline'; frame-ancestors 'none'"


class OfDay(Instructs):
    """A request about the day; 404 where the workshop's folders are not here."""

    day: Day
    jobs: Jobs

    async def prepare(self) -> None:
        """As in `Instructs`.

        Raises:
            HTTPError: 404 for a room that is none of this machine's workshop.
        """
        await super().prepare()
        if self.service.day is None:
            raise HTTPError(404)
        self.day, self.jobs = self.service.day, self.service.jobs


class DayPage(OfDay):
    """The page itself."""

    sends_to_login = True

    def get(self) -> None:
        """Show it."""
        self.render(
            "day.html",
            xsrf=self.xsrf_token.decode(),
            base=self.service.base,
            register=self.day.register,
        )


class DayState(OfDay):
    """What changes on the page."""

    async def get(self) -> None:
        """Send all of it."""
        try:
            notebooks, waiting = await asyncio.gather(
                asyncio.to_thread(self.day.notebooks),
                asyncio.to_thread(self.day.waiting),
            )
        except OSError as error:
            raise HTTPError(503, reason=str(error.strerror)) from error
        commands = {kind: written(words) for kind, words in self.day.shown().items()}
        titles = {n: each.title for n, each in self.day.known.notebooks.items()}
        self.finish(
            {
                "notebooks": [
                    {**each, "title": titles[each["number"]]} for each in notebooks
                ],
                "waiting": waiting,
                "commands": commands,
                "oneAtATime": CLASS,
                "jobs": {kind: _shown(job) for kind, job in self.jobs.last.items()},
                "tables": self.day.tables_written(),
            }
        )


class DaySubmissions(OfDay):
    """What was collected of one notebook."""

    async def get(self) -> None:
        """Send a row for each, with real names: it is the gradebook's side."""
        number = self.get_query_argument("notebook", "")
        try:
            found = await asyncio.to_thread(self.day.submissions, number)
        except Refused as error:
            raise HTTPError(404, reason=str(error)) from error
        shown = self.service.room.real_name
        rows = [{**each, "shown": shown(each["student"])} for each in found]
        self.finish({"submissions": rows})


class DayMarks(OfDay):
    """The points and comments of one submission."""

    async def get(self) -> None:
        """Send them; 409 with a sentence where they can't be had."""
        asked = {n: self.get_query_argument(n, "") for n in ("notebook", "student")}
        try:
            words = self.day.marks_words(asked)
            text = await self.jobs.answer(words, MARKS_SECONDS)
        except Refused as error:
            raise HTTPError(409, reason=_one_line(error)) from error
        self.finish({"marks": json.loads(text)})


class DayRun(OfDay):
    """A button."""

    async def post(self) -> None:
        """Start its command, and say how it is written."""
        asked = self.body()
        kind = asked.get("kind")
        if not isinstance(kind, str):
            raise HTTPError(400)
        try:
            words = await asyncio.to_thread(self.day.words, kind, asked)
            job = await self.jobs.start(kind, words)
        except Refused as error:
            raise HTTPError(409, reason=_one_line(error)) from error
        self.set_status(202)
        self.finish(_shown(job))


class DayHalt(OfDay):
    """The button that ends a grading before its end."""

    def post(self) -> None:
        """Let it end in good order."""
        try:
            self.jobs.halt(str(self.body().get("kind")))
        except Refused as error:
            raise HTTPError(409, reason=_one_line(error)) from error
        self.set_status(204)


class DayFile(OfDay):
    """Report, tables, and feedback pages, as they lie in the course's folder."""

    sends_to_login = True

    def get(self, path: str) -> None:
        """Send one; a page of a learner's work runs nothing."""
        kind, _, rest = unquote(path).partition("/")
        parts = rest.split("/")
        if kind == "results":
            found = self.day.places.results / rest if rest in RESULTS else None
        else:
            found = self.day.page(*parts[:2]) if len(parts) == 3 else None
        if found is None or not found.is_file():
            raise HTTPError(404, reason="There is no such file yet: grade first.")
        ending = found.suffix[1:]
        self.set_header("Content-Type", f"{TYPES[ending]}; charset=utf-8")
        policy = SEARCHED if rest == RESULTS[0] else LOCKED
        self.set_header("Content-Security-Policy", policy)
        if ending == "csv":
            name = f'attachment; filename="{found.name}"'
            self.set_header("Content-Disposition", name)
        self.finish(found.read_bytes())


RESULTS = ("report.html", "grades.csv", "canvas.csv")


def _shown(job: Job) -> dict:
    return {
        "command": written(job.words),
        "began": job.began,
        "ended": job.ended,
        "code": job.code,
        "lines": job.lines(),
    }


def _one_line(error: Exception) -> str:
    """The error as a status line takes it."""
    return " ".join(str(error).split()).encode("ascii", "replace").decode()
