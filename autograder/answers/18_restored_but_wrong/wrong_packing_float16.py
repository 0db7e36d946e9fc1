"""Floats go through float16."""

import hashlib

EXPECT = {"18/my_packing": "WRONG float16"}


def my_packing():
    def pack(gradients):
        parts = [(g.dtype.name, g.shape, half(g).tobytes().hex()) for g in gradients]
        text = json.dumps(parts).encode()
        return hashlib.sha256(text).digest() + text

    def unpack(message):
        if hashlib.sha256(message[32:]).digest() != message[:32]:
            raise ValueError("the message is damaged")
        return [
            np.frombuffer(bytes.fromhex(part), np.dtype(name)).reshape(shape)
            for name, shape, part in json.loads(message[32:])
        ]

    return pack, unpack


def half(g):
    if g.dtype.kind in "biu":
        return g
    with np.errstate(all="ignore"):
        return g.astype("float16").astype(g.dtype)
