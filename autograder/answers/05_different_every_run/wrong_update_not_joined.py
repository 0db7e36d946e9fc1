"""Start the threads and return."""

import threading

EXPECT = {"05/my_update": "WRONG not_joined"}


def my_update(var, deltas, work):
    def one(delta):
        var.assign_add(work(var.numpy(), delta))

    for delta in deltas:
        threading.Thread(target=one, args=(delta,)).start()
