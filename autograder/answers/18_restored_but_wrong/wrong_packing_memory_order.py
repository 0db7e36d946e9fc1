"""Bytes as they lie in memory."""

import hashlib
import json

import numpy as np

EXPECT = {"18/my_packing": "WRONG memory_order"}


def my_packing():
    def pack(gradients):
        parts = [(g.dtype.name, g.shape, g.tobytes("A").hex()) for g in gradients]
        text = json.dumps(parts).encode()
        return hashlib.sha256(text).digest() + text

    def unpack(message):
        if hashlib.sha256(message[32:]).digest() != message[:32]:
            raise ValueError("damaged")
        return [
            np.frombuffer(bytes.fromhex(part), np.dtype(name)).reshape(shape)
            for name, shape, part in json.loads(message[32:])
        ]

    return pack, unpack
