"""Phones without an account: who knows the code on the wall may vote, and only that.

A phone votes once for each question; who clears its cookies can join again. A vote by
phone is a show of hands.
"""

from __future__ import annotations

from limits import RateLimitItemPerMinute
from tornado.web import HTTPError, RequestHandler

from workshop.room.learner_pages import sign, take_vote
from workshop.room.reports import Refused
from workshop.room.shared import Service
from workshop.room.signed_in import PER_LEARNER, protect
from workshop.room.stream import Streaming
from workshop.room.views import voter_view

COOKIE = "course-phone"
COOKIE_DAYS = 1
WRONG_CODES = RateLimitItemPerMinute(100)  # of all phones together: 5 of 17 letters


class Anybody(RequestHandler):
    """A request of somebody whom the hub does not know."""

    def initialize(self, service: Service) -> None:
        """Take in what all requests share."""
        self.service = service

    def set_default_headers(self) -> None:
        """Protect it as the other pages."""
        protect(self)

    @property
    def name(self) -> str:
        """The phone that asks, or ""."""
        known = self.get_signed_cookie(COOKIE, max_age_days=COOKIE_DAYS)
        phone = known.decode() if known else ""
        return phone if phone in self.service.room.phones else ""

    def write_error(self, status_code: int, **what: object) -> None:
        """Say in a sentence what is wrong, and nothing about the inside."""
        self.finish({"error": self._reason})


class Join(Anybody):
    """Where a phone comes in: by the code in its address, or typed."""

    async def get(self) -> None:
        """Let it in, or ask for the code."""
        code, told = self.get_query_argument("code", ""), ""
        if code and not self.name:
            told = await self._join(code)
        if code and not told:
            self.redirect(f"{self.service.base}phone")
        else:
            self.render("join.html", base=self.service.base, told=told)

    async def _join(self, code: str) -> str:
        """Let the phone in; return why not, or ""."""
        limiter = self.service.limiter
        if not limiter.test(WRONG_CODES, "codes"):
            return "Too many wrong codes were typed. Wait a minute."
        try:
            phone = self.service.room.join(code)
        except Refused as error:
            limiter.hit(WRONG_CODES, "codes")
            return f"That did not work: {error}."
        await self.service.changed()
        self.set_signed_cookie(
            COOKIE,
            phone,
            expires_days=COOKIE_DAYS,
            path=self.service.base,
            httponly=True,
            samesite="Lax",  # it comes along from a camera, and not with others' forms
        )
        return ""


class Phone(Anybody):
    """A request of a phone that has joined."""

    def prepare(self) -> None:
        """Refuse all others.

        Raises:
            HTTPError: 403 for who has not joined, 429 for who asks too often.
        """
        if not self.name:
            raise HTTPError(403)
        if not self.service.limiter.hit(PER_LEARNER, self.name):
            raise HTTPError(429)


class PhonePage(Phone):
    """The page with the question."""

    template = "me.html"

    def prepare(self) -> None:
        """Send who has not joined to where that is done."""
        if self.name:
            super().prepare()
        else:
            self.redirect(f"{self.service.base}join")

    def get(self) -> None:
        """Show it."""
        self.render(
            self.template,
            xsrf="",
            base=self.service.base,
            page="phone",
            **voter_view(self.service.room, self.name),
        )


class PhonePart(PhonePage):
    """The part of that page which changes."""

    template = "me_part.html"


class PhoneStream(Streaming, Phone):
    """Tells the page to fetch that part again."""

    def message(self) -> str:
        """Something that changes when the part does."""
        return sign(voter_view(self.service.room, self.name))


class PhoneVote(Phone):
    """A vote from the page, also from one without scripts."""

    async def post(self) -> None:
        """Take it in and show the page again."""
        if take_vote(self, self.service.room, self.name):
            await self.service.changed()
        self.redirect(f"{self.service.base}phone", status=303)
