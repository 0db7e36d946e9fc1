"""An assert for a refusal."""

import hashlib

EXPECT = {"18/my_packing": "WRONG another_error"}


def my_packing():
    def pack(gradients):
        parts = [(g.dtype.name, g.shape, g.tobytes().hex()) for g in gradients]
        text = json.dumps(parts).encode()
        return hashlib.sha256(text).digest() + text

    def unpack(message):
        assert hashlib.sha256(message[32:]).digest() == message[:32]
        return [
            np.frombuffer(bytes.fromhex(part), np.dtype(name)).reshape(shape)
            for name, shape, part in json.loads(message[32:])
        ]

    return pack, unpack
