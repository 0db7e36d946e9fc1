"""Judge known answers again and again on one core that is busy with something else.

    python -m autograder.under_load 07 09/my_train --times 20
    python -m autograder.under_load 07/my_train --once --loops 8

In each round every exercise judges one right and one wrong answer, the next ones in
the next round, with another seed; or all of them once. A verdict must be the one the
answer is known for, however slow the machine is: checks count and meet, they do not
measure time. Nothing that an answer started may run when it has been judged.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Annotated

import psutil
import typer
from rich.console import Console
from rich.progress import track

from autograder.answers.reading import Answer, all_answers
from autograder.answers.runs import Judged, run_answer, run_answers
from autograder.places import HERE, Places, course_places
from autograder.source import read_source
from course.checks.verdicts import Outcome
from course.kernels import linux
from course.learner.seed import DEFAULT_SEED

# each ends with the process that started it, however that ends
BUSY = "import os, sys\nwhile os.getppid() == int(sys.argv[1]): pass"
END_SECONDS = 5.0  # for processes that were killed
SECONDS = 600.0  # for one answer; what runs for ever is stopped by its check

Judgement = tuple[str, Answer, int, Judged]  # exercise, answer, seed, what was said


def by_exercise(names: Sequence[str]) -> dict[str, dict[bool, list[Answer]]]:
    """Return exercise -> {True: right answers, False: wrong ones} of these.

    names: notebooks, such as "07", or exercises, such as "09/my_train".

    An answer that says something of several exercises stands with each.
    """
    found: dict[str, dict[bool, list[Answer]]] = defaultdict(
        lambda: {True: [], False: []}
    )
    for answer in all_answers(course_places(HERE.parent)):
        for exercise, (outcome, _) in answer.expected.items():
            if not {exercise, exercise[:2]}.isdisjoint(names):
                found[exercise][outcome == Outcome.RIGHT].append(answer)
    return dict(found)


def after_part_1(places: Places) -> list[str]:
    """Return the numbers of the notebooks whose replicas and workers must overlap."""
    sources = [read_source(places.source(name)) for name in places.names()]
    return [each.header.number for each in sources if each.header.part > 1]


@contextlib.contextmanager
def one_busy_core(loops: int) -> Iterator[None]:
    """Keep this process, and what it starts, on one core, beside `loops` busy ones."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    command = [sys.executable, "-c", BUSY, str(os.getpid())]
    busy = [subprocess.Popen(command) for _ in range(loops)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()
        os.sched_setaffinity(0, cores)


def rounds(
    exercises: dict[str, dict[bool, list[Answer]]], times: int
) -> Iterator[tuple[int, str, Answer]]:
    """Yield (round, exercise, answer), as the module says."""
    for number in range(times):
        for exercise, answers in exercises.items():
            for some in answers.values():
                if some:
                    yield number, exercise, some[number % len(some)]


def judged_in_rounds(
    exercises: dict, times: int, places: Places
) -> Iterator[Judgement]:
    """Judge as `rounds` says, each in a process of its own."""
    for number, exercise, answer in rounds(exercises, times):
        seed = DEFAULT_SEED + number
        yield (
            exercise,
            answer,
            seed,
            run_answer(answer, places, SECONDS, seed)[exercise],
        )


def judged_once(exercises: dict, places: Places) -> Iterator[Judgement]:
    """Judge all once; the answers to an exercise share their processes."""
    for exercise, answers in exercises.items():
        every = [*answers[True], *answers[False]]
        for answer, judged in run_answers(every, places, SECONDS, DEFAULT_SEED):
            yield exercise, answer, DEFAULT_SEED, judged[exercise]


def left_over() -> list[psutil.Process]:
    """Return what answers started and did not end within END_SECONDS; kill it.

    Orphans come to this process (PR_SET_CHILD_SUBREAPER).
    """
    found = []
    for child in psutil.Process().children():
        below = child.children(recursive=True)
        found += below if _ours(child) else [child, *below]
    _, alive = psutil.wait_procs(found, END_SECONDS)
    for process in alive:
        process.kill()
    return alive


def _count(exercises: dict[str, dict[bool, list[Answer]]]) -> int:
    return sum(len(some) for each in exercises.values() for some in each.values())


def _as_known(judged: Counter[tuple[str, bool]]) -> int:
    return sum(count for (_, as_known), count in judged.items() if as_known)


def _ours(child: psutil.Process) -> bool:
    """Return whether it is a busy loop, or multiprocessing's server or tracker."""
    try:
        command = " ".join(child.cmdline())
    except psutil.ZombieProcess:
        return False
    return any(part in command for part in (BUSY, "forkserver", "resource_tracker"))


def main(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Such as 07 09/my_train; all after Part 1 by default."),
    ] = None,
    times: Annotated[int, typer.Option(min=1, help="Rounds.")] = 20,
    loops: Annotated[int, typer.Option(min=0, help="Busy loops beside it.")] = 2,
    once: Annotated[bool, typer.Option("--once", help="Each answer once.")] = False,
) -> None:
    """Judge known answers on one busy core; fail where a verdict is another one."""
    console = Console()
    places = course_places(HERE.parent)
    names = names or after_part_1(places)
    exercises = by_exercise(names)
    missing = set(names) - {part for name in exercises for part in (name, name[:2])}
    if missing:
        raise typer.BadParameter(f"no answers to {', '.join(sorted(missing))}")
    judged, left = Counter(), 0
    if once:
        runs, total = judged_once(exercises, places), _count(exercises)
    else:
        runs = judged_in_rounds(exercises, times, places)
        total = len(list(rounds(exercises, times)))
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
    with one_busy_core(loops):
        for exercise, answer, seed, got in track(runs, total=total, console=console):
            came, known = (got.outcome, got.mistake), answer.expected[exercise]
            judged[exercise, came == known] += 1
            if came != known:
                console.print(f"{answer}, seed {seed}: {came}, known for {known}")
                console.print(got.message, markup=False)
            for process in [] if once else left_over():
                left += 1
                console.print(f"{answer}, seed {seed}: left {process}", markup=False)
    for exercise in exercises:
        right = judged[exercise, True]
        total = right + judged[exercise, False]
        console.print(f"{exercise}: {right} of {total} verdicts as known")
    console.print(f"{left} processes left behind")
    raise typer.Exit(bool(left or sum(judged.values()) > _as_known(judged)))


if __name__ == "__main__":
    typer.run(main)
