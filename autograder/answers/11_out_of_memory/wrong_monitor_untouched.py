"""The shipped code, with a comment."""

import psutil

EXPECT = {"11/my_monitor": "NOT ATTEMPTED"}


def my_monitor(pid):
    # as the document has it
    return psutil.virtual_memory().percent
