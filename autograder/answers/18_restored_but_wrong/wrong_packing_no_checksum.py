"""No checksum at all."""

EXPECT = {"18/my_packing": "WRONG no_checksum"}


def my_packing():
    def pack(gradients):
        parts = [(g.dtype.name, g.shape, g.tobytes().hex()) for g in gradients]
        return json.dumps(parts).encode()

    def unpack(message):
        try:
            parts, read = json.loads(message), bytes.fromhex
            return [np.frombuffer(read(b), np.dtype(n)).reshape(s) for n, s, b in parts]
        except Exception as error:
            raise ValueError("damaged") from error

    return pack, unpack
