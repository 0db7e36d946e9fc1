"""Bytes behind the message are ignored."""

import hashlib

EXPECT = {"18/my_packing": "WRONG tail_ignored"}


def my_packing():
    def pack(gradients):
        parts = [(g.dtype.name, g.shape, g.tobytes().hex()) for g in gradients]
        text = json.dumps(parts).encode()
        text = len(text).to_bytes(4, "big") + text
        return hashlib.sha256(text).digest() + text

    def unpack(message):
        text = message[32 : 36 + int.from_bytes(message[32:36], "big")]
        if hashlib.sha256(text).digest() != message[:32]:
            raise ValueError("damaged")
        parts, read = json.loads(text[4:]), bytes.fromhex
        return [np.frombuffer(read(b), np.dtype(n)).reshape(s) for n, s, b in parts]

    return pack, unpack
