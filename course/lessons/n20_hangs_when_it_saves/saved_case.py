"""Saves that are killed: drawn jobs, and what a way of saving makes of them."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from course.checks.exercises import Difference, Observation
from course.lessons.n20_hangs_when_it_saves.deaths import (
    MIDDLE,
    SECOND_MIDDLE,
    Death,
    dying,
)
from course.lessons.n20_hangs_when_it_saves.saved_files import (
    Content,
    files_in,
    write_in_halves,
)
from course.lessons.n20_hangs_when_it_saves.saving_job import (
    CLASSES,
    WEIGHTS,
    Job,
    SavedRun,
    job_of,
    run_jobs,
)
from course.runs.own_failures import raise_own

MISSING, TORN, STALE, RIGHT, STRANGE = range(5)  # what `weights` is found to be
WORDS = {
    MISSING: "there is no file `weights`",
    TORN: "`weights` is incomplete",
    STALE: "`weights` is from the save before",
    RIGHT: "`weights` is complete",
    STRANGE: "`weights` contains what no save should contain",
}


@dataclass(frozen=True)
class Jobs:
    """Jobs at the same time: undisturbed, or with one worker of each killed."""

    jobs: tuple[Job, ...]

    @property
    def killed(self) -> bool:
        """Whether somebody is killed in each job."""
        return self.jobs[0].death is not None

    def __str__(self) -> str:
        if not self.killed:
            workers = " and of ".join(str(job.workers) for job in self.jobs)
            return f"jobs of {workers} workers, with two saves each"
        deaths = "; ".join(str(job.death) for job in self.jobs)
        return (
            f"{len(self.jobs)} jobs of two workers, killed in the second save: {deaths}"
        )


def draw(rng: np.random.Generator) -> list[Jobs]:
    """Draw two jobs without a kill, and five with one, all in their second save."""

    def drawn(workers: int, death: Death | None = None) -> Job:
        sizes = rng.integers(2, 8, (4, workers)).tolist()
        return job_of(sizes, int(rng.integers(1000)), death)

    moments = [(0, MIDDLE), (0, SECOND_MIDDLE), (0, 1), (0, 2), (1, MIDDLE)]
    return [
        Jobs((drawn(2), drawn(3))),
        Jobs(tuple(drawn(2, Death(*moment)) for moment in moments)),
    ]


@dataclass(frozen=True, eq=False)
class Found:
    """What is known after a job.

    writes: for each worker, (step, path) of its writes.
    over: whether all workers came to the end.
    files: what lies in the folder: name -> content.
    """

    writes: list[list[tuple[int, str]]]
    over: bool
    files: dict[str, Content]

    @property
    def together(self) -> bool:
        """Whether all workers wrote equally often after each step."""
        each = [Counter(step for step, _ in own) for own in self.writes]
        return all(own == each[0] for own in each)

    @property
    def one_path(self) -> bool:
        """Whether two workers wrote to one path in the same save."""
        each = [set(own) for own in self.writes]
        return any(one & other for k, one in enumerate(each) for other in each[k + 1 :])


def observe(function: Callable, case: Jobs) -> Observation:
    """Run a learner's function in real workers, some of which are killed."""
    runs = run_jobs(function, case.jobs)
    found = [Found(run.paths(), run.over, dict(run.files)) for run in runs]
    # who waits and who gets an error is chance where the workers' writes do not fit
    if all(each.together and not each.one_path for each in found):
        for run in runs:
            _raise_own(run)
    return seen(case, found)


def _raise_own(run: SavedRun) -> None:
    if run.job.death is None:
        raise_own(run.cluster)


def seen(case: Jobs, found: list[Found]) -> Observation:
    """Make of what was found what is compared."""
    if any(each.one_path for each in found):
        told = "In one save, two workers wrote to one path at the same time."
        return Observation(np.zeros(0), {"one path": (1,)}, told)
    return _after_kills(case, found) if case.killed else _undisturbed(case, found)


def _undisturbed(case: Jobs, found: list[Found]) -> Observation:
    writes = [tuple(map(len, each.writes)) for each in found]
    counts = {"writes": tuple(n for own in writes for n in own)}
    if not all(each.together for each in found):
        return Observation(np.zeros(0), counts, _told_writes(writes))
    left = tuple(sum(name != WEIGHTS for name in each.files) for each in found)
    values = [each.files.get(WEIGHTS) for each in found]
    states = tuple(
        _state(job, each) for job, each in zip(case.jobs, found, strict=True)
    )
    most = max(left)
    files = "There is 1 other file." if most == 1 else f"There are {most} other files."
    beside = f" {files}" if most else ""
    told = _sentence(f"at the end, {WORDS[min(states)]}") + beside
    held = [np.full(2 + CLASSES, np.nan) if v is None else v for v in values]
    counts = {"other files": left, "weights": states}
    return Observation(np.concatenate(held), counts, told)


