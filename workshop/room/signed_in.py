"""Who asks, and may they? The hub knows; nothing in a request's body does."""

from __future__ import annotations

import hashlib
import time

from jupyterhub.services.auth import HubOAuthenticated, UserNotAllowed
from limits import RateLimitItem, RateLimitItemPerSecond
from tornado.web import HTTPError, RequestHandler

from workshop.room.hub_settings import INSTRUCT
from workshop.room.reports import BODY_BYTES, Refused, parse_body
from workshop.room.shared import Service

# a learner's server reports once a second at most, and a hand clicks no faster
PER_LEARNER = RateLimitItemPerSecond(30, 10)
# each token not heard of before costs the hub a question; a room comes all at once
UNKNOWN_TOKENS = RateLimitItemPerSecond(200, 5)
MOST_TOKENS = 10_000
AWAY_SECONDS = 600  # for which the hub's last word counts, while it does not answer
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def protect(handler: RequestHandler) -> None:
    """Let a page load nothing from elsewhere, and nobody keep or frame it."""
    handler.set_header("Content-Security-Policy", POLICY)
    handler.set_header("X-Content-Type-Options", "nosniff")
    handler.set_header("Referrer-Policy", "same-origin")
    handler.set_header("Cache-Control", "no-store")
    handler.clear_header("Server")


class SignedIn(HubOAuthenticated, RequestHandler):
    """A request of somebody whom the hub knows.

    sends_to_login: whether a browser that is not signed in is sent to the hub; else
        the answer is 403.
    """

    service: Service
    sends_to_login = False

    def initialize(self, service: Service) -> None:
        """Take in what all requests share."""
        self.service = service

    def set_default_headers(self) -> None:
        """Let pages load nothing from elsewhere, and nobody keep or frame them."""
        protect(self)

    async def prepare(self) -> None:
        """Ask the hub who this is, without keeping other requests waiting.

        Raises:
            HTTPError: 403 for who may not, 429 for who asks too often.
        """
        token = self.hub_auth.get_token(self) or ""
        digest = hashlib.sha256(token.encode()).hexdigest()
        if token:
            self._limit(*self._before_asking(digest))
        model = await self._ask_hub(digest)
        if model is None:
            if not self.sends_to_login:
                raise HTTPError(403)
            self.redirect(self.get_login_url())
            return
        known = self.service.known_tokens
        if len(known) < MOST_TOKENS:
            known.add(digest)
        try:
            self.current_user = self.check_hub_user(model)
        except UserNotAllowed:
            raise HTTPError(403) from None
        if model["kind"] != "user":
            raise HTTPError(403)
        self._limit(PER_LEARNER, self.name)
        if self.hub_auth.check_scopes({INSTRUCT}, model):
            self.service.room.is_instructor(self.name)

    async def _ask_hub(self, digest: str) -> dict | None:
        """Return what the hub says, or said not long ago where it does not answer now.

        Raises:
            HTTPError: it does not answer, and never said anything of this token; or the
                request is not one of our own pages (403).
        """
        said, now = self.service.said, time.monotonic()
        try:
            model = await self.hub_auth.get_user(self, sync=False)
        except HTTPError as error:
            when, model = said.get(digest, (0.0, None))
            if error.status_code < 500 or model is None or now - when > AWAY_SECONDS:
                raise
            return model
        if model is not None and (digest in said or len(said) < MOST_TOKENS):
            said[digest] = now, model
        else:
            said.pop(digest, None)
        return model

    def _before_asking(self, digest: str) -> tuple[RateLimitItem, str]:
        """Return the limit on questions to the hub: a token's own, if it is known."""
        if digest in self.service.known_tokens:
            return PER_LEARNER, digest
        # who guesses on the servers' socket does not keep browsers out, nor the reverse
        return UNKNOWN_TOKENS, self.settings["way"]

    def _limit(self, limit: RateLimitItem, key: str) -> None:
        if not self.service.limiter.hit(limit, key):
            raise HTTPError(429)

    @property
    def name(self) -> str:
        """The name of who asks, as the hub knows it."""
        return self.current_user["name"]

    def body(self) -> dict:
        """Return the request's JSON object.

        Raises:
            HTTPError: there is none.
        """
        if len(self.request.body) > BODY_BYTES:
            raise HTTPError(413)
        try:
            return parse_body(self.request.body)
        except Refused as error:
            raise HTTPError(400, str(error)) from error

    def write_error(self, status_code: int, **what: object) -> None:
        """Say in a sentence what to do, and nothing about the inside."""
        if status_code == 429:
            self.set_header("Retry-After", "5")
        if self.sends_to_login and status_code == 403:
            self.render("refused.html", me=self.service.base + "me")
        else:
            self.finish({"error": self._reason})


class Instructs(SignedIn):
    """A request that only an instructor may make: the hub's roles say who is one."""

    @property
    def hub_scopes(self) -> set[str]:
        """The scope that is asked for."""
        return {INSTRUCT}
