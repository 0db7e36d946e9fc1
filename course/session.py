"""What runs first in a learner's session of a workshop: notebooks, then the server.

The session has no network. Its Jupyter server answers on a socket that was opened
outside and handed in; COURSE_LISTEN says under which number.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import socket
import sys
from pathlib import Path

from course.kernels.zygote import Adopted

LISTEN_VARIABLE = "COURSE_LISTEN"
NOTEBOOKS = Path.home() / "notebooks"
RELEASED = Path("/srv/exchange/tf-parallel-course/outbound")


def main() -> None:
    """Get what was released and is not here yet, then serve until the session ends.

    The server is a fork of the zygote, or this process where there is none.
    """
    get_notebooks(RELEASED, NOTEBOOKS)
    listening = int(os.environ[LISTEN_VARIABLE])
    request = {"env": dict(os.environ), "cwd": str(NOTEBOOKS), "args": sys.argv[1:]}
    try:
        server = Adopted("serve", request, listening)
    except (OSError, KeyError) as error:
        print(f"the server starts afresh: {error!r}", file=sys.stderr)
        serve(request, listening)
    else:
        os.close(listening)
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, lambda number, _: os.kill(server.pid, number))
        server.join()


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


def get_notebooks(released: Path, mine: Path) -> None:
    """Copy each released notebook of which there is no copy; touch no other."""
    mine.mkdir(parents=True, exist_ok=True)
    for folder in sorted(released.iterdir()) if released.is_dir() else ():
        if not (mine / folder.name).exists():
            part = mine / f".{folder.name}.part"
            shutil.rmtree(part, ignore_errors=True)
            shutil.copytree(folder, part)
            for each in (part, *part.rglob("*")):  # the exchange's are read-only
                each.chmod(0o755 if each.is_dir() else 0o644)
            part.rename(mine / folder.name)


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "course.session"}]


def _load_jupyter_server_extension(app) -> None:
    """Nothing to load: the socket can be taken over once the server runs."""


async def _start_jupyter_server_extension(app) -> None:
    """Let the server answer on the socket that was handed in."""
    handed = socket.socket(fileno=int(os.environ[LISTEN_VARIABLE]))
    handed.setblocking(False)
    app.http_server.add_socket(handed)


if __name__ == "__main__":
    main()
