"""Answers to 12/my_diagnose, right and wrong, and what the check says of each."""

import json
from collections import Counter

from autograder.answers import changed, crashed, right, wrong


@right
def counter(configs):
    """Counters of clusters and indices."""
    plans = [json.dumps(config.get("cluster"), sort_keys=True) for config in configs]
    usual, times = Counter(plans).most_common(1)[0]
    indices = [config.get("task", {}).get("index") for config in configs]
    found = set()
    for worker, config in enumerate(configs):
        if config == {}:
            found.add((worker, "alone"))
            continue
        if plans[worker] != usual or times <= len(configs) / 2:
            found.add((worker, "other cluster"))
        index = indices[worker]
        if index is None:
            found.add((worker, "no task"))
            continue
        if not 0 <= index < len(config["cluster"]["worker"]):
            found.add((worker, "index out of range"))
        if Counter(indices)[index] > 1:
            found.add((worker, "index twice"))
    return found


@right
def diagnose_pairs(configs):
    """Lists of pairs, made into a set."""
    full = [(w, c) for w, c in enumerate(configs) if c]
    index = {w: c["task"]["index"] for w, c in full if "index" in c.get("task", ())}
    same = {w: sum(c["cluster"] == d["cluster"] for _, d in full) for w, c in full}
    pairs = [(w, "alone") for w, c in enumerate(configs) if not c]
    pairs += [(w, "other cluster") for w, n in same.items() if n <= len(configs) // 2]
    pairs += [(w, "no task") for w, _ in full if w not in index]
    for w, i in index.items():
        pairs += [(w, "index twice")] * (list(index.values()).count(i) > 1)
        try:
            configs[w]["cluster"]["worker"][i]
        except IndexError:
            pairs.append((w, "index out of range"))
    return set(pairs)


@crashed
@changed(counter, ("return found", "return {code for _, code in found}"))
def list_of_codes():
    """Codes without workers."""


@wrong("missing_index_twice")
@changed(
    counter,
    (
        "index = indices[worker]",
        """
        index = indices[worker]
        if index is None and indices.count(None) > 1:
            found.add((worker, "index twice"))
        """,
    ),
)
def nones_counted():
    """Workers without an index count as twins."""
