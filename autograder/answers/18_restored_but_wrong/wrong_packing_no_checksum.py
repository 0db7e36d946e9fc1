"""No checksum at all."""

import pickle

EXPECT = {"18/my_packing": "WRONG no_checksum"}


def my_packing():
    def pack(gradients):
        return pickle.dumps([(g.dtype.name, g.shape, g.tobytes()) for g in gradients])

    def unpack(message):
        try:
            parts = pickle.loads(message)
            return [np.frombuffer(b, np.dtype(n)).reshape(s) for n, s, b in parts]
        except Exception as error:
            raise ValueError("damaged") from error

    return pack, unpack
