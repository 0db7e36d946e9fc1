"""Runs the room: its state, and the sockets that it listens on."""

from __future__ import annotations

import asyncio
import hmac
import logging
import os
import signal
import socket
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
from jupyterhub.httpclient import JupyterHubHTTPClient
from jupyterhub.services.auth import HubOAuth
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets, bind_unix_socket

from autograder.open_files import allow_many_files
from autograder.places import course_places
from workshop import node, options
from workshop.folders import Folders
from workshop.room import catalogue, store
from workshop.room.application import make_application
from workshop.room.day import Day
from workshop.room.real_names import RealNames
from workshop.room.reports import BODY_BYTES
from workshop.room.shared import Service
from workshop.room.state import Room

HUB_SECONDS = 5  # for the hub to say whose token this is
REMEMBER_SECONDS = 60  # what it said; a role that is taken away ends within this time
BODY_SECONDS = 10  # for a whole request to arrive
IDLE_SECONDS = 30
_LOG = logging.getLogger(__name__)


async def run() -> None:
    """Serve until the hub, or Ctrl-C, ends it. Settings come from the environment."""
    allow_many_files()
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
    listed = os.environ.get("COURSE_ROOM_ACCOUNTS")
    room = Room(known, RealNames(Path(listed) if listed else None))
    found = store.load(state)
    if found:
        try:
            room.restore(found)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            _LOG.warning("The room begins empty; its state is damaged: %r", error)
    address = os.environ.get("COURSE_ROOM_ADDRESS", "")
    service = Service(base, room, state, address, _day(known))
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


def _day(known: catalogue.Catalogue) -> Day | None:
    """Return the class's files, where the workshop runs on this machine."""
    data = os.environ.get("COURSE_ROOM_WORKSHOP")
    if not data:
        return None
    folders = Folders(Path(data))
    chosen = options.load(folders)
    places = course_places(chosen.root)
    return Day(folders, places, known, register=bool(chosen.register))


def _sockets() -> dict[str, list[socket.socket]]:
    """Return the sockets for browsers, by way of the proxy, and for learners' servers.

    Who reaches one must still show the hub's token.
    """
    url = urlsplit(os.environ.get("JUPYTERHUB_SERVICE_URL", "http://127.0.0.1:10180"))
    path = os.environ.get("COURSE_ROOM_SOCKET")
    # the folder says who reaches it
    servers = [bind_unix_socket(path, mode=0o666)] if path else []
    return {"browsers": bind_sockets(url.port, url.hostname), "servers": servers}
