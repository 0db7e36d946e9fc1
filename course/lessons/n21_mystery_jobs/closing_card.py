"""The card at the end: points and coins, what was recognised, what to read again."""

from __future__ import annotations

from pathlib import Path

import psutil
from IPython.display import HTML, display

from course.checks import handing_over
from course.checks.verdicts import Outcome
from course.learner import progress
from course.learner.course_map import Entry, read_entries
from course.lessons.n21_mystery_jobs.jobs import Mystery, MysteryJob, plan_of
from course.lessons.n21_mystery_jobs.looks import LOOKS

POINTS = {"name": 2, "place": 3, "job": 5}
HEADS = ("name", "place", "repair", "wrong names", "points", "coins", "an expert's")


def card(jobs: Mystery, folder: Path | str = "..") -> None:
    """Show points and coins so far, and which notebooks to read again.

    Args:
        jobs: as `mystery` returned them.
        folder: where the folders of the notebooks stand; their titles come from there.

    A failure that was not recognised is not named here either, and what an expert would
    have spent only where it was: it would tell something.
    """
    if handing_over.is_wanted():
        return  # nobody reads it there, and what was asked for is not known
    titles = {entry.number: entry for entry in read_entries(Path(folder))}
    rows = "".join(_row(jobs, job) for job in jobs)
    heads = "".join(f"<th>{name}</th>" for name in HEADS)
    display(
        HTML(
            f"<table><thead><tr><th>job</th>{heads}</tr></thead><tbody>{rows}</tbody>"
            f"</table>{_list(jobs, titles)}"
        )
    )


def _solved(jobs: Mystery, job: MysteryJob, kind: str) -> bool:
    return progress.is_solved(f"{jobs.label}/my_{kind}_{job.number}")


def _row(jobs: Mystery, job: MysteryJob) -> str:
    solved = {kind: _solved(jobs, job, kind) for kind in POINTS}
    marks = [Outcome.RIGHT if solved[kind] else "not yet" for kind in POINTS]
    wrong = job.ledger.wrong(job.number)
    points = sum(POINTS[kind] for kind in POINTS if solved[kind])
    expert = sum(LOOKS[look].cost for look in plan_of(job).expert_looks)
    looked = ", ".join(plan_of(job).expert_looks)
    parts = (
        str(job.number),
        *marks,
        str(wrong),
        f"{max(points - wrong, 0)} of {sum(POINTS.values())}",
        str(job.ledger.spent(job.number)),
        f"{expert} ({looked})" if solved["name"] else "",
    )
    return f"<tr>{''.join(f'<td>{part}</td>' for part in parts)}</tr>"


def _list(jobs: Mystery, titles: dict[str, Entry]) -> str:
    known, again = [], []
    for job in jobs:
        if _solved(jobs, job, "name"):
            known += [_title(name, titles) for name in sorted(plan_of(job).names)]
            known += [] if plan_of(job).names else [_healthy(job)]
        elif job.named is not None:
            named = [_title(name, titles) for name in sorted(job.named)]
            again.append(
                f"Job {job.number} is not {' and '.join(named) or 'healthy'}: "
                "what would its table look like then?"
            )
    parts = [("Recognised", known), ("Read again", again)]
    return "".join(
        f"<p><strong>{head}</strong></p><ul>"
        + "".join(f"<li>{line}</li>" for line in lines)
        + "</ul>"
        for head, lines in parts
        if lines
    )


def _healthy(job: MysteryJob) -> str:
    if not plan_of(job).slow:
        return "a healthy job"
    cores = f"{psutil.cpu_count()} core{'s' * (psutil.cpu_count() > 1)}"
    return (
        f"a healthy job: its {job.task.parts} devices share the {cores} of this "
        "machine, so it is no quicker"
    )


def _title(number: str, titles: dict[str, Entry]) -> str:
    return titles[number].linked if number in titles else f"notebook {number}"
