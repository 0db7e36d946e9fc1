"""np.savez of bytes as uint8, with the dtypes beside."""

import hashlib
import io

EXPECT = {"18/my_packing": "RIGHT"}


def my_packing():
    def pack(gradients):
        file = io.BytesIO()
        arrays = {
            f"{k} {g.dtype.name} {','.join(map(str, g.shape))}": np.frombuffer(
                g.tobytes(), np.uint8
            )
            for k, g in enumerate(gradients)
        }
        np.savez(file, **arrays)
        return seal(file.getvalue()) + file.getvalue()

    def unpack(message):
        if message[:64] != seal(message[64:]):
            raise ValueError("damaged")
        found = []
        with np.load(io.BytesIO(message[64:])) as held:
            for key in held.files:
                _, name, shape = key.split(" ")
                sizes = [int(each) for each in shape.split(",") if each]
                numbers = np.frombuffer(held[key].tobytes(), np.dtype(name))
                found.append(numbers.reshape(sizes))
        return found

    return pack, unpack


def seal(body):
    return hashlib.sha256(body).hexdigest().encode()
