"""The card at the end: points and coins, what was recognised, what to read again."""

from __future__ import annotations

from pathlib import Path

import psutil
from IPython.display import HTML, display

from course.checks import handing_over
from course.checks.verdicts import Outcome
from course.learner.course_map import Entry, read_entries
from course.lessons.n21_mystery_jobs.jobs import Mystery, MysteryJob, plan_of
from course.lessons.n21_mystery_jobs.looks import LOOKS, coins

POINTS = {"name": 2, "place": 3, "job": 5}
HEADS = (
    "job",
    "name",
    "place",
    "repair",
    "wrong names",
    "points",
    "your coins",
    "an expert's coins",
)


def card(jobs: Mystery, folder: Path | str = "..") -> None:
    """Show points and coins so far beside an expert's, and which notebooks to reread.

    Args:
        jobs: as `mystery` returned them.
        folder: where the folders of the notebooks stand; their titles are read there.

    It names no failure that is not recognised yet, and shows an expert's bill for
    recognised jobs only: the looks would tell something.
    """
    if handing_over.is_wanted():
        return  # nobody reads it there, and what was asked for is not known
    titles = {entry.number: entry for entry in read_entries(Path(folder))}
    rows = "".join(_row(job) for job in jobs)
    heads = "".join(f"<th>{name}</th>" for name in HEADS)
    display(
        HTML(
            f"<p>{_sum(jobs)}</p><table><thead><tr>{heads}</tr></thead>"
            f"<tbody>{rows}</tbody></table>{_list(jobs, titles)}"
        )
    )


def _solved(job: MysteryJob, kind: str) -> bool:
    return job.ledger.solved(job.number, kind)


def _points(job: MysteryJob) -> int:
    """Return the points of a job; its wrong names take some, but not below 0."""
    got = sum(points for kind, points in POINTS.items() if _solved(job, kind))
    return max(got - job.ledger.wrong(job.number), 0)


def _expert(job: MysteryJob) -> int:
    return sum(LOOKS[look].cost for look in plan_of(job).expert_looks)


def _sum(jobs: Mystery) -> str:
    """Return a sentence with your points and coins, and an expert's coins."""
    known = [job for job in jobs if _solved(job, "name")]
    said = (
        f"You recognised {len(known)} of {len(jobs)} jobs and have "
        f"{sum(map(_points, jobs))} of {len(jobs) * sum(POINTS.values())} points."
    )
    if not known:
        return said
    spent = sum(job.ledger.spent(job.number) for job in known)
    return (
        f"{said} You spent {coins(spent)} on the recognised ones. To name them, an "
        f"expert spends {coins(sum(map(_expert, known)))}."
    )


def _row(job: MysteryJob) -> str:
    marks = [Outcome.RIGHT if _solved(job, kind) else "not yet" for kind in POINTS]
    looked = ", ".join(plan_of(job).expert_looks)
    parts = (
        str(job.number),
        *marks,
        str(job.ledger.wrong(job.number)),
        f"{_points(job)} of {sum(POINTS.values())}",
        str(job.ledger.spent(job.number)),
        f"{_expert(job)} ({looked})" if _solved(job, "name") else "",
    )
    return f"<tr>{''.join(f'<td>{part}</td>' for part in parts)}</tr>"


def _list(jobs: Mystery, titles: dict[str, Entry]) -> str:
    known, again = [], []
    for job in jobs:
        if _solved(job, "name"):
            known += [_title(name, titles) for name in sorted(plan_of(job).names)]
            known += [] if plan_of(job).names else [_healthy(job)]
        elif job.named is not None:
            named = [_title(name, titles) for name in sorted(job.named)]
            again.append(
                f"Job {job.number} is not {' and '.join(named) or 'healthy'}. What "
                "would its table look like if it were?"
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
        f"a healthy job. Its {job.task.parts} devices share the {cores} of this "
        "machine, so it is no faster"
    )


def _title(number: str, titles: dict[str, Entry]) -> str:
    return titles[number].linked if number in titles else f"notebook {number}"
