"""`make bench`: one class graded by stock nbgrader and by `course grade`, in figures.

Both grade copies of one course, one after the other, with the same seed. The last
lines are the result:

    overhead per submission, ours: N s, stock: M s
    submissions per minute, ours / stock: R

Overhead is what grading a submission takes besides the execution of its cells. Stock
grades one at a time: its wall time less that of all cells, by submission. Ours grades
several at a time: what it spends on one submission in the coordinator and in a worker's
thread, less its cells, without the time it only waits for a free thread; and its share
of the wall time before the first and after the last one.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from autograder.answers.reading import Answer, all_answers
from autograder.build import build
from autograder.grading.bench_class import choose, hand_in
from autograder.grading.bench_runs import Run, grade_ours, grade_stock
from autograder.places import HERE, Places, course_places

SEED = 7  # of the checks' cases
SMALL = HERE.parent / "tests" / "grading_course"
GROWTH = (10, 100, 300)
PARTS = {
    "kernel start": "kernel_start",
    "cells": "cells",
    "kernel end and the rest in a worker": "worker_rest",
    "reading and preparing": "take",
    "verdicts": "judge",
    "outputs into the notebook": "assemble",
    "points, gradebook, autograded notebook": "save",
    "feedback page": "feedback",
    "record": "record",
}


@dataclass(frozen=True)
class Compared:
    """Figures of both runs, in seconds unless they say otherwise."""

    overhead: float
    stock_overhead: float
    ratio: float
    of_bound: float
    different_scores: int


def main(arguments: list[str] | None = None) -> None:
    """Run the benchmark as the command line asks."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--submissions", type=int, default=24)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--choice", type=int, default=1, help="seed of the choice")
    parser.add_argument("--growth", action="store_true", help="classes that grow")
    parser.add_argument("--sizes", type=int, nargs="+", default=GROWTH)
    given = parser.parse_args(arguments)
    # not below /tmp: a locked-in kernel has another
    home = HERE.parent / "artifacts"
    home.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-", dir=home) as folder:
        if given.growth:
            grow(given.sizes, given.jobs, Path(folder))
        else:
            known = all_answers(course_places(HERE.parent))
            chosen = choose(known, given.submissions, given.choice)
            compare(chosen, given.jobs, Path(folder))


def compare(
    answers: list[Answer], jobs: int, folder: Path, root: Path = HERE.parent
) -> Compared:
    """Grade one class twice and print the table; `root` is a course to copy."""
    names = {each.notebook for each in answers} if root != SMALL else None
    places = _course(root, folder / "course", names)
    submissions = hand_in(answers, places, folder / "class")
    print(f"{len(answers)} submissions, {jobs} at a time, {os.cpu_count()} cores")
    stock = grade_stock(submissions, _copy(places, folder / "stock"), SEED)
    ours = grade_ours(submissions, _copy(places, folder / "ours"), SEED, jobs)
    count = len(answers)
    compared = Compared(
        overhead=ours.overhead(count),
        stock_overhead=(stock.wall - stock.cells) / count,
        ratio=stock.wall / ours.wall,
        of_bound=ours.cells / _at_a_time(jobs, count) / ours.wall,
        different_scores=_different(stock, ours),
    )
    _print_table(stock, ours, compared, count, jobs)
    return compared


def grow(sizes: list[int], jobs: int, folder: Path) -> list[tuple[int, float, float]]:
    """Grade ever larger classes of a small course; print time and memory of each."""
    places = _course(SMALL, folder / "course", None)
    known = all_answers(course_places(HERE.parent), "00_*")
    # the small course has the one exercise
    answers = [each for each in known if each.name.startswith("my_spread/")]
    found = []
    print("submissions  seconds each  with the start  coordinator's memory, MB")
    for size in sizes:
        some = [answers[number % len(answers)] for number in range(size)]
        submissions = hand_in(some, places, folder / f"class-{size}")
        copy = _copy(places, folder / f"graded-{size}")
        run = grade_ours(submissions, copy, SEED, jobs)
        each = (run.wall - run.around) / size
        found.append((size, each, run.coordinator_memory))
        print(
            f"{size:11}  {each:12.2f}  {run.wall / size:14.2f}  "
            f"{run.coordinator_memory / 2**20:24.0f}",
            flush=True,
        )
    return found


def _course(root: Path, folder: Path, names: set[str] | None) -> Places:
    shutil.copytree(root / "solutions", folder / "solutions")
    places = course_places(folder)
    build(places, sorted(names) if names else None)
    return places


def _copy(places: Places, folder: Path) -> Places:
    shutil.copytree(places.root, folder)
    return course_places(folder)


def _at_a_time(jobs: int, count: int) -> int:
    return min(jobs, count, os.cpu_count() or 1)


def _different(stock: Run, ours: Run) -> int:
    both = stock.scores.keys() & ours.scores.keys()
    different = [
        each for each in sorted(both) if stock.scores[each] != ours.scores[each]
    ]
    for each in different:
        print(f"{each}: stock {stock.scores[each]}, ours {ours.scores[each]}")
    return len(different)


def _print_table(
    stock: Run, ours: Run, compared: Compared, count: int, jobs: int
) -> None:
    def line(what: str, ours_is: str, stock_is: str = "") -> None:
        print(f"{what:42} {ours_is:>10} {stock_is:>10}")

    def seconds(value: float) -> str:
        return f"{value:.2f} s"

    line("", "ours", "stock")
    line("wall time", seconds(ours.wall), seconds(stock.wall))
    line("pure cell time, all submissions", seconds(ours.cells), seconds(stock.cells))
    line(
        "submissions a minute",
        f"{60 * count / ours.wall:.1f}",
        f"{60 * count / stock.wall:.1f}",
    )
    bound = 60 * count * _at_a_time(jobs, count) / ours.cells
    line("bound by pure cell time, a minute", f"{bound:.1f}")
    line("share of that bound", f"{100 * compared.of_bound:.0f} %")
    line("before the first and after the last", seconds(ours.around))
    line(
        "memory of a kernel beyond the server",
        _mega(ours.kernel_memory),
        _mega(stock.kernel_memory),
    )
    line("memory of the server", _mega(ours.server_memory))
    line("memory of the coordinator", _mega(ours.coordinator_memory))
    print("\nwhere ours spends the time of one submission (mean; largest):")
    for what, part in PARTS.items():
        spent = ours.parts.get(part, [0.0])
        line(f"  {what}", seconds(statistics.fmean(spent)), seconds(max(spent)))
    print(
        f"\nscores: {len(stock.scores)} given by stock, {len(ours.scores)} by ours, "
        f"{compared.different_scores} different where both gave one"
    )
    print("stock does autograde alone; ours writes feedback, tables and report, too")
    without = (stock.wall - ours.cells) / count
    print(
        "stock's cells also import TensorFlow, which ours have from the server; the "
        f"import taken for overhead, stock's is {without:.2f} s"
    )
    print(
        f"overhead per submission, ours: {compared.overhead:.2f} s, "
        f"stock: {compared.stock_overhead:.2f} s"
    )
    print(f"submissions per minute, ours / stock: {compared.ratio:.2f}")


def _mega(value: float | None) -> str:
    return f"{value / 2**20:.0f} MB" if value else "-"


if __name__ == "__main__":
    sys.exit(main())
