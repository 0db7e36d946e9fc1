"""Trainings that are killed: drawn plans, and what a habit of saving makes of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from course.checks.exercises import TOLERANCE, Difference, Mistake, Observation
from course.lessons.n18_job_dies_with_one_process.killed_training import (
    Lives,
    Plan,
    train_killed,
)
from course.lessons.n18_job_dies_with_one_process.momentum import momentum_update
from course.runs.sudden_end import (
    AFTER,
    BEFORE,
    BETWEEN,
    INSIDE,
    Kill,
)
from course.runs.workloads import regression

ROWS = 3  # of a batch


def draw(rng: np.random.Generator) -> list[Plan]:
    """Draw two trainings, killed where most is lost and where saving goes on."""
    every = int(rng.integers(3, 6))
    steps = 3 * every + int(rng.integers(1, every))
    early = int(rng.integers(1, every))
    # two intervals are done by then: who counts anew differs from who saves too late
    first = (Kill(3 * every, BEFORE), Kill(1, BETWEEN), Kill(1, BETWEEN, 2))
    second = (
        Kill(early, BEFORE),
        Kill(2 * every, AFTER),
        Kill(1, INSIDE),
        Kill(1, BETWEEN, 3),
    )
    seeds = rng.integers(1000, size=2).tolist()
    return [
        Plan(tuple(regression(steps * ROWS, seed).batches(ROWS)), every, kills)
        for seed, kills in zip(seeds, (first, second), strict=True)
    ]


def observe(function: Callable, case: Plan) -> Observation:
    """Run a learner's function in real processes that are killed."""
    return _seen(case, train_killed(function, case))


def expect(case: Plan) -> Observation:
    """The state of the run without failure, and not a step too many."""
    again = {"too many again": (0,) * len(case.kills)}
    return Observation(case.truth().ravel(), again)


def _seen(case: Plan, lives: Lives) -> Observation:
    more = [max(0, last - first + 1 - case.every) for last, first in lives.falls]
    more += [0] * (len(case.kills) - len(more))
    return Observation(
        lives.state.ravel(), {"too many again": tuple(more)}, _told(case, lives)
    )


def _told(case: Plan, lives: Lives) -> str:
    if not lives.falls:
        return "It was never started again."
    steps = [
        f"step {first} followed step {last}"
        if first > last
        else f"step {first} followed step {last} ({last - first + 1} again)"
        for last, first in lives.falls
    ]
    return f"After the new starts (steps count from 0), {'; '.join(steps)}."


def compare(case: Plan, got: Observation, truth: Observation) -> Difference:
    """Say where it went on, and how far the state is off."""
    distances = np.abs(got.values - truth.values).reshape(2, -1).max(axis=1)
    off = [f"{each:.2g}" if each > TOLERANCE else "0" for each in distances]
    return Difference(
        f"{got.told} In the end, the weights differ by {off[0]} from the run without "
        f"failure, the momentum by {off[1]}.",
        f"Expected: both 0, and at most {case.every} steps made again after a kill.",
    )


class _Killed(Exception):
    """The simulated process is gone."""


@dataclass(frozen=True)
class Habit:
    """How a function saves and goes on.

    back: what it restores: w, the weights; m, the momentum; k, the step.
    files: what it writes, file by file.
    writes: for each of them, the lines that it takes: 2 where it is written under
        another name first. Only the last one counts at the next start.
    number: what it writes as k, less the step just made.
    begins: with which step it goes on, less what it reads as k.
    every: intervals from one save to the next; 0: it saves at the end only.
    before: it saves before a step, not after it.
    one_line: all files are written in one line.
    first_batches: after a start, it takes the batches from the first on.
    anew: after a start, it counts steps from 0.
    """

    back: str = "wmk"
    files: tuple[str, ...] = ("wmk",)
    writes: tuple[int, ...] = (1,)
    number: int = 1
    begins: int = 0
    every: int = 1
    before: bool = False
    one_line: bool = False
    first_batches: bool = False
    anew: bool = False


@dataclass
class _World:
    """A disk that outlives processes, and the process of now."""

    case: Plan
    disk: dict[str, object] = field(default_factory=dict)
    begun: list[list[int]] = field(default_factory=list)

    def live(self, habit: Habit) -> np.ndarray:
        """Run one life to its end; _Killed where the plan says so."""
        life = len(self.begun)
        kills = self.case.kills
        self.kill = kills[life] if life < len(kills) else None
        self.watched, self.writes = False, 0
        self.begun.append([])
        kept = {part: self.disk[part] for part in habit.back if part in self.disk}
        self.state = {
            part: np.array(kept.get(part, np.zeros(2)), float) for part in "wm"
        }
        start = kept.get("k", 0)
        start += habit.begins if "k" in kept else 0
        for k in range(start, len(self.case.batches)):
            counted = k - start if habit.anew else k
            if habit.before:
                self._save_at(habit, counted)
            self._step(k - start if habit.first_batches else k)
            if not habit.before:
                self._save_at(habit, counted)
        if not habit.every:
            self._save(habit, len(self.case.batches))
        return np.array([self.state["w"], self.state["m"]])

    def _step(self, number: int) -> None:
        self.begun[-1].append(number)
        here = self.kill is not None and len(self.begun[-1]) == self.kill.steps
        if here and self.kill.when == BEFORE:
            raise _Killed
        momentum_update(self.state["w"], self.state["m"], self.case.batches[number])
        if here and self.kill.when == AFTER:
            raise _Killed
        self.watched |= here

    def _save_at(self, habit: Habit, k: int) -> None:
        interval = self.case.every * habit.every
        if interval and (k + 1) % interval == 0:
            self._save(habit, k + habit.number)

    def _save(self, habit: Habit, number: int) -> None:
        now = {**{part: self.state[part].copy() for part in "wm"}, "k": number}
        for parts, writes in zip(habit.files, habit.writes, strict=True):
            for write in range(1, writes + 1):
                if self.watched and self.kill.when == INSIDE:
                    raise _Killed
                if write == writes:
                    self.disk |= {part: now[part] for part in parts}
                self._wrote(habit.one_line)
        if habit.one_line and self.watched and self.kill.writes > 1:
            self._wrote(False)

    def _wrote(self, in_the_line: bool) -> None:
        # parts of a line are looked at where the first write is awaited, and only there
        if not self.watched or (in_the_line and self.kill.writes > 1):
            return
        self.writes += 1
        if self.writes == self.kill.writes:
            raise _Killed


def lives(case: Plan, habit: Habit) -> Lives:
    """Return the processes of a habit in the case."""
    world = _World(case)
    while True:
        try:
            state = world.live(habit)
        except _Killed:
            continue
        return Lives(tuple(map(tuple, world.begun)), state)


def play(case: Plan, habit: Habit) -> Observation:
    """Return what comes of a habit in the case."""
    return _seen(case, lives(case, habit))


def mistake(code: str, cause: str, **habit: object) -> Mistake:
    """Return the mistake of a habit that differs from a right one in this."""
    return Mistake(code, cause, lambda case: play(case, Habit(**habit)))
