"""np.savez, which does not know bfloat16."""

import hashlib
import io

EXPECT = {"18/my_packing": "WRONG npz"}


def my_packing():
    def pack(gradients):
        file = io.BytesIO()
        np.savez(file, *gradients)
        return hashlib.sha256(file.getvalue()).digest() + file.getvalue()

    def unpack(message):
        if hashlib.sha256(message[32:]).digest() != message[:32]:
            raise ValueError("damaged")
        held = np.load(io.BytesIO(message[32:]))
        return [held[f"arr_{k}"] for k in range(len(held.files))]

    return pack, unpack
