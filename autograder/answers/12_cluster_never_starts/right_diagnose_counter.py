"""Counters of clusters and indices."""

import json
from collections import Counter

EXPECT = {"12/my_diagnose": "RIGHT"}


def my_diagnose(configs):
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
