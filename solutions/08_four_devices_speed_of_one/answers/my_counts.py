"""Answers to 08/my_counts, right and wrong, and what the check says of each."""

import re
from collections import Counter

import numpy as np

from autograder.answers import crashed, right, wrong


@right
def numpy(events, replicas):
    """One count a replica, the rest is replica 0's."""
    names = [name for _, name in events if name.endswith(":MatMul")]
    counts = np.zeros(replicas)
    for r in range(1, replicas):
        counts[r] = sum(name.startswith(f"replica_{r}/") for name in names)
    counts[0] = len(names) - counts.sum()
    return counts


@right
def regex(events, replicas):
    """A regular expression."""
    counts = [0] * replicas
    for _, name in events:
        found = re.fullmatch(r"(?:replica_(\d+)/)?.*:MatMul", name)
        if found:
            counts[int(found.group(1) or 0)] += 1
    return counts


@right
def split(events, replicas):
    """split and a dict."""
    counts = dict.fromkeys(range(replicas), 0)
    for _, name in events:
        path, kind = name.split(":")
        if kind == "MatMul":
            first = path.split("/")[0]
            counts[int(first[8:]) if first.startswith("replica_") else 0] += 1
    return counts


@wrong("all_operations")
def counts_all(events, replicas):
    """All operations."""

    def owner(name):
        first = name.split("/")[0]
        return int(first[8:]) if first.startswith("replica_") else 0

    owners = [owner(name) for _, name in events]
    return [owners.count(r) for r in range(replicas)]


@wrong("all_events_by_thread")
def all_threads(events, replicas):
    """All operations, by thread."""
    threads = [thread for thread, _ in events]
    return [threads.count(thread) for thread in sorted(set(threads))]


@wrong("replica_anywhere")
def anywhere(events, replicas):
    """The replica's number is taken from anywhere in the name."""
    counts = [0] * replicas
    for _, name in events:
        if name.endswith(":MatMul"):
            found = re.search(r"replica_(\d+)", name)
            counts[int(found.group(1)) if found else 0] += 1
    return counts


@wrong("by_name")
def by_name(events, replicas):
    """MatMul anywhere in the name."""

    def owner(name):
        first = name.split("/")[0]
        return int(first[8:]) if first.startswith("replica_") else 0

    owners = [owner(name) for _, name in events if "MatMul" in name]
    return [owners.count(r) for r in range(replicas)]


@wrong("replica_contained")
def contained(events, replicas):
    """Asks for each replica whether its name is contained."""
    names = [name for _, name in events if name.endswith(":MatMul")]
    counts = [sum(f"replica_{r}" in name for name in names) for r in range(replicas)]
    counts[0] = sum("replica_" not in name for name in names)
    return counts


@wrong("replica_contained_once")
def contained_once(events, replicas):
    """The first replica whose name is contained gets the operation."""
    counts = [0] * replicas
    for _, name in events:
        if not name.endswith(":MatMul"):
            continue
        for replica in range(1, replicas):
            if f"replica_{replica}" in name:
                counts[replica] += 1
                break
        else:
            counts[0] += 1
    return counts


@wrong("other_types")
def ends(events, replicas):
    """All types that end in MatMul."""
    counts = [0] * replicas
    for _, name in events:
        if name.endswith("MatMul"):
            owner = name.split("/")[0]
            named = owner.startswith("replica_")
            counts[int(owner.removeprefix("replica_")) if named else 0] += 1
    return counts


@wrong("replica_anywhere")
def first_part(events, replicas):
    """replica_ anywhere in the first part of the name."""
    counts = [0] * replicas
    for _, name in events:
        if name.endswith(":MatMul"):
            owner = name.split("/")[0]
            counts[int(owner[-1]) if "replica_" in owner else 0] += 1
    return counts


@wrong("replica_0_left_out")
def left_out(events, replicas):
    """Replica 0 is not in the list."""
    names = [name for _, name in events if name.endswith(":MatMul")]
    return [
        sum(name.startswith(f"replica_{r}/") for name in names)
        for r in range(1, replicas)
    ]


@wrong("replica_0_missing")
def no_replica_0(events, replicas):
    """Replica 0 has no name."""
    names = [name for _, name in events if name.endswith(":MatMul")]
    return [
        sum(name.startswith(f"replica_{r}/") for name in names) for r in range(replicas)
    ]


@crashed
def none(events, replicas):
    """Nothing returned."""
    counts = [0] * replicas
    counts[0] = len(events)


@wrong("nothing")
def nothing(events, replicas):
    """A type that is not there."""

    def owner(name):
        first = name.split("/")[0]
        return int(first[8:]) if first.startswith("replica_") else 0

    owners = [owner(name) for _, name in events if name.endswith(":matmul")]
    return [owners.count(r) for r in range(replicas)]


@wrong("names_once")
def once(events, replicas):
    """Each name once."""

    def owner(name):
        first = name.split("/")[0]
        return int(first[8:]) if first.startswith("replica_") else 0

    owners = [owner(n) for n in {name for _, name in events} if n.endswith(":MatMul")]
    return [owners.count(r) for r in range(replicas)]


@crashed
def one_number(events, replicas):
    """One number."""
    return sum(name.endswith(":MatMul") for _, name in events)


@wrong("threads")
def counts_threads(events, replicas):
    """By thread, with a Counter."""
    counts = Counter(t for t, name in events if name.endswith(":MatMul"))
    return [counts[thread] for thread in sorted(counts)]


@wrong("all_on_each")
def counts_total(events, replicas):
    """All for each."""
    total = sum(name.endswith(":MatMul") for _, name in events)
    return [total] * replicas


@wrong
def unknown(events, replicas):
    """A mistake nobody knows."""
    return list(range(replicas))


@wrong("zeros_left_out")
def zeros_left_out(events, replicas):
    """Only replicas that multiply are in the list."""
    counts = Counter()
    for _, name in events:
        if name.endswith(":MatMul"):
            first = name.split("/")[0]
            counts[int(first[8:]) if first.startswith("replica_") else 0] += 1
    return [counts[replica] for replica in sorted(counts)]
