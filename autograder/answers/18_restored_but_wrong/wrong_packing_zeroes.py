"""The gradients are set to zero for the next step."""

import hashlib
import json

import numpy as np

EXPECT = {"18/my_packing": "WRONG"}


def my_packing():
    def pack(gradients):
        parts = [(g.dtype.name, g.shape, g.tobytes().hex()) for g in gradients]
        text = json.dumps(parts).encode()
        for gradient in gradients:
            gradient[...] = 0
        return hashlib.sha256(text).digest() + text

    def unpack(message):
        if hashlib.sha256(message[32:]).digest() != message[:32]:
            raise ValueError("damaged")
        return [
            np.frombuffer(bytes.fromhex(part), np.dtype(name)).reshape(shape)
            for name, shape, part in json.loads(message[32:])
        ]

    return pack, unpack
