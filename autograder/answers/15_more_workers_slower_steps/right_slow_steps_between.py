"""Steps after each other are compared; whoever is slow in most of them."""

import numpy as np

EXPECT = {"15/my_slow_one": "RIGHT"}


def my_slow_one(steps):
    workers = {step[0] for step in steps}
    rounds = len(steps) // len(workers)
    for me in workers:
        count = 0
        for number in range(rounds):
            works = {
                w: entered - began
                for w, n, began, entered, left in steps
                if n == number
            }
            count += all(works[me] >= 2 * works[w] for w in workers - {me})
        if count * 2 > rounds:
            return np.int64(me)
    return None
