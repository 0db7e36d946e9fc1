"""A dict, by hand."""

EXPECT = {"08/my_blocker": "RIGHT"}


def my_blocker(events):
    counts = {}
    for step, line, _ in events:
        if step:
            counts[line] = counts.get(line, 0) + 1
    if not counts:
        return None
    worst = max(counts, key=counts.get)
    return [worst, float(counts[worst])]
