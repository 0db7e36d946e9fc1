"""Dtypes and shapes are not in the checksum."""

import hashlib

EXPECT = {"18/my_packing": "WRONG numbers_sealed_only"}


def my_packing():
    def pack(gradients):
        head = json.dumps([(g.dtype.name, g.shape) for g in gradients]).encode()
        body = b"".join(g.tobytes() for g in gradients)
        return hashlib.sha256(body).digest() + head + b"\n" + body

    def unpack(message):
        head, _, body = message[32:].partition(b"\n")
        if hashlib.sha256(body).digest() != message[:32]:
            raise ValueError("damaged")
        try:
            found = []
            for name, shape in json.loads(head):
                size = int(np.prod(shape)) * np.dtype(name).itemsize
                found.append(np.frombuffer(body[:size], np.dtype(name)).reshape(shape))
                body = body[size:]
            return found
        except Exception as error:
            raise ValueError("damaged") from error

    return pack, unpack
