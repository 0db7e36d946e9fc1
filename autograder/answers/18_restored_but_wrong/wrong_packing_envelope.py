"""A checksum and the text that it covers, both in JSON."""

import zlib

EXPECT = {"18/my_packing": "WRONG envelope"}


def my_packing():
    def pack(gradients):
        parts = [(g.dtype.name, g.shape, g.tobytes().hex()) for g in gradients]
        text = json.dumps(parts)
        return json.dumps({"c": zlib.crc32(text.encode()), "b": text}).encode()

    def unpack(message):
        try:
            held = json.loads(message)
            text = held["b"]
            seal = held["c"]
        except Exception as error:
            raise ValueError("damaged") from error
        if zlib.crc32(text.encode()) != seal:
            raise ValueError("damaged")
        return [
            np.frombuffer(bytes.fromhex(part), np.dtype(name)).reshape(shape)
            for name, shape, part in json.loads(text)
        ]

    return pack, unpack
