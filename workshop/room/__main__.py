"""Runs the room's service: `python -m workshop.room`, started by the hub or not."""

import asyncio
import logging
import os
import sys

from autograder.places import CourseError
from workshop.room.hub_settings import NAME


def main() -> None:
    """Serve until the end."""
    logging.basicConfig(format="room: %(message)s", level=logging.WARNING)
    # the hub sets these for a service that it starts; JupyterHub reads them at import
    os.environ.setdefault("JUPYTERHUB_SERVICE_NAME", NAME)
    os.environ.setdefault("JUPYTERHUB_CLIENT_ID", f"service-{NAME}")
    base = os.environ.get("JUPYTERHUB_BASE_URL", "/")
    os.environ.setdefault("JUPYTERHUB_SERVICE_PREFIX", f"{base}services/{NAME}/")
    from workshop.room.service import run

    try:
        asyncio.run(run())
    except CourseError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
