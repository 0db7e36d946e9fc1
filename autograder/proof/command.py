"""`course record`: keep what known answers give, and run kept ones again."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from rich.progress import Progress

from autograder.answers.reading import answer_files
from autograder.places import CourseError, Places

PROCESSES = 2
# all that a recording gets of the environment that it is started in
KEPT_VARIABLES = {
    *("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "PYTHONPATH"),
    *("LD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"),
}


def record_answers(
    places: Places, wanted: str | None, exercise: str | None, *, only_say: bool = False
) -> bool:
    """Record each answer whose record is stale; print what fails.

    It can be stopped at any time: what is finished is kept, and the next call goes on.

    Args:
        places: of the course.
        wanted: a notebook, by number, name or path; all by default.
        exercise: such as my_step; all of the notebook by default.
        only_say: print what is stale, and record nothing.

    Returns:
        Whether nothing is stale, and every answer got the verdict it is known for.
    """
    paths = files_of(places, wanted, exercise)
    lines = []
    with Progress() as progress, recorders(min(PROCESSES, len(paths))) as pool:
        task = progress.add_task("answers", total=len(paths))
        work = stale_lines if only_say else recorded
        running = {pool.submit(work, places, path): path for path in paths}
        for done in as_completed(running):
            path = running[done]
            progress.update(task, advance=1, description=name_of(path))
            try:
                found = done.result()
            except (CourseError, RuntimeError, TimeoutError) as error:
                found = [f"{name_of(path)}: {error}"]
            for line in found:
                progress.console.print(line, markup=False, highlight=False)
            lines += found
    return not lines


def files_of(
    places: Places, wanted: str | None, exercise: str | None = None
) -> list[Path]:
    """Return the files of answers to all notebooks, one notebook, or one exercise.

    Raises:
        CourseError: there is no such notebook, or it has no answers to the exercise.
    """
    paths = answer_files(places, places.find(wanted) if wanted else None)
    found = [path for path in paths if exercise in (None, path.stem)]
    if not found:
        known = ", ".join(path.stem for path in paths)
        raise CourseError(f"There are no answers to {exercise}, only to: {known}.")
    return found


def name_of(path: Path) -> str:
    """Return the name of a file of answers, such as 02/my_step."""
    return f"{path.parent.parent.name[:2]}/{path.stem}"


@contextlib.contextmanager
def recorders(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Give processes that record, and get nothing of this one's environment."""
    with tempfile.TemporaryDirectory(prefix="course-record-") as folder:
        pool = ProcessPoolExecutor(processes, get_context("spawn"), _settle, (folder,))
        try:
            yield pool
        finally:
            pool.shutdown(cancel_futures=True)


def _settle(folder: str) -> None:
    for name in set(os.environ) - KEPT_VARIABLES:
        del os.environ[name]
    os.environ |= {"COURSE_DATA_DIR": folder, "MPLBACKEND": "Agg"}
    os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what answers print is nobody's


def recorded(places: Places, path: Path) -> list[str]:
    """Record what is stale in one file of answers; return what failed."""
    from autograder.proof.recording import Room, bench_of, record

    return list(record(Room(places, path, bench_of(places, path))))


def stale_lines(places: Places, path: Path) -> list[str]:
    """Return a line for each answer of a file whose record is stale."""
    from autograder.proof.recording import Room, bench_of

    room = Room(places, path, bench_of(places, path))
    return [f"{name_of(path)}/{name}: {why}" for name, why in room.stale().items()]


def run_again(places: Places, path: Path, names: Sequence[str]) -> list[str]:
    """Run answers of a file again; return how they differ from their records."""
    from autograder.proof.recording import Room, bench_of, differences

    return differences(Room(places, path, bench_of(places, path)), names)
