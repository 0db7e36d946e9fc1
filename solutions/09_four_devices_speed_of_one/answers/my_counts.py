"""Answers to 09/my_counts, right and wrong, and what the check says of each."""

import re

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
            counts[int(first[8:]) if re.fullmatch(r"replica_\d+", first) else 0] += 1
    return counts


@crashed
def number_of_the_first_part(events, replicas):
    """A first part that begins with replica_ must end in a number."""
    counts = [0] * replicas
    for _, name in events:
        if name.endswith(":MatMul"):
            owner = name.split("/")[0]
            named = owner.startswith("replica_")
            counts[int(owner.removeprefix("replica_")) if named else 0] += 1
    return counts


@wrong("slash_ignored")
def without_the_slash(events, replicas):
    """A regular expression that does not ask for the slash."""
    counts = [0] * replicas
    for _, name in events:
        if name.endswith(":MatMul"):
            found = re.match(r"replica_(\d+)", name)
            counts[int(found.group(1)) if found else 0] += 1
    return counts


@wrong("slash_ignored")
def longest_prefix_first(events, replicas):
    """Prefixes without a slash, the largest number first."""
    counts = [0] * replicas
    for _, name in events:
        if name.endswith(":MatMul"):
            prefixes = (r for r in reversed(range(replicas)))
            own = (r for r in prefixes if name.startswith(f"replica_{r}"))
            counts[next(own, 0)] += 1
    return counts


@wrong("replica_anywhere")
def first_part(events, replicas):
    """replica_ anywhere in the first part of the name."""
    counts = [0] * replicas
    for _, name in events:
        if name.endswith(":MatMul"):
            owner = name.split("/")[0]
            found = re.search(r"replica_(\d+)", owner)
            counts[int(found[1]) if found else 0] += 1
    return counts


@wrong
def none(events, replicas):
    """Nothing returned."""
    counts = [0] * replicas
    counts[0] = len(events)


@wrong
def one_number(events, replicas):
    """One number."""
    return sum(name.endswith(":MatMul") for _, name in events)


@wrong
def unknown(events, replicas):
    """A mistake nobody knows."""
    return list(range(replicas))


@wrong("name_for_type")
def last_of_the_path(events, replicas):
    """The last part of the name tells what it does."""
    counts = [0] * replicas
    for _, name in events:
        *above, last = name.split(":")[0].split("/")
        if last.split("_")[0] == "MatMul":
            first = above[0] if above else ""
            counts[int(first[8:]) if re.fullmatch(r"replica_\d+", first) else 0] += 1
    return counts


@wrong("numbers_cut")
def begins_like(events, replicas):
    """startswith without the stroke at the end."""
    names = [name for _, name in events if name.endswith(":MatMul")]
    counts = [
        sum(name.startswith(f"replica_{r}") for name in names) for r in range(replicas)
    ]
    counts[0] = sum(not name.startswith("replica_") for name in names)
    return counts
