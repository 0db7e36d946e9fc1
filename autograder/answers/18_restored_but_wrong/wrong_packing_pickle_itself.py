"""pickle's own two functions."""

import pickle

EXPECT = {"18/my_packing": "WRONG no_checksum"}


def my_packing():
    return pickle.dumps, pickle.loads
