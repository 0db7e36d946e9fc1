"""In a workshop, tells the room's service how far this learner is.

A Jupyter server extension. It does nothing unless COURSE_ROOM_URL and the hub's token
stand in the environment; nothing of it is imported before that is known.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jupyter_server.serverapp import ServerApp

URL_VARIABLE = "COURSE_ROOM_URL"  # ends with a slash; http+unix://... for a socket
TOKEN_VARIABLE = "JUPYTERHUB_API_TOKEN"


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "workshop.inside.live_view"}]


def _load_jupyter_server_extension(server: ServerApp) -> None:
    """Begin to report, where this server belongs to a workshop."""
    url, token = os.environ.get(URL_VARIABLE), os.environ.get(TOKEN_VARIABLE)
    if not url or not token:
        return
    try:
        from workshop.inside.reporter import Reporter
    except ImportError as error:
        server.log.warning("The instructor's live view gets no reports: %s", error)
        return
    server.io_loop.add_callback(Reporter(url, token, server.log).start)