def _after_kills(case: Jobs, found: list[Found]) -> Observation:
    if not all(
        _first_save_fits(job, each) for job, each in zip(case.jobs, found, strict=True)
    ):
        told = "Not all workers call `write` the same number of times."
        return Observation(np.zeros(0), {}, told)
    states = [_state(job, each) for job, each in zip(case.jobs, found, strict=True)]
    whole = tuple(state in (STALE, RIGHT) for state in states)
    said = [
        f"after killing {job.death}, {WORDS[state]}"
        for job, state in zip(case.jobs, states, strict=True)
        if state not in (STALE, RIGHT)
    ]
    kinds = tuple(
        RIGHT if ok else state for ok, state in zip(whole, states, strict=True)
    )
    return Observation(np.zeros(0), {"after kills": kinds}, _sentence("; ".join(said)))


def _first_save_fits(job: Job, found: Found) -> bool:
    first = job.saves[0]
    each = [sum(step == first for step, _ in own) for own in found.writes]
    return len(set(each)) == 1 and each[0] > 0


def _state(job: Job, found: Found) -> int:
    if WEIGHTS not in found.files:
        return MISSING
    values = found.files[WEIGHTS]
    if values is None:
        return TORN
    for state, truth in zip((STALE, RIGHT), job.truths, strict=True):
        if np.allclose(values, truth, rtol=0, atol=1e-5):
            return state
    return STRANGE


def _told_writes(writes: list[tuple[int, ...]]) -> str:
    odd = next(own for own in writes if len(set(own)) > 1 or own == writes[-1])
    each = ", ".join(f"worker {k}: {n}" for k, n in enumerate(odd))
    return f"Not all workers call `write` the same number of times ({each})."


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("." if words else "")


def expect(case: Jobs) -> Observation:
    """One whole file, of the last save; after a kill, of this one or the one before."""
    if case.killed:
        return Observation(np.zeros(0), {"after kills": (RIGHT,) * len(case.jobs)})
    values = np.concatenate([job.truths[-1] for job in case.jobs])
    many = len(case.jobs)
    counts = {"other files": (0,) * many, "weights": (RIGHT,) * many}
    return Observation(values, counts)


def compare(case: Jobs, got: Observation, truth: Observation) -> Difference:
    """Describe what the folder contains, and what it should contain."""
    if case.killed:
        wanted = (
            "after each kill, a complete `weights`, from this save or the one before."
        )
    else:
        wanted = (
            "all workers finish, and the folder contains one file, `weights`, with "
            "what the last save should contain."
        )
    return Difference(got.told, f"Expected: {wanted}")


class _Killed(BaseException):
    """The simulated process is gone."""


def simulate(function: Callable, case: Jobs) -> Observation:
    """Do the same in this process, one worker after the other."""
    with tempfile.TemporaryDirectory(prefix="course-saves-") as parent:
        found = []
        for number, job in enumerate(case.jobs):
            folder = Path(parent, str(number), "saved")
            folder.mkdir(parents=True)
            found.append(_simulated(function, job, str(folder)))
        return seen(case, found)


def _simulated(function: Callable, job: Job, folder: str) -> Found:
    writes: list[list[tuple[int, str]]] = [[] for _ in range(job.workers)]
    for k, values in zip(job.saves, job.truths, strict=True):
        death = job.death if k == job.saves[-1] else None
        for worker, own in enumerate(writes):
            moment = death.moment if death and death.worker == worker else None
            with contextlib.suppress(_Killed):
                _one_save(function, folder, worker, values, moment, k, own)
        each = Found(writes, True, {})
        if each.one_path or not (death or each.together):
            return Found(writes, False, {})
    return Found(writes, True, files_in(Path(folder)))


def _one_save(
    function: Callable,
    folder: str,
    worker: int,
    values: np.ndarray,
    moment: int | None,
    step: int,
    written: list[tuple[int, str]],
) -> None:
    """Let one worker save, to the end or to the moment at which it is killed."""

    def end() -> None:
        raise _Killed

    with dying(folder, moment, end) as (unseen, between):

        def write(path: str) -> None:
            with unseen():
                written.append((step, os.path.realpath(path)))
                write_in_halves(path, values[:2], values[2:], between)

        function(write, folder, worker)
