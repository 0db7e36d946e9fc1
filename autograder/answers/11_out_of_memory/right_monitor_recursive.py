"""A function that calls itself for each child."""

import psutil

EXPECT = {"11/my_monitor": "RIGHT"}


def my_monitor(pid):
    def held(process):
        own = process.memory_info().rss / 2**20
        return own + sum(held(child) for child in process.children())

    return round(held(psutil.Process(pid)))
