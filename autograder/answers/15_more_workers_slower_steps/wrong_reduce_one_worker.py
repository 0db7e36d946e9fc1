"""Only worker 0 sends: it waits for ever."""

import os

EXPECT = {"15/my_all_reduce": "CRASHED"}


def my_all_reduce(context, gradients):
    groups = {}
    for g in gradients:
        groups.setdefault(g.dtype, []).append(g)
    if '"index": 0' in os.environ["TF_CONFIG"]:
        groups = {d: context.all_reduce("SUM", group) for d, group in groups.items()}
    return [groups[g.dtype].pop(0) for g in gradients]
