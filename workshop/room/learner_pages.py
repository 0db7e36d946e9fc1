"""What a learner sends and sees: reports, votes, a raised hand, the name."""

from __future__ import annotations

import json

from tornado.web import HTTPError, RequestHandler

from workshop.room.reports import Refused, parse_report
from workshop.room.signed_in import SignedIn
from workshop.room.state import Room
from workshop.room.stream import Stream
from workshop.room.views import learner_view, news_view


class ReportIn(SignedIn):
    """A report from a learner's own server; whose it is, its token says."""

    async def post(self) -> None:
        """Take it in, and keep it before saying so."""
        room = self.service.room
        before = room.version
        try:
            room.report(self.name, parse_report(self.body(), room.catalogue))
        except Refused as error:
            raise HTTPError(400, str(error)) from error
        if room.version != before:
            await self.service.changed()
        self.set_status(204)


class LearnerPage(SignedIn):
    """The page with the question and two forms."""

    sends_to_login = True
    template = "me.html"

    async def get(self) -> None:
        """Show it."""
        room = self.service.room
        before = room.version
        view = learner_view(room, self.name)
        if room.version != before:  # who opens the page is in the room
            await self.service.changed()
        self.render(
            self.template,
            xsrf=self.xsrf_token.decode(),
            base=self.service.base,
            page="me",
            **view,
        )


class LearnerPart(LearnerPage):
    """The part of that page which changes."""

    sends_to_login = False
    template = "me_part.html"


class LearnerStream(Stream):
    """Tells the page to fetch that part again."""

    every_change = True

    def message(self) -> str:
        """Return a value that differs after every change, even one that was undone."""
        room = self.service.room
        return f"{room.steps} {sign(learner_view(room, self.name))}"


class LearnerNews(Stream):
    """Tells a learner's server of the vote that waits for them."""

    def message(self) -> str:
        """The vote, in JSON."""
        return json.dumps(news_view(self.service.room, self.name))


class VoteIn(SignedIn):
    """A vote from the page, also from one without scripts."""

    async def post(self) -> None:
        """Take it in and show the page again."""
        if take_vote(self, self.service.room, self.name):
            await self.service.changed()
        self.redirect(self.service.base + "me", status=303)


class NameIn(SignedIn):
    """Whether the name may be shown."""

    async def post(self) -> None:
        """Take it in and show the page again."""
        self.service.room.show_name(
            self.name, self.get_body_argument("named", "") == "yes"
        )
        await self.service.changed()
        self.redirect(self.service.base + "me", status=303)


class HandIn(SignedIn):
    """Whether the hand is raised."""

    async def post(self) -> None:
        """Take it in and show the page again."""
        self.service.room.raise_hand(
            self.name, self.get_body_argument("hand", "") == "up"
        )
        await self.service.changed()
        self.redirect(self.service.base + "me", status=303)


def sign(view: dict) -> str:
    """Return something that changes when what a page shows does."""
    question = view["question"]
    return str(abs(hash(repr({**view, "question": question and question.number}))))


def take_vote(handler: RequestHandler, room: Room, voter: str) -> bool:
    """Take in the vote in a form; False where its question is not open any more.

    Raises:
        HTTPError: there is no such answer.
    """
    # a page that shows the last question must not vote on the next one
    asked = [handler.get_body_argument(name, "") for name in ("number", "phase")]
    if not room.ballot or asked != [room.ballot.number, room.ballot.phase.value]:
        return False
    question = room.question(room.ballot.number)
    answer = handler.get_body_argument("answer", "")
    if question and question.columns:
        ticked = set(handler.get_body_arguments("tick"))
        letters = "".join("ny"[bar.key in ticked] for bar in question.bars)
        wide = len(question.columns)
        starts = range(0, len(letters), wide)
        answer = " ".join(letters[i : i + wide] for i in starts)
    try:
        room.vote(voter, answer)
    except Refused as error:
        raise HTTPError(409, str(error)) from error
    return True
