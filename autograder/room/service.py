"""The service: one room, its pages, the sockets it listens on."""

from __future__ import annotations

import asyncio
import hmac
import logging
import os
import resource
import signal
import socket
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
from jupyterhub.httpclient import JupyterHubHTTPClient
from jupyterhub.services.auth import HubOAuth, HubOAuthCallbackHandler
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets, bind_unix_socket
from tornado.web import Application, RequestHandler, StaticFileHandler

from autograder.room import catalogue, instructor_pages, learner_pages, store
from autograder.room.reports import BODY_BYTES
from autograder.room.state import Room
from autograder.room.stream import Bell
from autograder.workshop import node

HERE = Path(__file__).resolve().parent
HUB_SECONDS = 10  # for the hub to say whose token this is
REMEMBER_SECONDS = 60  # what it said; a role that is taken away ends within this time
BODY_SECONDS = 10  # for a whole request to arrive
IDLE_SECONDS = 30
LIBRARIES = {
    "d3.min.js": "d3/dist/d3.min.js",
    "plot.umd.min.js": "@observablehq/plot/dist/plot.umd.min.js",
}
_LOG = logging.getLogger(__name__)


class Service:
    """What all requests share.

    base: path of the service, such as "/services/room/".
    state: file that the room is kept in, or None.
    """

    def __init__(self, base: str, room: Room, state: Path | None) -> None:
        self.base, self.room = base, room
        self.bell = Bell()
        self.keeper = store.Keeper(state, room.to_data)
        self.limiter = MovingWindowRateLimiter(MemoryStorage())
        self.known_tokens: set[str] = set()
        self.streams: Counter[str] = Counter()  # open ones, by name

    async def changed(self) -> None:
        """Tell the pages that something changed, and return once it is kept."""
        self.bell.ring()
        await self.keeper.kept()


class Static(StaticFileHandler):
    """A file of the pages: asked for anew each time, since modules have no version."""

    def set_extra_headers(self, path: str) -> None:
        """Let browsers keep it, but ask whether it changed."""
        self.set_header("Cache-Control", "no-cache")
        self.set_header("X-Content-Type-Options", "nosniff")


class Library(StaticFileHandler):
    """One of the two libraries, from npm's folder, and nothing else of it."""

    def initialize(self, folder: Path) -> None:
        """Serve from `folder`."""
        super().initialize(str(folder))

    def parse_url_path(self, url_path: str) -> str:
        """Map the short name to the file."""
        return LIBRARIES[url_path]


def make_application(
    service: Service, secret: bytes, modules: Path, way: str
) -> Application:
    """Return the pages of `service`.

    Args:
        service: what they show.
        secret: signs the cookies.
        modules: the folder of the libraries.
        way: by which requests come; each has its own limit for unknown tokens.
    """
    names = "|".join(name.replace(".", r"\.") for name in LIBRARIES)
    shared = {"service": service}
    routes = {
        "": instructor_pages.RoomPage,
        "texts": instructor_pages.Texts,
        "stream": instructor_pages.RoomStream,
        "step": instructor_pages.Step,
        r"export\.(json|csv)": instructor_pages.Export,
        "report": learner_pages.ReportIn,
        "me": learner_pages.LearnerPage,
        "me/part": learner_pages.LearnerPart,
        "me/stream": learner_pages.LearnerStream,
        "me/vote": learner_pages.VoteIn,
        "me/name": learner_pages.NameIn,
    }
    return Application(
        [
            (service.base + f"library/({names})", Library, {"folder": modules}),
            (service.base + "oauth_callback", HubOAuthCallbackHandler),
            *[(service.base + path, page, shared) for path, page in routes.items()],
        ],
        cookie_secret=secret,
        way=way,
        template_path=str(HERE / "templates"),
        static_handler_class=Static,
        static_path=str(HERE / "static"),
        static_url_prefix=service.base + "static/",
        log_function=_log_faults,
    )


def _log_faults(handler: RequestHandler) -> None:
    # learners' requests are no business of a log; what went wrong inside is
    if handler.get_status() >= 500:
        request = handler.request
        _LOG.error("%s %s %s", handler.get_status(), request.method, request.path)


async def run() -> None:
    """Serve until the hub, or Ctrl-C, ends it. Settings come from the environment."""
    _allow_many_files()
    # the two objects that JupyterHub's own handlers use
    HubOAuth.instance(cache_max_age=REMEMBER_SECONDS)
    JupyterHubHTTPClient.instance(
        session_options={"timeout": aiohttp.ClientTimeout(total=HUB_SECONDS)}
    )
    base = os.environ["JUPYTERHUB_SERVICE_PREFIX"]
    kept = os.environ.get("COURSE_ROOM_STATE")
    state = Path(kept) if kept else None
    loop = asyncio.get_running_loop()
    known, modules = await asyncio.gather(
        loop.run_in_executor(None, catalogue.load),
        loop.run_in_executor(None, node.modules),
    )
    room = Room(known)
    found = store.load(state)
    if found:
        try:
            room.restore(found)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            _LOG.warning("The room begins empty; its state is damaged: %r", error)
    service = Service(base, room, state)
    token = os.environ["JUPYTERHUB_API_TOKEN"]
    # from the token, so that a restart signs nobody out
    secret = hmac.digest(token.encode(), b"cookies of the room", "sha256")
    servers = []
    for way, opened in _sockets().items():
        server = HTTPServer(
            make_application(service, secret, modules, way),
            max_body_size=BODY_BYTES,
            body_timeout=BODY_SECONDS,
            idle_connection_timeout=IDLE_SECONDS,
        )
        server.add_sockets(opened)
        servers.append(server)
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await stop.wait()
    for server in servers:
        server.stop()
    service.keeper.write()


def _sockets() -> dict[str, list[socket.socket]]:
    """Return the sockets for browsers, by way of the proxy, and for learners' servers.

    Who reaches one must still show the hub's token.
    """
    url = urlsplit(os.environ.get("JUPYTERHUB_SERVICE_URL", "http://127.0.0.1:10180"))
    path = os.environ.get("COURSE_ROOM_SOCKET")
    # the folder says who reaches it
    servers = [bind_unix_socket(path, mode=0o666)] if path else []
    return {"browsers": bind_sockets(url.port, url.hostname), "servers": servers}


def _allow_many_files() -> None:
    """Let a client that holds many connections open use up nobody else's."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
