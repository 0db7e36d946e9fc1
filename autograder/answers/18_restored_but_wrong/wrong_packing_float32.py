"""All come back as float32."""

import hashlib

EXPECT = {"18/my_packing": "WRONG no_dtype"}


def my_packing():
    def pack(gradients):
        parts = [
            ("float32", g.shape, g.astype("float32").tobytes().hex()) for g in gradients
        ]
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
