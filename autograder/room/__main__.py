"""Runs the room's service: `python -m autograder.room`, started by the hub."""

import asyncio
import logging
import sys

from autograder.places import CourseError
from autograder.room.service import run

if __name__ == "__main__":
    logging.basicConfig(format="room: %(message)s", level=logging.WARNING)
    try:
        asyncio.run(run())
    except CourseError as error:
        sys.exit(str(error))
