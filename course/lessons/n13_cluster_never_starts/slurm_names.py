"""Slurm's short ways of writing: nodes with brackets, numbers of tasks with repeats."""

from __future__ import annotations

import re


def node_names(text: str) -> list[str]:
    """Return the nodes of a list such as "node[08-10],gpu3", in Slurm's order."""
    names = []
    for part in re.findall(r"[^,\[]+(?:\[[^\]]*\])?", text):
        prefix, _, inside = part.rstrip("]").partition("[")
        for piece in inside.split(","):
            first, _, last = piece.partition("-")
            if not first:
                names.append(prefix)
                continue
            numbers = range(int(first), int(last or first) + 1)
            names += [f"{prefix}{number:0{len(first)}}" for number in numbers]
    return names


def task_counts(text: str) -> list[int]:
    """Return how many tasks each node has, from a text such as "2(x3),1"."""
    found = re.findall(r"(\d+)(?:\(x(\d+)\))?", text)
    return [int(count) for count, times in found for _ in range(int(times or 1))]
