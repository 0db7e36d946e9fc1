"""Only the length is verified."""

EXPECT = {"18/my_packing": "WRONG length_only"}


def my_packing():
    def pack(gradients):
        parts = [(g.dtype.name, g.shape, g.tobytes().hex()) for g in gradients]
        text = json.dumps(parts).encode()
        return len(text).to_bytes(4, "big") + text

    def unpack(message):
        if int.from_bytes(message[:4], "big") != len(message) - 4:
            raise ValueError("damaged")
        try:
            parts = json.loads(message[4:])
            read = bytes.fromhex
            return [np.frombuffer(read(b), np.dtype(n)).reshape(s) for n, s, b in parts]
        except Exception as error:
            raise ValueError("damaged") from error

    return pack, unpack
