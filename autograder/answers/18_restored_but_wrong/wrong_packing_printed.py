"""Six digits behind the point."""

import hashlib

EXPECT = {"18/my_packing": "WRONG printed"}


def my_packing():
    def pack(gradients):
        parts = [(g.dtype.name, g.shape, printed(g)) for g in gradients]
        text = json.dumps(parts).encode()
        return hashlib.sha256(text).digest() + text

    def unpack(message):
        if hashlib.sha256(message[32:]).digest() != message[:32]:
            raise ValueError("the message is damaged")
        return [
            np.array(part, dtype=float if name != "int64" else "int64")
            .astype(name)
            .reshape(shape)
            for name, shape, part in json.loads(message[32:])
        ]

    return pack, unpack


def printed(g):
    if g.dtype.kind in "biu":
        return g.ravel().tolist()
    return [float(f"{float(number):f}") for number in g.ravel()]
