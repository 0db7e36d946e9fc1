"""Simulated workers that meet in collectives, to work known mistakes out."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence


class _Asked(Exception):
    """A function hands something in, and nobody knows yet what comes out."""


class Apart(Exception):
    """The workers stand in different collectives, or some have left.

    entered: how many collectives each of them has entered.
    """

    entered: tuple[int, ...] = ()


def lockstep(
    workers: Sequence[Generator], meet: Callable[[list], object]
) -> list[object]:
    """Run workers until all have returned; return what they did, in their order.

    Args:
        workers: each yields what it hands in to a collective, and receives what
            comes out.
        meet: what comes out for all; gets what all hand in, None from one that has
            returned. Raises Apart where that is no collective.

    Raises:
        Apart: as `meet` does.
    """
    returned: dict[int, object] = {}
    entered = [0] * len(workers)
    came: object = None
    while True:
        handed: list[object] = []
        for number, worker in enumerate(workers):
            try:
                handed.append(None if number in returned else worker.send(came))
            except StopIteration as end:
                returned[number] = end.value
                handed.append(None)
        if len(returned) == len(workers):
            return [returned[number] for number in range(len(workers))]
        for number, each in enumerate(handed):
            entered[number] += each is not None
        try:
            came = meet(handed)
        except Apart as apart:
            apart.entered = tuple(entered)
            raise


def in_steps(function: Callable[[Callable], object]) -> Generator:
    """Yield what `function(collective)` hands in, receive what comes out of it.

    It begins anew for each collective, so it must do the same every time. What it
    returns at last is the generator's value.
    """
    came: list[object] = []
    while True:
        try:
            return function(_answering(came))
        except _Asked as asked:
            (handed,) = asked.args
        came.append((yield handed))


def _answering(came: Sequence[object]) -> Callable[[object], object]:
    """Return a collective whose first results are known."""
    known = iter(came)

    def collective(handed: object) -> object:
        try:
            return next(known)
        except StopIteration:
            raise _Asked(handed) from None

    return collective
