"""The longest in most steps, by however little."""

EXPECT = {"15/my_slow_one": "WRONG longest_in_most"}


def my_slow_one(steps):
    own, slow = {}, []
    for worker, step, began, entered, _left in steps:
        own.setdefault(step, {})[worker] = entered - began
    for works in own.values():
        slow.append(max(works, key=works.get))
    worker = max(slow, key=slow.count)
    return worker if 2 * slow.count(worker) > len(slow) else None
