"""The instructor's page, its stream, the steps of a vote, and the export."""

from __future__ import annotations

import json

from tornado.web import HTTPError

from workshop.room import export
from workshop.room.reports import Refused
from workshop.room.signed_in import Instructs
from workshop.room.stream import Stream
from workshop.room.views import instructor_view, questions


class RoomPage(Instructs):
    """The page itself."""

    sends_to_login = True

    def get(self) -> None:
        """Show it."""
        self.render("room.html", xsrf=self.xsrf_token.decode(), base=self.service.base)


class Texts(Instructs):
    """The texts of the course that the page shows."""

    def get(self) -> None:
        """Send them once."""
        self.finish({"notebooks": questions(self.service.room)})


class RoomStream(Instructs, Stream):
    """What changes on the page."""

    def message(self) -> str:
        """All of it: a page that missed something is right again at once."""
        return json.dumps(instructor_view(self.service.room))


class Step(Instructs):
    """A button of the vote."""

    async def post(self) -> None:
        """Do it, and keep it before saying so."""
        asked = self.body()
        action, number = asked.get("action"), asked.get("number")
        if not isinstance(action, str) or not isinstance(number, str | None):
            raise HTTPError(400)
        try:
            self.service.room.instruct(action, number)
        except Refused as error:
            raise HTTPError(409, str(error)) from error
        await self.service.changed()
        self.set_status(204)


class Export(Instructs):
    """The room as a file."""

    def get(self, kind: str) -> None:
        """Send it as a download."""
        room = self.service.room
        text = export.as_json(room) if kind == "json" else export.as_csv(room)
        mime = "application/json" if kind == "json" else "text/csv; charset=utf-8"
        self.set_header("Content-Type", mime)
        self.set_header("Content-Disposition", f'attachment; filename="room.{kind}"')
        self.finish(text)
