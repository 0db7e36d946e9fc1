"""The instructor's two pages, control and wall, what they ask for, and the export."""

from __future__ import annotations

import io
import json
import time

import segno
from tornado.web import HTTPError

from workshop.room import export
from workshop.room.reports import Refused
from workshop.room.signed_in import Instructs
from workshop.room.stream import Stream
from workshop.room.views import instructor_view, questions, wall_view


class RoomPage(Instructs):
    """The page itself."""

    sends_to_login = True

    def get(self) -> None:
        """Show it."""
        self.render(
            "room.html",
            day=self.service.day is not None,
            xsrf=self.xsrf_token.decode(),
            base=self.service.base,
            address=self.service.phones_address,
            code=self.service.room.code,
        )


class Texts(Instructs):
    """The texts of the course that the page shows."""

    def get(self) -> None:
        """Send them once, and what time it is here."""
        self.finish({"notebooks": questions(self.service.room), "now": time.time()})


class RoomStream(Instructs, Stream):
    """What changes on the page."""

    every_change = True

    def message(self) -> str:
        """All of it: a page that missed something is right again at once."""
        return json.dumps(instructor_view(self.service.room))


class WallPage(Instructs):
    """The page for the projector: one question or one notebook."""

    sends_to_login = True

    def get(self) -> None:
        """Show it."""
        self.render(
            "wall.html",
            xsrf=self.xsrf_token.decode(),
            base=self.service.base,
            address=self.service.phones_address,
            code=self.service.room.code,
        )


class WallStream(Instructs, Stream):
    """What changes on the wall."""

    every_change = True

    def message(self) -> str:
        """All of it."""
        return json.dumps(wall_view(self.service.room))


class Code(Instructs):
    """The address with the code, for a phone's camera."""

    def get(self) -> None:
        """Send it as a picture; 404 where phones can't reach this machine."""
        address, room = self.service.phones_address, self.service.room
        if not address:
            raise HTTPError(404)
        code = segno.make(f"{address}join?code={room.code}", micro=False)
        self.set_header("Content-Type", "image/svg+xml")
        picture = io.BytesIO()
        # black on white in a dark room, too: cameras expect it
        code.save(picture, kind="svg", scale=4, border=2, light="white")
        self.finish(picture.getvalue())


class Ask(Instructs):
    """A question that the instructor typed."""

    async def post(self) -> None:
        """Keep it, and open the vote on it."""
        asked = self.body()
        text, options = asked.get("text"), asked.get("options")
        right = asked.get("right") or None
        if not isinstance(text, str) or not isinstance(right, str | None):
            raise HTTPError(400)
        if not isinstance(options, list) or not all(
            isinstance(option, str) for option in options
        ):
            raise HTTPError(400)
        room = self.service.room
        try:
            if room.ballot:
                raise Refused("another question is open")
            room.instruct("open", room.ask(text, options, right))
        except Refused as error:
            raise HTTPError(409, reason=str(error)) from error
        await self.service.changed()
        self.set_status(204)


class Step(Instructs):
    """A button of the vote, of a notebook or of a hand."""

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
