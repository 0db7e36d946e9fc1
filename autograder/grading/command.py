"""What `course grade` says at its end, and its exit code.

Imports stand in the functions: Ctrl-C ends it in good order while they load, too.
"""

from __future__ import annotations

import atexit
import gc
import shlex
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.grading.stopping import Stop
from autograder.places import CourseError, course_places

if TYPE_CHECKING:
    from distributed import Security
    from rich.console import Console

    from autograder.grading.grade import Summary

MOST_FAILURES = 10  # that are named on the console
STOPPED = 130  # as a shell reports a program that Ctrl-C ended


def grade_class(
    submissions: Path,
    root: Path | None,
    certificates: tuple[Path | None, Path | None, Path | None],
    **options: object,
) -> int:
    """Grade, say what came of it, and return the exit code."""
    stop = Stop()
    with stop.heeded():
        try:
            return _grade(submissions, root, certificates, options, stop)
        except KeyboardInterrupt:
            print(_how_to_go_on())
            return STOPPED


def _grade(
    submissions: Path,
    root: Path | None,
    certificates: tuple[Path | None, Path | None, Path | None],
    options: dict,
    stop: Stop,
) -> int:
    from rich.console import Console
    from sqlalchemy.exc import SAWarning

    from autograder.grading.grade import Options, grade
    from autograder.grading.library_logs import keep_library_logs

    # keep imported modules out of garbage collection, and at exit everything
    gc.freeze()
    atexit.register(gc.freeze)
    # nbgrader's use of sqlalchemy warns about its own way of adding submissions
    warnings.filterwarnings("ignore", category=SAWarning)
    keep_library_logs(course_places(root).results)
    console = Console()
    security = _security(options.get("scheduler"), certificates)
    chosen = Options(**options, security=security)
    summary = grade(submissions, chosen, root, console, stop)
    _say(summary, root, console)
    return 0 if summary.finished else STOPPED


def _security(
    scheduler: object, certificates: tuple[Path | None, Path | None, Path | None]
) -> Security | None:
    ca, cert, key = certificates
    given = [each for each in certificates if each is not None]
    for each in given:
        if not each.is_file():
            raise CourseError(f"There is no certificate or key at {each}.")
    if given and len(given) < 3:
        raise CourseError("--tls-ca, --tls-cert and --tls-key belong together.")
    if given and scheduler is None:
        raise CourseError("--tls-ca, --tls-cert and --tls-key want a --scheduler.")
    if str(scheduler or "").startswith("tls:") and not given:
        raise CourseError(
            "A scheduler with TLS wants --tls-ca, --tls-cert and --tls-key."
        )
    if not given:
        return None
    from distributed import Security

    return Security(
        tls_ca_file=str(ca),
        tls_client_cert=str(cert),
        tls_client_key=str(key),
        require_encryption=True,
    )


def _say(summary: Summary, root: Path | None, console: Console) -> None:
    parts = [f"{summary.graded} graded"]
    if summary.unchanged:
        parts.append(f"{summary.unchanged} unchanged since they were")
    if summary.reasons:
        parts.append(f"{summary.reasons} not as they were handed in")
    if summary.flags:
        parts.append(f"{summary.flags} to look at")
    if summary.held_back:
        parts.append(f"{summary.held_back} held back, as the report says")
    console.print(", ".join(parts) + ".", highlight=False)
    if first := summary.not_run - len(summary.failed_again):
        console.print(
            f"{first} could not be run, through no fault of theirs: the same command "
            "tries them again.",
            highlight=False,
        )
    for each in summary.failed_again[:MOST_FAILURES]:
        said = f"{each.student}, {each.notebook} could not be run: {each}."
        console.print(said, style="yellow", markup=False, highlight=False)
    if len(summary.failed_again) > MOST_FAILURES:
        more = len(summary.failed_again) - MOST_FAILURES
        console.print(f"{more} more have failed in every run: see the report.")
    if not summary.finished:
        print(_how_to_go_on())
    results = course_places(root).results
    for name, what in (
        ("report.html", "report"),
        ("grades.csv", "grades, as nbgrader exports them"),
        ("canvas.csv", "grades for Canvas"),
    ):
        console.print(f"{results / name}  {what}", highlight=False, soft_wrap=True)
    console.print(
        f"Feedback: {results.parent / 'feedback'}", highlight=False, soft_wrap=True
    )


def _how_to_go_on() -> str:
    again = shlex.join(["course", *sys.argv[1:]])
    return f"Stopped; what was graded stays. To go on: {again}"
