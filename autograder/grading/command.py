"""What `course grade` says at its end, and its exit code."""

from __future__ import annotations

import warnings
from pathlib import Path

from distributed import Security
from rich.console import Console
from sqlalchemy.exc import SAWarning

from autograder.grading.grade import Options, Summary, grade
from autograder.places import CourseError, course_places

STOPPED = 130  # as a shell reports a program that Ctrl-C ended


def grade_class(
    submissions: Path,
    root: Path | None,
    certificates: tuple[Path | None, Path | None, Path | None],
    **options: object,
) -> int:
    """Grade, say what came of it, and return the exit code."""
    # nbgrader's use of sqlalchemy warns about its own way of adding submissions
    warnings.filterwarnings("ignore", category=SAWarning)
    console = Console()
    security = _security(options.get("scheduler"), certificates)
    summary = grade(submissions, Options(**options, security=security), root, console)
    _say(summary, root, submissions, console)
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
    if str(scheduler or "").startswith("tls:") and not given:
        raise CourseError(
            "A scheduler with TLS wants --tls-ca, --tls-cert and --tls-key."
        )
    if not given:
        return None
    return Security(
        tls_ca_file=str(ca),
        tls_client_cert=str(cert),
        tls_client_key=str(key),
        require_encryption=True,
    )


def _say(
    summary: Summary, root: Path | None, submissions: Path, console: Console
) -> None:
    parts = [f"{summary.graded} graded"]
    if summary.unchanged:
        parts.append(f"{summary.unchanged} unchanged since they were")
    if summary.reasons:
        parts.append(f"{summary.reasons} not as they were handed in")
    if summary.flags:
        parts.append(f"{summary.flags} to look at")
    console.print(", ".join(parts) + ".", highlight=False)
    if not summary.finished:
        console.print(f"Stopped. To go on: course grade {submissions}", highlight=False)
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
