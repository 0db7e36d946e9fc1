"""Solution notebooks with outputs: each runs once and is cached by its content.

The tests of the limits, the site and the pictures share one cache folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import nbformat
import psutil
from nbformat import NotebookNode
from rich.console import Console

from autograder.check import results_of, run_copy
from autograder.places import CourseError, Places
from course.checks.verdicts import Outcome
from course.kernels.warm import NAME as WARM
from course.kernels.warm import PROVISIONER_VARIABLE
from course.whole_files import write_whole

STORE = Path("artifacts", "executed")  # below the course's root
PEAK = "peak_bytes"  # in the notebook's metadata
BETWEEN_LOOKS = 0.3  # seconds


def executed(
    places: Places,
    name: str,
    console: Console,
    *,
    again: bool = False,
    store: Path | None = None,
) -> NotebookNode:
    """Return a solution notebook with its outputs.

    It runs only if its code cells, or the package that they use, changed since the
    cached run. `metadata.peak_bytes` is the peak memory of its kernel and the kernel's
    children (proportional set size). The times of its cells are in their metadata
    after a run, but not in a cached copy.

    Args:
        places: of the course.
        name: the notebook's.
        console: shows how far a run is.
        again: run it even if a cached copy fits.
        store: the cache folder; by default the course's.

    Raises:
        CourseError: a check is not RIGHT; nothing is cached.
    """
    store = store or places.root / STORE
    path = store / f"{name}-{_content(places, name)}.ipynb"
    if path.is_file() and not again:
        return _with_outputs(places.solution(name), path)
    os.environ.setdefault(PROVISIONER_VARIABLE, WARM)
    with (
        tempfile.TemporaryDirectory(prefix="course-executed-") as folder,
        # nobody's predictions stand on a page, nor what an old list of fonts lacks
        mock.patch.dict(os.environ, COURSE_DATA_DIR=folder, MPLCONFIGDIR=folder),
        peak_memory() as peak,
    ):
        notebook = run_copy(places.solution(name), console)
    wrong = [each for each in results_of(notebook) if each.outcome != Outcome.RIGHT]
    if wrong:
        lines = "\n".join(f"{w.exercise} {w.outcome}: {w.message}" for w in wrong)
        raise CourseError(f"{name} is not right:\n{lines}")
    notebook.metadata[PEAK] = peak()
    for older in store.glob(f"{name}-*.ipynb"):
        older.unlink()
    write_whole(path, nbformat.writes(notebook).encode())
    return notebook


@contextlib.contextmanager
def peak_memory() -> Iterator[Callable[[], int]]:
    """Sample the memory of this process's kernels; yield a function for the peak.

    In bytes of proportional set size: memory that processes share counts once.
    """
    peak, done = [0], threading.Event()

    def watch() -> None:
        while not done.wait(BETWEEN_LOOKS):
            peak[0] = max(peak[0], _memory_of_kernels())

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield lambda: peak[0]
    finally:
        done.set()
        watching.join()


def _memory_of_kernels() -> int:
    total = 0
    for child in psutil.Process().children(recursive=True):
        try:
            if "python" in child.name():
                total += child.memory_full_info().pss
        except psutil.Error:
            continue  # it ended while we looked
    return total


def _with_outputs(path: Path, kept: Path) -> NotebookNode:
    """The notebook as it is now, whose text may have changed, with what cells gave."""
    notebook, ran = (nbformat.read(each, as_version=4) for each in (path, kept))
    outputs = {cell.id: cell.get("outputs") for cell in ran.cells}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = outputs[cell.id]
    for key in ("widgets", PEAK):
        notebook.metadata[key] = ran.metadata.get(key, {})
    return notebook


def _content(places: Places, name: str) -> str:
    """A short hash of what a run depends on: its cells, and the course's package."""
    digest = hashlib.sha256()
    notebook = nbformat.read(places.solution(name), as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            digest.update(f"{cell.id} {cell.source}".encode() + b"\0")
    lesson = places.lesson(name)
    for path in sorted((places.root / "course").rglob("*")):
        others = path.is_relative_to(lesson.parent) and lesson not in path.parents
        if path.suffix in (".py", ".js", ".css") and not others:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
