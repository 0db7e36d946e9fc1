"""In a workshop: what the buttons of notebooks and notices ask for, and what is new.

A Jupyter server extension, loaded after nbgrader's Assignment List, whose manager of
the exchange it shares. The other side is labextension/course-workshop.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import time
from typing import TYPE_CHECKING

from jupyter_server.base.handlers import APIHandler, JupyterHandler
from jupyter_server.utils import url_path_join
from tornado import web

from workshop.inside.exchange import Exchange, Refused
from workshop.inside.live_view import TOKEN_VARIABLE, URL_VARIABLE
from workshop.inside.votes import Votes

if TYPE_CHECKING:
    from jupyter_server.serverapp import ServerApp

LOOK_SECONDS = 30.0  # a look costs a tenth of a second
BACK = """<!DOCTYPE html>
<html lang="en">
<title>Back</title>
<meta name="color-scheme" content="light dark">
<body style="font: 1.2rem/1.5 system-ui, sans-serif; padding: 2rem">
<h1>You are back</h1>
<p>The tab with your notebook goes on. You can close this one.</p>
<script>if (window.opener) window.close();</script>
"""
NAME = re.compile(r"[\w.-]+")


class News:
    """What a learner should hear of: a notebook, feedback, a vote.

    server: tells this server from those before it.
    """

    def __init__(self, exchange: Exchange, votes: Votes | None) -> None:
        self.server = secrets.token_hex(8)
        self._exchange, self._votes = exchange, votes
        self._seen: tuple[int, ...] = ()
        self._feedback: list[str] = []
        self._released: list[str] = []
        self._until = 0.0

    def look_again(self) -> None:
        """Something was fetched: it is news no more."""
        self._seen = ()

    def now(self) -> list[dict]:
        """All that is new: messages, each with a button and its command."""
        self._look()
        news = [
            _piece(f"{name} was handed out.", "Open it", "course:get", name)
            for name in self._released
        ]
        for name in self._feedback:
            message = f"Feedback on {name} is here."
            news.append(_piece(message, "Open it", "course:feedback", name))
        vote = self._votes and self._votes.open
        if vote:
            again = " once more" if vote["second"] else ""
            message = f"The room votes{again}: {vote['title']}."
            news.append(_piece(message, "Open the question", "course:vote", ""))
        return news

    def _look(self) -> None:
        """See what is in the exchange, if something in it changed."""
        try:
            folders = map(self._exchange.folder, ("feedback", "outbound"))
            seen = tuple(os.stat(each).st_mtime_ns for each in folders)
            if seen != self._seen or time.monotonic() > self._until:
                self._released = self._exchange.released()
                self._feedback = self._exchange.new_feedback()
                self._seen, self._until = seen, time.monotonic() + LOOK_SECONDS
        except (OSError, Refused):
            self._seen = ()  # the next look may see more


def _piece(message: str, label: str, command: str, name: str) -> dict:
    """A piece of news, and the button below it."""
    return {"message": message, "label": label, "command": command, "name": name}


class _Handler(APIHandler):
    def initialize(self, exchange: Exchange, news: News) -> None:
        self.exchange, self.news = exchange, news

    def asked(self) -> str:
        """The name of the notebook that was asked for.

        Raises:
            HTTPError: it is no name.
        """
        name = (self.get_json_body() or {}).get("name")
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise web.HTTPError(400, "name: which notebook?")
        return name

    def refuse(self, error: Refused) -> None:
        self.set_status(409)
        self.finish(json.dumps({"message": str(error)}))


class HandIn(_Handler):
    """Hand a notebook in."""

    @web.authenticated
    def post(self) -> None:
        """Say when it arrived, and how far it is."""
        try:
            arrived = self.exchange.hand_in(self.asked())
        except Refused as error:
            return self.refuse(error)
        said = {"at": arrived.at.isoformat(), "answers": arrived.answers}
        self.finish(json.dumps(said))


class GetFeedback(_Handler):
    """Fetch the feedback on a notebook."""

    @web.authenticated
    def post(self) -> None:
        """Say where its page is."""
        try:
            page = self.exchange.fetch_feedback(self.asked()).page
        except Refused as error:
            return self.refuse(error)
        self.news.look_again()
        self.finish(json.dumps({"page": page}))


class GetReleased(_Handler):
    """Fetch what was handed out."""

    @web.authenticated
    def post(self) -> None:
        """Put it into the learner's folder."""
        self.exchange.get_released()
        self.news.look_again()
        self.finish("{}")


class GetNews(_Handler):
    """What is new."""

    @web.authenticated
    def get(self) -> None:
        """Say it, and which server this is: kernels of an earlier one are gone."""
        self.finish(json.dumps({"server": self.news.server, "news": self.news.now()}))


class Back(JupyterHandler):
    """Where the tab arrives in which the server was started, or who signed in."""

    @web.authenticated
    def get(self) -> None:
        """Say that they are back, and close the tab."""
        self.finish(BACK)


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "workshop.inside.handing_in"}]


def _load_jupyter_server_extension(server: ServerApp) -> None:
    """Answer under `course/`."""
    settings = server.web_app.settings
    exchange = Exchange(settings["assignment_list_manager"])
    url, token = os.environ.get(URL_VARIABLE), os.environ.get(TOKEN_VARIABLE)
    votes = Votes(url, token, server.log) if url and token else None
    if votes is not None:
        server.io_loop.add_callback(votes.listen)
    shared = {"exchange": exchange, "news": News(exchange, votes)}
    handlers = {"hand-in": HandIn, "feedback": GetFeedback}
    handlers |= {"released": GetReleased, "news": GetNews}
    server.web_app.add_handlers(
        ".*$",
        [
            (url_path_join(settings["base_url"], "course", path), handler, shared)
            for path, handler in handlers.items()
        ]
        + [(url_path_join(settings["base_url"], "course/back"), Back)],
    )
