"""One thread for all deltas."""

import threading

EXPECT = {"05/my_update": "WRONG one_thread"}


def my_update(var, deltas, work):
    def all_deltas():
        for delta in deltas:
            var.assign_add(work(var.numpy(), delta))

    thread = threading.Thread(target=all_deltas)
    thread.start()
    thread.join()
