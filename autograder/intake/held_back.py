"""What waits for its instructor: handed in, but it can't be told what counts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class HeldBack:
    """Something of one student that is not graded in this run.

    student, notebook: as in nbgrader's folders, or "" where that is not known. A
        student whose id can't be used stands under a printable form of the name.
    origin: which file in which archive, for people.
    reason: one sentence for the instructor: what is odd, and what to do next.
    """

    student: str
    notebook: str
    origin: str
    reason: str


def sentence(why: str, then: str) -> str:
    """What is odd, and what to do next."""
    return f"{why[:1].upper()}{why[1:]}: {then}."
