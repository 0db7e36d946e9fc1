"""Wrong answers to 05/my_outcomes: names are codes, docstrings causes."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, product

from course.checks.exercises import wrong_answers
from course.lessons.n05_different_every_run.orders import (
    State,
    every_state,
    outcomes,
)


def nothing_lost(deltas, times):
    """It counts every addition. That is what comes if the threads take turns; between
    a read and its write, others may write as well.
    """
    return {times * sum(deltas)}


def whole_threads(deltas, times):
    """It lets a thread lose all of its additions or none. Each write can be lost for
    itself.
    """
    some = range(1, len(deltas) + 1)
    return {times * sum(part) for n in some for part in combinations(deltas, n)}


def any_number(deltas, times):
    """It takes any number of additions from each thread. The last write of all builds
    on a read that came after its thread's earlier writes, and at least one addition
    was in the variable then.
    """
    parts = [[n * delta for n in range(times + 1)] for delta in deltas]
    return {sum(part) for part in product(*parts) if any(part)}


def all_or_one(deltas, times):
    """It lets all additions survive, or one thread's alone. With three threads, the
    last write may build on one other and destroy the third.
    """
    return {times * sum(deltas), *deltas}


def on_the_way(deltas, times):
    """It counts what the variable holds at any moment, the start among it. Asked is
    the end, when all threads have taken all of their steps.
    """
    return {state.held for state, _ in every_state(deltas, times)}


def once_only(deltas, times):
    """It lets each thread add once. Asked is `times` times."""
    return set(outcomes(deltas, 1))


def one_lost(deltas, times):
    """It lets one addition get lost at most. A write can destroy several, and several
    writes can destroy some.
    """
    total = times * sum(deltas)
    return {total, *(total - delta for delta in deltas)}


def in_rounds(deltas, times):
    """It lets all threads read, then all write, and one addition of each round is
    left. The threads do not wait for each other.
    """
    return {sum(part) for part in combinations_with_replacement(deltas, times)}


def last_thread_last(deltas, times):
    """It takes for granted that the last thread writes last. Any thread can be the
    last one.
    """
    last = len(deltas) - 1

    def may_go(state: State, thread: int) -> bool:
        others = state.taken[:last]
        return (
            thread != last
            or state.taken[last] < 2 * times - 1
            or all(taken == 2 * times for taken in others)
        )

    return set(outcomes(deltas, times, may_go=may_go))


def first_thread_first(deltas, times):
    """It takes for granted that the threads begin in their order: the first one has
    read before the others, and so on. Any thread can be the first.
    """

    def may_go(state: State, thread: int) -> bool:
        return all(taken > 1 for taken in state.taken[:thread])

    return set(outcomes(deltas, times, may_go=may_go))


def two_threads(deltas, times):
    """It looks at the first two threads only."""
    return set(outcomes(deltas[:2], times))


def all_between(deltas, times):
    """It takes all numbers between the least and the largest. With amounts other than
    1, some of them never come.
    """
    ends = outcomes(deltas, times)
    return set(range(min(ends), max(ends) + 1))


def one_order(deltas, times):
    """It follows one order only, in which all read before anyone writes. Asked are
    the ends of ALL orders.
    """
    return {deltas[-1] * times}


MISTAKES = wrong_answers(__name__, outcomes, every_state)
