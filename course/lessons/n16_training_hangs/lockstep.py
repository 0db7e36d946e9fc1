"""Simulated workers that meet in collectives, to work known mistakes out."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence


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
