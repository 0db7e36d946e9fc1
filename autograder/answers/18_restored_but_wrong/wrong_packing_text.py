"""Exact text, but for the bits of NaN."""

import hashlib

EXPECT = {"18/my_packing": "WRONG text"}


def my_packing():
    def pack(gradients):
        parts = [(g.dtype.name, g.shape, g.ravel().tolist()) for g in gradients]
        text = json.dumps(parts).encode()
        return hashlib.sha256(text).digest() + text

    def unpack(message):
        if hashlib.sha256(message[32:]).digest() != message[:32]:
            raise ValueError("the message is damaged")
        return [
            np.array(part, name).reshape(shape)
            for name, shape, part in json.loads(message[32:])
        ]

    return pack, unpack
