"""TensorFlow's own format, a length for each, and crc32."""

import zlib

EXPECT = {"18/my_packing": "RIGHT"}


def my_packing():
    def pack(gradients):
        body = b""
        for g in gradients:
            name = g.dtype.name.encode().ljust(16)
            part = name + tf.io.serialize_tensor(g).numpy()
            body += len(part).to_bytes(4, "big") + part
        return zlib.crc32(body).to_bytes(4, "big") + body

    def unpack(message):
        body = message[4:]
        if zlib.crc32(body).to_bytes(4, "big") != message[:4]:
            raise ValueError("damaged")
        found = []
        while body:
            size = int.from_bytes(body[:4], "big")
            part, body = body[4 : 4 + size], body[4 + size :]
            dtype = tf.as_dtype(part[:16].decode().strip())
            found.append(tf.io.parse_tensor(part[16:], dtype))
        return found

    return pack, unpack
