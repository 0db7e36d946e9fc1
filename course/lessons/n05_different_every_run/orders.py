"""Every order in which threads can read and write, and what a variable ends with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

Order = tuple[int, ...]  # thread numbers: each takes its next step, a read or a write


@dataclass(frozen=True)
class State:
    """Threads on their way.

    held: what the variable holds.
    taken: for each thread, how many steps it has taken; even ones are reads.
    read: for each thread, what it has read last.
    """

    held: int
    taken: tuple[int, ...]
    read: tuple[int, ...]

    def after(self, thread: int, delta: int) -> State:
        """Return the state after the next step of `thread`, which adds `delta`."""
        reads = self.taken[thread] % 2 == 0
        return State(
            self.held if reads else self.read[thread] + delta,
            _put(self.taken, thread, self.taken[thread] + 1),
            _put(self.read, thread, self.held) if reads else self.read,
        )


def _put(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*values[:place], value, *values[place + 1 :])


def every_state(
    deltas: Sequence[int],
    times: int,
    may_go: Callable[[State, int], bool] = lambda state, thread: True,
) -> Iterator[tuple[State, Order]]:
    """Yield each state that some order of steps leads to, with the first such order.

    Args:
        deltas: one for each thread.
        times: how often each thread reads the variable and writes what it read plus
            its delta.
        may_go: whether a thread may take the next step in a state.
    """
    threads = range(len(deltas))
    begin = State(0, (0,) * len(deltas), (0,) * len(deltas))
    found: dict[State, Order] = {begin: ()}
    todo = [begin]
    for state in todo:  # grows meanwhile
        yield state, found[state]
        for thread in threads:
            if state.taken[thread] < 2 * times and may_go(state, thread):
                new = state.after(thread, deltas[thread])
                if new not in found:
                    found[new] = (*found[state], thread)
                    todo.append(new)


def outcomes(deltas: Sequence[int], times: int, **which: Callable) -> dict[int, Order]:
    """Return each value that the variable can end with -> an order that gives it."""
    ends: dict[int, Order] = {}
    for state, order in every_state(deltas, times, **which):
        if all(taken == 2 * times for taken in state.taken):
            ends.setdefault(state.held, order)
    return ends
