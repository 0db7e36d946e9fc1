"""The functions are called at once."""

import pickle

EXPECT = {"18/my_packing": "CRASHED"}


def my_packing():
    def pack(gradients):
        return pickle.dumps(gradients)

    def unpack(message):
        return pickle.loads(message)

    return pack(), unpack()
