"""unpack needs what pack has seen."""

import hashlib

EXPECT = {"18/my_packing": "CRASHED"}


def my_packing():
    kinds = []

    def pack(gradients):
        kinds[:] = [(g.dtype, g.shape) for g in gradients]
        body = b"".join(g.tobytes() for g in gradients)
        return hashlib.sha256(body).digest() + body

    def unpack(message):
        body, found = message[32:], []
        if hashlib.sha256(body).digest() != message[:32]:
            raise ValueError("damaged")
        for k in range(4 if not kinds else len(kinds)):
            dtype, shape = kinds[k]
            size = int(np.prod(shape)) * dtype.itemsize
            found.append(np.frombuffer(body[:size], dtype).reshape(shape))
            body = body[size:]
        return found

    return pack, unpack
