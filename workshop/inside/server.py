"""A session's Jupyter server. It has no network, and answers on a socket handed in.

The socket was opened outside; COURSE_LISTEN says under which number it is open here.
"""

from __future__ import annotations

import atexit
import os
import socket
import sys

LISTEN_VARIABLE = "COURSE_LISTEN"


def serve(request: dict, listening: int, leash: socket.socket | None = None) -> None:
    """Be the session's Jupyter server; return when it has ended.

    Args:
        request: its variables, `env`, its folder, `cwd`, and its options, `args`.
        listening: number of the socket that was handed in.
        leash: stays open as long as the server runs.
    """
    atexit._clear()  # what a process that this is a fork of would do at its end
    os.environ.clear()
    os.environ.update(request["env"], **{LISTEN_VARIABLE: str(listening)})
    os.chdir(request["cwd"])
    os.set_inheritable(listening, False)  # it is the server's, not the kernels'
    sys.argv = ["jupyterhub-singleuser", *request["args"]]
    from jupyterhub.singleuser import main as run

    run()
    atexit._run_exitfuncs()  # a fork ends by os._exit, which leaves them out


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "workshop.inside.server"}]


def _load_jupyter_server_extension(app) -> None:
    """Nothing to load: the socket can be taken over once the server runs."""


async def _start_jupyter_server_extension(app) -> None:
    """Let the server answer on the socket that was handed in."""
    handed = socket.socket(fileno=int(os.environ[LISTEN_VARIABLE]))
    handed.setblocking(False)
    app.http_server.add_socket(handed)
