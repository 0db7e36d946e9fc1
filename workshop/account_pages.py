"""The hub's pages about accounts: what they refuse that it would let pass."""

from __future__ import annotations

import asyncio
import socket

from jupyterhub import handlers as hub
from limits import RateLimitItemPerMinute, RateLimitItemPerSecond
from nativeauthenticator import handlers
from nativeauthenticator.handlers import admin_users_scope
from nativeauthenticator.orm import UserInfo
from tornado.httputil import HTTPServerRequest
from tornado.web import HTTPError, RequestHandler

A_MINUTE = RateLimitItemPerMinute(60)  # from one address: a room may share it
TRIES, WAIT_SECONDS = 5, 60  # wrong, with one name from one address
OF_A_NAME = RateLimitItemPerSecond(TRIES, WAIT_SECONDS)
A_SESSION = "a session"  # the address of all learners' sessions


def address_of(request: HTTPServerRequest) -> str:
    """Where a request comes from, as far as its sender can't choose.

    Sessions come by the Unix socket and all else through the proxy, which appends its
    peer to X-Forwarded-For and passes what a browser itself says of addresses, such as
    X-Real-Ip; tornado's `remote_ip` believes that.
    """
    context = request.connection.context
    if context.address_family not in (socket.AF_INET, socket.AF_INET6):
        return A_SESSION
    last = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    return last or context.address[0]


def opens_a_page(request: HTTPServerRequest) -> bool:
    """Whether a person went to this address, or a script with a token did.

    A picture in a notebook makes the reader's browser ask for any address, with the
    reader's cookies.
    """
    wanted = request.headers.get("Sec-Fetch-Dest")
    if wanted is not None:
        return wanted == "document"
    # No browser, or one that says less: old, or at an address it does not trust. None
    # asks for text/html for a picture, nor sends a token with it.
    asked = request.headers.get("Accept", "")
    return "text/html" in asked or "Authorization" in request.headers


class OpenedOnly:
    """A page that changes something by GET, which only who opens it may do."""

    async def prepare(self):
        """Refuse what a picture or a script without a token asks for."""
        await super().prepare()
        if self.request.method == "GET" and not opens_a_page(self.request):
            raise HTTPError(403, "Only a page that you open yourself does this.")


def opened_only(page: type[RequestHandler]) -> type[RequestHandler]:
    """The same page, for who opens it."""
    return type(page.__name__, (OpenedOnly, page), {})


class SignUp(handlers.SignUpHandler):
    """Where learners register: not all at once."""

    async def post(self):
        """Register, in turn; HTTPError where too many from one address did."""
        accounts, address = self.authenticator, address_of(self.request)
        async with accounts.turn(address):
            if not accounts.limits.hit(A_MINUTE, "registered", address):
                raise HTTPError(429, "Too many registrations from here. Wait a minute.")
            await super().post()
            # it has hashed within the event loop: now the others' requests
            await asyncio.sleep(0.05)


class ChangePassword(handlers.ChangePasswordHandler):
    """Where learners change their password: it hashes within the event loop, too."""

    async def post(self):
        """Change it; HTTPError where one person did so too often."""
        user, limits = self.current_user, self.authenticator.limits
        if user and not limits.hit(OF_A_NAME, "changed", user.name):
            raise HTTPError(429, "Too many changes. Wait a minute.")
        await super().post()


class AuthorizationArea(handlers.AuthorizationAreaHandler):
    """Where the instructor lets registered learners in: also all at once."""

    @admin_users_scope
    async def post(self):
        """Approve those whom the page showed, and no one who registered since."""
        shown = self.get_body_arguments("name")
        for each in self.db.query(UserInfo).filter(UserInfo.username.in_(shown)):
            each.is_authorized = True
        self.db.commit()
        self.redirect(self.hub.base_url + "authorize", status=303)


CHANGES_BY_GET = (
    handlers.DiscardHandler,
    handlers.ToggleAuthorizationHandler,
    handlers.EmailAuthorizationHandler,
    hub.login.LogoutHandler,
    hub.pages.SpawnHandler,
)
INSTEAD = {page: opened_only(page) for page in CHANGES_BY_GET} | {
    # NativeAuthenticator's form needs an attribute that JupyterHub 6 has dropped
    handlers.LoginHandler: hub.login.LoginHandler,
    handlers.SignUpHandler: SignUp,
    handlers.AuthorizationAreaHandler: AuthorizationArea,
    handlers.ChangePasswordHandler: ChangePassword,
}
