"""Compares with every other worker, one by one."""

EXPECT = {"15/my_slow_one": "RIGHT"}


def my_slow_one(steps):
    workers = sorted({step[0] for step in steps})
    own = {(step[1], step[0]): step[3] - step[2] for step in steps}
    numbers = {step[1] for step in steps}
    for worker in workers:
        times = sum(
            all(own[n, worker] >= 2 * own[n, w] for w in workers if w != worker)
            for n in numbers
        )
        if times > len(numbers) / 2:
            return worker
    return None
