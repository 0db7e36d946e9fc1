"""The pages of the room, each under its path."""

from __future__ import annotations

import logging
from pathlib import Path

from jupyterhub.services.auth import HubOAuthCallbackHandler
from tornado.web import Application, RequestHandler, StaticFileHandler

from workshop.room import day_pages, instructor_pages, learner_pages, phone_pages
from workshop.room.shared import Service

HERE = Path(__file__).resolve().parent
LIBRARIES = {
    "d3.min.js": "d3/dist/d3.min.js",
    "plot.umd.min.js": "@observablehq/plot/dist/plot.umd.min.js",
}
_LOG = logging.getLogger(__name__)


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
        "ask": instructor_pages.Ask,
        "wall": instructor_pages.WallPage,
        "wall/stream": instructor_pages.WallStream,
        r"code\.svg": instructor_pages.Code,
        r"export\.(json|csv)": instructor_pages.Export,
        "day": day_pages.DayPage,
        "day/state": day_pages.DayState,
        "day/submissions": day_pages.DaySubmissions,
        "day/marks": day_pages.DayMarks,
        "day/run": day_pages.DayRun,
        "day/halt": day_pages.DayHalt,
        "day/((?:results|feedback)/.*)": day_pages.DayFile,
        "report": learner_pages.ReportIn,
        "me": learner_pages.LearnerPage,
        "me/part": learner_pages.LearnerPart,
        "me/stream": learner_pages.LearnerStream,
        "me/news": learner_pages.LearnerNews,
        "me/vote": learner_pages.VoteIn,
        "me/name": learner_pages.NameIn,
        "me/hand": learner_pages.HandIn,
        "join": phone_pages.Join,
        "phone": phone_pages.PhonePage,
        "phone/part": phone_pages.PhonePart,
        "phone/stream": phone_pages.PhoneStream,
        "phone/vote": phone_pages.PhoneVote,
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
