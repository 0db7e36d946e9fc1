"""The limits of grading, read from limits.toml."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path

from autograder.places import CourseError
from course.kernels.cage import Cage

FILE = Path(__file__).with_name("limits.toml")


@dataclass(frozen=True)
class Limits:
    """What one submission may use: seconds, bytes and counts."""

    cell_seconds: float
    interrupt_seconds: float
    notebook_seconds: float
    memory: int
    processes: int
    tasks: int
    cell_output: int
    notebook_output: int
    disk: int
    file: int
    cells: int
    source: int

    def cage(self, folder: str, view: str) -> dict:
        """The limits of a caged kernel.

        Args:
            folder: where its sockets are.
            view: holds what it sees of the course.
        """
        return asdict(
            Cage(folder, self.memory, self.disk, self.processes, self.tasks, view)
        )


def read_limits(path: Path = FILE) -> Limits:
    """Read the limits; CourseError says what is wrong with the file."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        mega, time = 2**20, table["time"]
        return Limits(
            cell_seconds=float(time["cell"]),
            interrupt_seconds=float(time["interrupt"]),
            notebook_seconds=float(time["notebook"]),
            memory=int(table["memory"]["gigabytes"] * 2**30),
            processes=int(table["processes"]["count"]),
            tasks=int(table["processes"]["tasks"]),
            cell_output=int(table["output"]["megabytes_per_cell"] * mega),
            notebook_output=int(table["output"]["megabytes_per_notebook"] * mega),
            disk=int(table["disk"]["megabytes"] * mega),
            file=int(table["file"]["megabytes"] * mega),
            cells=int(table["file"]["cells"]),
            source=int(table["file"]["kilobytes_of_code_per_cell"] * 2**10),
        )
    except KeyError as error:
        raise CourseError(f"{path}: the limit {error} is missing.") from None
    except (OSError, ValueError, TypeError) as error:
        raise CourseError(f"{path} can't be read: {error}") from None
