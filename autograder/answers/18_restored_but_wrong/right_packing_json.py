"""JSON with bytes as hex, and a checksum."""

import hashlib

EXPECT = {"18/my_packing": "RIGHT"}


def my_packing():
    def pack(gradients):
        parts = [(g.dtype.name, g.shape, g.tobytes().hex()) for g in gradients]
        text = json.dumps(parts).encode()
        return hashlib.sha256(text).digest() + text

    def unpack(message):
        if hashlib.sha256(message[32:]).digest() != message[:32]:
            raise ValueError("the message is damaged")
        arrays = []
        for name, shape, part in json.loads(message[32:]):
            numbers = np.frombuffer(bytes.fromhex(part), np.dtype(name))
            arrays.append(numbers.reshape(shape))
        return arrays

    return pack, unpack
