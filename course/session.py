"""What runs first in a learner's session of a workshop: notebooks, then the server.

The session has no network. Its Jupyter server answers on a socket that was opened
outside and handed in; COURSE_LISTEN says under which number.
"""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path

LISTEN_VARIABLE = "COURSE_LISTEN"
NOTEBOOKS = Path.home() / "notebooks"
RELEASED = Path("/srv/exchange/tf-parallel-course/outbound")


def main() -> None:
    """Get what was released and is not here yet, then serve until the session ends."""
    get_notebooks(RELEASED, NOTEBOOKS)
    os.chdir(NOTEBOOKS)
    os.set_inheritable(int(os.environ[LISTEN_VARIABLE]), False)  # it is the server's
    from jupyterhub.singleuser import main as serve

    serve()


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
