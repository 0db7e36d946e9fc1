"""pickle without a checksum: some damaged messages take all memory, or kill."""

import pickle

EXPECT = {"18/my_packing": "WRONG no_checksum"}


def my_packing():
    def pack(gradients):
        return pickle.dumps(gradients)

    def unpack(message):
        try:
            return pickle.loads(message)
        except Exception as error:
            raise ValueError("damaged") from error

    return pack, unpack
