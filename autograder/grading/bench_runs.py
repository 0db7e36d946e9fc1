"""The two runs of the benchmark: stock nbgrader and `course grade`, each measured."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import Gradebook

from autograder.grading.bench_memory import Memory
from autograder.places import CourseError, Places
from autograder.records import Records

STOCK_SETTINGS = """
import time
from pathlib import Path
from nbclient import NotebookClient
from autograder.nbgrader_settings import configure

configure(get_config(), Path({root!r}))
the_real_one = NotebookClient.execute_cell  # nbgrader reads this file several times

def execute_cell(self, cell, *arguments, **options):
    began = time.monotonic()
    try:
        return the_real_one(self, cell, *arguments, **options)
    finally:
        if cell.cell_type == "code":
            with open({times!r}, "a") as file:
                print(time.monotonic() - began, file=file)

if the_real_one.__name__ != "execute_cell":
    NotebookClient.execute_cell = execute_cell
"""


@dataclass
class Run:
    """What one run took.

    wall: seconds from start to end.
    cells: seconds that code cells were executed, all submissions together.
    scores: (student, notebook) -> the automatic score of each check, where given.
    around: seconds before the first submission and after the last one.
    parts: part of the work -> the seconds of each submission.
    kernel_memory, server_memory, coordinator_memory: the largest seen, in bytes.
    """

    wall: float
    cells: float
    scores: dict[tuple[str, str], tuple]
    around: float = 0.0
    parts: dict[str, list[float]] = field(default_factory=dict)
    kernel_memory: float | None = None
    server_memory: float | None = None
    coordinator_memory: float | None = None

    def overhead(self, count: int) -> float:
        """Seconds for one submission besides its cells, its share of `around` in."""
        busy = sum(self.parts["take"]) + sum(self.parts["task"])
        busy += sum(self.parts["settle"]) + sum(self.parts["judge"])
        return (busy - sum(self.parts["cells"]) + self.around) / count


def grade_stock(submissions: Path, places: Places, seed: int) -> Run:
    """`nbgrader autograde` for each notebook: ordinary kernels, one at a time."""
    shutil.copytree(submissions, places.root / "autograder" / "submitted")
    workshop = places.root / "stock"
    workshop.mkdir()
    times = workshop / "times"
    settings = STOCK_SETTINGS.format(root=str(places.root), times=str(times))
    (workshop / "nbgrader_config.py").write_text(settings, encoding="utf-8")
    env = {
        **os.environ,
        "COURSE_SEED": str(seed),
        "JUPYTER_DEFAULT_PROVISIONER_NAME": "local-provisioner",
    }
    wall, memory = 0.0, Memory()
    for name in sorted({path.name for path in submissions.glob("*/*")}):
        command = [sys.executable, "-m", "nbgrader", "autograde", name]
        seconds, _ = _watched(command, env, workshop, memory)
        wall += seconds
    cells = sum(map(float, times.read_text().split()))
    return Run(wall, cells, _scores(places), kernel_memory=memory.ordinary_kernel)


def grade_ours(submissions: Path, places: Places, seed: int, jobs: int) -> Run:
    """`course grade`, with a clock in its parts."""
    times = places.root / "times.json"
    code = (
        "from autograder import no_grammar\n"
        "from autograder.grading.bench_clock import start\n"
        f"start({str(times)!r})\nfrom autograder.cli import main\nmain()"
    )
    command = [sys.executable, "-P", "-c", code, "grade", str(submissions)]
    command += ["--root", str(places.root), "--seed", str(seed), "--jobs", str(jobs)]
    memory = Memory()
    wall, code = _watched(command, dict(os.environ), places.root, memory)
    if code:
        said = (places.root / "run.log").read_text(errors="replace")
        raise CourseError(f"course grade ended with code {code}:\n{said[-2000:]}")
    measured = json.loads(times.read_text(encoding="utf-8"))
    cells = sum(each.execution_seconds for each in Records(_records(places)))
    return Run(
        wall,
        cells,
        _scores(places),
        wall - measured["busy_for"],
        measured["parts"],
        memory.forked_kernel,
        memory.server,
        memory.main,
    )


def _watched(
    command: list[str], env: dict[str, str], cwd: Path, memory: Memory
) -> tuple[float, int]:
    """Run a command to its end; return its seconds and its exit code."""
    with (cwd / "run.log").open("ab") as log:
        began = time.perf_counter()
        running = subprocess.Popen(
            command, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
        with memory.watching(running.pid):
            code = running.wait()
        return time.perf_counter() - began, code


def _records(places: Places) -> Path:
    return places.results / "records"


def _scores(places: Places) -> dict[tuple[str, str], tuple]:
    found = {}
    with Gradebook(f"sqlite:///{places.gradebook}") as gradebook:
        for assignment in gradebook.assignments:
            for submission in gradebook.assignment_submissions(assignment.name):
                grades = [g for n in submission.notebooks for g in n.grades]
                given = {each.name: each.auto_score for each in grades}
                if None not in given.values():
                    key = submission.student.id, assignment.name
                    found[key] = tuple(sorted(given.items()))
    return found
