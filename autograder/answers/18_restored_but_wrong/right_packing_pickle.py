"""pickle, sealed by a hash at the end."""

import hashlib
import pickle

EXPECT = {"18/my_packing": "RIGHT"}


def my_packing():
    def pack(gradients):
        body = pickle.dumps(list(gradients))
        return bytearray(body + hashlib.md5(body).hexdigest().encode())

    def unpack(message):
        body, seal = message[:-32], message[-32:]
        if hashlib.md5(body).hexdigest().encode() != seal:
            raise ValueError("the seal is broken")
        return pickle.loads(body)

    return [pack, unpack]
