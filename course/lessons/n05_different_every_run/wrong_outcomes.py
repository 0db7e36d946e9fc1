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
    """It holds only what is left if the threads take turns, so that no addition is
    lost. Between a read and a write of one thread, others may write. If you skip
    states that you have already tried, remember the variable's value and all reads
    for each of them, not only how far each thread is.
    """
    return {times * sum(deltas)}


def whole_threads(deltas, times):
    """It lets a thread lose all of its additions or none. A thread can lose some of
    them.
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
    last write may build on another thread's write and destroy that of the third.
    """
    return {times * sum(deltas), *deltas}


def on_the_way(deltas, times):
    """It holds what the variable can hold at any moment, including the start. Return
    only the values at the end, when all threads have taken all of their steps.
    """
    return {state.held for state, _ in every_state(deltas, times)}


def once_only(deltas, times):
    """It lets each thread add once. Each thread adds `times` times."""
    return set(outcomes(deltas, 1))


def one_lost(deltas, times):
    """It lets one addition at most get lost. One write can destroy several additions,
    and several writes can each destroy some.
    """
    total = times * sum(deltas)
    return {total, *(total - delta for delta in deltas)}


def in_rounds(deltas, times):
    """It lets all threads read, then all write, and one addition of each round is
    left. The threads do not wait for each other.
    """
    return {sum(part) for part in combinations_with_replacement(deltas, times)}


def last_thread_last(deltas, times):
    """It assumes that the last thread writes last. Any thread can be the last one."""
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
    """It assumes that the threads begin in their order: the first one reads and writes
    before the others begin, and so on. Any thread can be the first.
    """

    def may_go(state: State, thread: int) -> bool:
        return all(taken > 1 for taken in state.taken[:thread])

    return set(outcomes(deltas, times, may_go=may_go))


def each_keeps_some(deltas, times):
    """It lets each thread keep between one of its additions and all of them. A thread
    can also lose all of its additions.
    """
    kept = [[n * delta for n in range(1, times + 1)] for delta in deltas]
    return {sum(each) for each in product(*kept)}


def race_at_the_end(deltas, times):
    """It lets the threads take turns until each has one addition left, and only these
    last ones race. An addition can be lost in every round, and a thread may be rounds
    ahead of another.
    """
    before = (times - 1) * sum(deltas)
    return {before + end for end in outcomes(deltas, 1)}


def one_read_each(deltas, times):
    """It lets each thread read once, before its loop, and add to its own copy after
    that. In the loop, each addition begins with a new read.
    """

    def held_after(writers):
        """Return what the variable can hold if only `writers` have written."""
        found = {0}
        for i in writers:
            for base in held_after([j for j in writers if j != i]):
                found |= {base + n * deltas[i] for n in range(1, times + 1)}
        return found

    threads = range(len(deltas))
    return {
        base + times * deltas[last]
        for last in threads
        for base in held_after([i for i in threads if i != last])
    }


def two_threads(deltas, times):
    """It looks at the first two threads only."""
    return set(outcomes(deltas[:2], times))


def all_between(deltas, times):
    """It takes all numbers between the least and the largest. With deltas other than
    1, the variable cannot end at some of them.
    """
    ends = outcomes(deltas, times)
    return set(range(min(ends), max(ends) + 1))


def one_order(deltas, times):
    """It follows one order only, in which all threads read before any of them writes.
    Follow ALL orders.
    """
    return {deltas[-1] * times}


MISTAKES = wrong_answers(__name__, outcomes, every_state)
