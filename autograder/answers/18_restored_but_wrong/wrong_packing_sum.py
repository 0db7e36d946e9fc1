"""The checksum is the sum of the bytes."""

EXPECT = {"18/my_packing": "WRONG sum"}


def my_packing():
    def pack(gradients):
        head = json.dumps([(g.dtype.name, g.shape) for g in gradients]).encode()
        body = head + b"\n" + b"".join(g.tobytes() for g in gradients)
        return sum(body).to_bytes(4, "big") + body

    def unpack(message):
        total, body = int.from_bytes(message[:4], "big"), message[4:]
        if total != sum(body) or not body:
            raise ValueError("damaged")
        try:
            head, body = body.split(b"\n", 1)
            found = []
            for name, shape in json.loads(head):
                size = int(np.prod(shape)) * np.dtype(name).itemsize
                found.append(np.frombuffer(body[:size], np.dtype(name)).reshape(shape))
                body = body[size:]
            return found
        except Exception as error:
            raise ValueError("damaged") from error

    return pack, unpack
