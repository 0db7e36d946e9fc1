"""What runs first in a learner's session of a workshop: notebooks, then the server.

Which socket the server takes over says COURSE_LISTEN (`workshop.inside.server`).
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path

from course.kernels.adopted import Adopted
from workshop.inside.server import LISTEN_VARIABLE, serve

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


if __name__ == "__main__":
    main()
