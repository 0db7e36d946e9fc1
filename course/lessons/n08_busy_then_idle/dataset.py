"""Fix: a dataset that reads four elements at a time, ahead of the step, in order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course.checks.exercises import Exercise, Observation, Sign
from course.lessons.n08_busy_then_idle.input_pipeline import READERS
from course.lessons.n08_busy_then_idle.runs import (
    SOME,
    Case,
    compare,
    draw,
    expect,
    observe,
)

PREFETCH = "prefetch reads ahead of the step, but by one read after the other."


def _counted(code: str, cause: str, **counts: int) -> Sign:
    return Sign(code, cause, lambda _, seen: seen.changed(**counts))


def _elements(code: str, cause: str, came: Callable[[int], np.ndarray], **counts: int):
    """How often each of n elements comes, and what else is counted of them."""
    return Sign(code, cause, lambda case, seen: seen.changed(came(case.n), **counts))


def _where_reads_meet(code: str, cause: str, counts: dict[str, int]) -> Sign:
    def change(case: Case, seen: Observation) -> Observation:
        return seen.changed(**counts) if case.meets else seen

    return Sign(code, cause, change)


def _reads(code: str, cause: str, counts: dict[str, int]) -> Sign:
    """How many reads meet, and what of the dataset allows less than four."""
    allowed = {"parallel": 1, "threads": READERS, "later": 0}
    return _where_reads_meet(code, cause, allowed | counts)


WHAT_COMES = (
    _where_reads_meet(
        "another_order",
        "the order is lost: by shuffle, by deterministic=False, or because several "
        "parts of the numbers are read at once.",
        {"ordered": 0},
    ),
    _elements(
        "rest_lost",
        "the last elements, too few to fill a batch of four, are lost.",
        lambda n: np.arange(n) < n - n % READERS,
    ),
    _elements(
        "last_lost",
        "the last element is lost: Dataset.range(n) ends with n - 1 already.",
        lambda n: np.arange(n) < n - 1,
    ),
    _elements(
        "first_lost",
        "element 0 is lost: the numbers begin with 0.",
        lambda n: np.arange(n) > 0,
    ),
    _elements(
        "one_shard",
        "only every fourth element is read: the dataset is one of four shards.",
        lambda n: np.arange(n) % READERS == 0,
    ),
    _elements(
        "four_copies",
        "each element is there four times: there are four datasets, and each reads all "
        "numbers. Give each of them its own shard.",
        lambda n: np.full(n, READERS),
    ),
    _elements("twice", "each element is there twice.", lambda n: np.full(n, 2)),
    _counted(
        "batched",
        "the elements are put into batches. This exercise asks for single elements.",
        single=0,
    ),
    _counted(
        "beyond",
        "read is called for a number below 0 or above n - 1. Dataset.range(n) gives 0 "
        "to n - 1.",
        beyond=1,
    ),
    _elements("never_ends", "the dataset has no end: repeat.", np.zeros, stopped=1),
    _elements("empty", "the dataset is empty.", np.zeros, stopped=0, strange=0),
    _elements(
        "not_read",
        "the elements are numbers that read did not return: the dataset never "
        "calls it, or changes what it returns.",
        np.zeros,
        strange=1,
    ),
)
HOW_IT_IS_READ = (
    _reads(
        "one_at_a_time",
        f"one element is read at a time. {PREFETCH} Two things must allow four: the "
        "part that reads (map, or interleave), and the threads that it gets. By "
        "default, that is one thread for each core that the process may use: here, "
        "one.",
        {"met": 1, "threads": 0, "parallel": 0},
    ),
    _reads(
        "no_threads",
        "num_parallel_calls is there, and still one element is read at a time: it has "
        "no threads to run in. By default, a dataset gets one for each core that the "
        "process may use: here, one. Nothing in its options gives it more.",
        {"met": 1, "threads": 0},
    ),
    _reads(
        "no_parallel_calls",
        "the dataset has enough threads of its own, but nothing in it works on several "
        "elements at a time: map and interleave need num_parallel_calls for that.",
        {"met": 1, "parallel": 0},
    ),
    _reads(
        "one_thread",
        "num_parallel_calls is there, but the dataset's own pool has one thread.",
        {"met": 1, "threads": 1},
    ),
    _reads(
        "few_threads_no_parallel_calls",
        "nothing in the dataset works on several elements at a time: map and "
        "interleave need num_parallel_calls. And its own pool has fewer than four "
        "threads.",
        {"met": 1, "threads": SOME, "parallel": 0},
    ),
    _reads(
        "one_thread_no_parallel_calls",
        "nothing in the dataset works on several elements at a time: map and "
        "interleave need num_parallel_calls. And its own pool has one thread.",
        {"met": 1, "threads": 1, "parallel": 0},
    ),
    _reads(
        "one_call",
        "the threads are there, but the part that reads does one read after the other: "
        "its num_parallel_calls is 1, or another part has it.",
        {"met": 1},
    ),
    _reads(
        "few_threads_one_call",
        "the part that reads does one read after the other: its num_parallel_calls is "
        "1, or another part has it. And the dataset's own pool has fewer than four "
        "threads.",
        {"met": 1, "threads": SOME},
    ),
    _reads(
        "late_streams",
        "the first reads come one at a time, though later ones meet: each part that "
        "reads ahead starts only when its own first element is asked for. Four reads "
        "must begin at once.",
        {"met": 1, "later": 1},
    ),
    _reads(
        "too_few_threads",
        "the dataset's own pool has fewer than four threads.",
        {"met": SOME, "threads": SOME},
    ),
    _reads(
        "too_few_calls",
        "the threads are there, but num_parallel_calls allows fewer than four reads.",
        {"met": SOME},
    ),
    _reads(
        "too_few_at_a_time",
        "some elements are read at a time, but fewer than four.",
        {"met": SOME, "threads": 0, "parallel": 0},
    ),
)
BESIDE_THE_STEP = (
    _where_reads_meet(
        "alternates",
        "reading stops while a step runs. Something takes a group of elements at once, "
        "and the dataset does not read ahead of the step.",
        {"alternates": 1},
    ),
    _where_reads_meet(
        "all_before_the_first_step",
        "everything is read before the first element is passed on. The first step "
        "waits for all reads, and all elements must fit into memory.",
        {"all first": 1},
    ),
    _where_reads_meet(
        "most_before_the_first_step",
        "many elements are collected before the first one is passed on. The first step "
        "waits for far more reads than it needs.",
        {"most first": 1},
    ),
    _counted(
        "read_while_made",
        "elements are read while the dataset is being made, not while it is used. With "
        "a million elements, the first step would begin after the last read.",
        early=1,
    ),
    _counted("read_again", "elements are read more often than needed.", again=1),
)
MY_DATASET = Exercise(
    name="08/my_dataset",
    cases=draw,
    observe=observe,
    expect=expect,
    compare=compare,
    right="Four reads ran at once, on one core. Reading went on during the steps. Each "
    "element was read once, and the loop got them in order.",
    locate="08/my_limit",
    signs=(*WHAT_COMES, *HOW_IT_IS_READ, *BESIDE_THE_STEP),
    shipped="no_threads",
)
