"""`course record`: run answers whose records are stale, and keep what they give."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import tempfile
from collections.abc import Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from multiprocessing import get_context
from multiprocessing.queues import Queue
from pathlib import Path

from rich.progress import Progress

from autograder.answers.reading import answer_files
from autograder.places import CourseError, Places

PROCESSES = 2
LOOK = 0.3  # seconds between two looks at how far the processes are
# the only environment variables that a recording process gets from its caller
KEPT_VARIABLES = {
    *("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "PYTHONPATH"),
    *("LD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"),
}

_progress: Queue | None = None  # of a recording process: how many answers ran, or will


def record_answers(
    places: Places, wanted: str | None, exercise: str | None, *, only_say: bool = False
) -> bool:
    """Record each answer whose record is stale; print what fails.

    It can be stopped at any time: finished files of answers keep their records, and the
    next call goes on with the others.

    Args:
        places: of the course.
        wanted: a notebook, by number, name or path; all by default.
        exercise: such as my_step; all of the notebook by default.
        only_say: print which records are stale, and record nothing.

    Returns:
        Whether no record is stale, and every answer got the verdict it is known for.
    """
    paths = files_of(places, wanted, exercise)
    work = stale_lines if only_say else record_file
    failed, runs = 0, 0
    with Progress() as progress, recorders(min(PROCESSES, len(paths))) as pool:
        files = progress.add_task("files of answers", total=len(paths))
        answers = progress.add_task("runs of answers", total=0, visible=not only_say)
        running = {pool.submit(work, places, path): path for path in paths}
        while running:
            done, _ = wait(running, LOOK, FIRST_COMPLETED)
            for new, ran in _news(pool.progress):
                runs += new
                progress.update(answers, total=runs, advance=ran)
            for future in done:
                path = running.pop(future)
                progress.advance(files)
                try:
                    lines = future.result()
                except (CourseError, RuntimeError, TimeoutError) as error:
                    lines = [f"{name_of(path)}: {error}"]
                for line in lines:
                    progress.console.print(line, markup=False, highlight=False)
                failed += bool(lines)
    if not failed:
        print(f"Recorded {runs // 2} answers." if runs else "No record is stale.")
    return not failed


def _news(progress: Queue) -> Iterator[tuple[int, int]]:
    with contextlib.suppress(queue.Empty):
        while True:
            yield progress.get_nowait()


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
        known = ", ".join(path.stem for path in paths) or "none"
        raise CourseError(
            f"There are no answers to {exercise or wanted}. Answers there are: {known}."
        )
    return found


def name_of(path: Path) -> str:
    """Return the name of a file of answers, such as 02/my_step."""
    return f"{path.parent.parent.name[:2]}/{path.stem}"


class _Recorders(ProcessPoolExecutor):
    """Processes that record; `progress` gets (answers to run, answers that ran)."""

    def __init__(self, processes: int, folder: str) -> None:
        context = get_context("spawn")
        self.progress = context.Queue()
        super().__init__(processes, context, _settle, (folder, self.progress))


@contextlib.contextmanager
def recorders(processes: int) -> Iterator[_Recorders]:
    """Start processes that record, without the caller's environment variables."""
    with tempfile.TemporaryDirectory(prefix="course-record-") as folder:
        pool = _Recorders(processes, folder)
        try:
            yield pool
        finally:
            pool.shutdown(cancel_futures=True)


def _settle(folder: str, progress: Queue) -> None:
    global _progress
    _progress = progress
    for name in set(os.environ) - KEPT_VARIABLES:
        del os.environ[name]
    os.environ |= {"COURSE_DATA_DIR": folder, "MPLBACKEND": "Agg"}
    os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nobody reads what answers print
    if sys.platform == "linux":  # whoever kills the caller ends all of it
        from course.kernels import linux

        linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)


def _opened(places: Places, path: Path):
    from autograder.proof.recording import AnswerFile, bench_of

    return AnswerFile(places, path, bench_of(places, path))


def record_file(places: Places, path: Path) -> list[str]:
    """Record what is stale in one file of answers; return lines on what failed."""
    from autograder.proof.recording import record

    file = _opened(places, path)
    _progress.put((2 * len(file.stale()), 0))
    return list(record(file, lambda ran: _progress.put((0, ran))))


def stale_lines(places: Places, path: Path) -> list[str]:
    """Return a line for each answer of a file whose record is stale."""
    stale = _opened(places, path).stale()
    return [f"{name_of(path)}/{name}: {why}" for name, why in stale.items()]


def run_again(places: Places, path: Path, names: Collection[str]) -> list[str]:
    """Run answers of a file again; return a line for each that differs."""
    from autograder.proof.recording import differences

    return differences(_opened(places, path), names)
