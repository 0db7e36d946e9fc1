"""The message is a key to what was kept in memory."""

import hashlib

EXPECT = {"18/my_packing": "WRONG"}

SENT = {}


def my_packing():
    def pack(gradients):
        key = hashlib.sha256(b"".join(g.tobytes() for g in gradients)).digest()
        SENT[key] = gradients
        return key

    def unpack(message):
        if message not in SENT:
            raise ValueError("damaged")
        return SENT[message]

    return pack, unpack
