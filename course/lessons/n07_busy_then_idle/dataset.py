"""Fix: a dataset that reads four elements at a time, ahead of the step, in order."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from course.exercises import Exercise, Mistake, Observation
from course.jobs.input_pipeline import READERS
from course.lessons.n07_busy_then_idle.runs import (
    SOME,
    Case,
    compare,
    draw,
    expect,
    observation,
    observe,
)

Came = Callable[[int], np.ndarray]
FOUR = {"met": READERS}
PREFETCH = "prefetch reads ahead of the step, but by one read after the other."
# code, cause, what is counted
SPEEDS: tuple[tuple[str, str, dict], ...] = (
    ("", "", FOUR),
    (
        "one_at_a_time",
        f"one element is read at a time. {PREFETCH} Two things must allow four: the "
        "part that reads (map, or interleave), and the threads that it gets. By "
        "default these are as many as the process may use cores: here, one.",
        {"met": 1, "parallel": False, "threads": 0},
    ),
    (
        "no_threads",
        "num_parallel_calls is there, and still one element is read at a time: it has "
        "no threads to run in. By default, a dataset gets as many as the process may "
        "use cores: here, one. The options of the returned dataset say nothing else.",
        {"met": 1, "threads": 0},
    ),
    (
        "no_parallel_calls",
        "the dataset has enough threads of its own, but nothing in it works on several "
        "elements at a time: map and interleave need num_parallel_calls for that.",
        {"met": 1, "parallel": False},
    ),
    (
        "one_thread",
        "num_parallel_calls is there, but the dataset's own pool has one thread.",
        {"met": 1, "threads": 1},
    ),
    (
        "few_threads_no_parallel_calls",
        "nothing in the dataset works on several elements at a time: map and "
        "interleave need num_parallel_calls. And its own pool has fewer than four "
        "threads.",
        {"met": 1, "parallel": False, "threads": SOME},
    ),
    (
        "one_thread_no_parallel_calls",
        "nothing in the dataset works on several elements at a time: map and "
        "interleave need num_parallel_calls. And its own pool has one thread.",
        {"met": 1, "parallel": False, "threads": 1},
    ),
    (
        "one_call",
        "the threads are there, but the part that reads does one read after the other: "
        "its num_parallel_calls is 1, or another part has it.",
        {"met": 1},
    ),
    (
        "few_threads_one_call",
        "the part that reads does one read after the other: its num_parallel_calls is "
        "1, or another part has it. And the dataset's own pool has fewer than four "
        "threads.",
        {"met": 1, "threads": SOME},
    ),
    (
        "too_few_threads",
        "the dataset's own pool has fewer than four threads.",
        {"met": SOME, "threads": SOME},
    ),
    (
        "too_few_calls",
        "the threads are there, but num_parallel_calls allows fewer than four reads.",
        {"met": SOME},
    ),
    (
        "too_few_at_a_time",
        "some elements are read at a time, but fewer than four.",
        {"met": SOME, "parallel": False, "threads": 0},
    ),
)
CONTENTS: tuple[tuple[str, str, Came, dict], ...] = (
    ("", "", np.ones, {}),
    (
        "another_order",
        "the elements come in another order: by shuffle, by deterministic=False, or as "
        "parts of the numbers are read side by side.",
        np.ones,
        {"ordered": False},
    ),
    (
        "rest_lost",
        "the last elements, too few to fill a batch of four, are lost.",
        lambda n: np.arange(n) < n - n % READERS,
        {},
    ),
    (
        "last_lost",
        "the last element is lost: Dataset.range(n) ends with n - 1 already.",
        lambda n: np.arange(n) < n - 1,
        {},
    ),
    (
        "first_lost",
        "element 0 is lost: the numbers begin with 0.",
        lambda n: np.arange(n) > 0,
        {},
    ),
    (
        "one_shard",
        "only every fourth element is read: the dataset is one of four shards.",
        lambda n: np.arange(n) % READERS == 0,
        {},
    ),
    (
        "four_copies",
        "each element comes four times: four datasets stand side by side, and each "
        "reads all numbers. Give each of them its own shard.",
        lambda n: np.full(n, READERS),
        {},
    ),
    ("twice", "each element comes twice.", lambda n: np.full(n, 2), {}),
    (
        "batched",
        "the elements are put into batches. Nobody asked for that here.",
        np.ones,
        {"single": False},
    ),
    (
        "beyond",
        "read is called for a number below 0 or above n - 1. Dataset.range(n) gives 0 "
        "to n - 1.",
        np.ones,
        {"beyond": True},
    ),
    ("never_ends", "the dataset has no end: repeat.", np.zeros, {"stopped": True}),
)
BESIDE = (
    (
        "alternates",
        "reading stops while a step runs. Something takes a group of elements at once, "
        "and the dataset does not read ahead of the step.",
        {"alternates": True},
    ),
    (
        "all_before_the_first_step",
        "everything is read before the first element is handed on. The step waits for "
        "all reads, and all elements must fit into memory.",
        {"all_first": True},
    ),
    (
        "read_while_made",
        "elements are read while the dataset is being made, not while it is used. With "
        "a million elements, the first step would begin after the last read.",
        {"early": True},
    ),
    ("read_again", "elements are read more often than needed.", {"again": True}),
)


def _mistake(speed, content) -> Mistake:
    code = "_".join(filter(None, (speed[0], content[0])))
    cause = " And: ".join(filter(None, (content[1], speed[1])))

    def observe_it(case: Case) -> Observation:
        flags = content[3] | (speed[2] if case.meets else FOUR | {"ordered": True})
        return observation(content[2](case.n), **flags)

    return Mistake(code, cause, observe_it)


def _beside(code: str, cause: str, flags: dict) -> Mistake:
    def observe_it(case: Case) -> Observation:
        here = case.meets or not {"alternates", "all_first"} & set(flags)
        return observation(np.ones(case.n), **(flags if here else {}))

    return Mistake(code, cause, observe_it)


def _known() -> tuple[Mistake, ...]:
    """The shipped code first, then all the others."""
    pairs = [(s, c) for s, c in product(SPEEDS, CONTENTS) if s[0] or c[0]]
    found = [_mistake(speed, content) for speed, content in pairs]
    found.sort(key=lambda mistake: mistake.code != "one_at_a_time")
    return (
        *found,
        *(_beside(*each) for each in BESIDE),
        Mistake("empty", "no element comes.", lambda c: observation(np.zeros(c.n))),
        Mistake(
            "not_read",
            "the elements are numbers that read did not return: the dataset never "
            "calls it, or changes what it returns.",
            lambda c: observation(np.zeros(c.n), strange=True),
        ),
    )


MY_DATASET = Exercise(
    name="07/my_dataset",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    mistakes=_known(),
    right="Four reads met, with one core; reading went on during the steps; each "
    "element came once, in order, and was read once.",
    locate="07/my_limit",
)
