"""Where each process's list has the other workers, and whether it has called them."""

from __future__ import annotations

from dataclasses import dataclass

from course.lessons.n13_cluster_never_starts.cluster_starts import (
    ClusterStart,
    Member,
    task_of,
)

ENDS = {"waited": "waits, no error", "left": "has left", "killed": "was ended"}


@dataclass(frozen=True)
class Call:
    """Process `caller` lists worker `entry` at `place`, where `found` listens.

    made: whether `caller` has a connection to it.
    """

    caller: int
    entry: int
    place: str
    found: int | None
    right: bool
    made: bool


def calls_of(run: ClusterStart) -> list[Call]:
    """Return where each TF_CONFIG has the other workers, and which process is there."""
    calls = []
    for caller, (own, member) in enumerate(zip(run.lists, run.members, strict=True)):
        for entry, address in enumerate(own):
            if entry == _index(member) or not member.listens:
                continue
            port = _port(address)
            there = [k for k, m in enumerate(run.members) if port in m.listens]
            found = there[0] if there else None
            right = found is not None and _index(run.members[found]) == entry
            made = found is not None and port in member.reached
            calls.append(Call(caller, entry, _place(run, port), found, right, made))
    return calls


def _port(address: object) -> int | None:
    port = str(address).rsplit(":", 1)[-1]
    return int(port) if port.isdigit() else None


def _place(run: ClusterStart, port: int | None) -> str:
    """Return a port as figures write it, with the letter that stands for it."""
    letters = [k for k, address in run.at.items() if _port(address) == port]
    return f"{letters[0]}, port {port}" if letters else f"port {port}"


def _index(member: Member) -> int | None:
    try:
        return int(task_of(member.config)["index"])
    except (ValueError, TypeError, KeyError):
        return None


def claim(member: Member) -> str:
    """Return which worker the process says it is."""
    if member.outcome == "returned" and not member.listens:
        return "I am alone"
    index = _index(member)
    return "who am I?" if index is None else f"I am worker {index}"


def listens_at(run: ClusterStart, member: Member) -> str:
    """Return the port on which a process listens, with its letter."""
    return _place(run, member.listens[0]) if member.listens else "no port"


def ending(member: Member) -> str:
    """Return in a few words how a process ended."""
    if member.outcome == "raised":
        return member.error.split(":")[0]
    if member.outcome == "returned":
        return f"done: total {_total(member)}"
    return ENDS[member.outcome]


def _total(member: Member) -> str:
    match member.value:
        case [_, int() | float() as total]:
            return f"{total:g}"
    return "?"
