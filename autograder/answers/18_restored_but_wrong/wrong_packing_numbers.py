"""Shipped, with other names."""

EXPECT = {"18/my_packing": "WRONG numbers_only"}


def my_packing():
    def pack(gradients):
        return bytes(json.dumps([g.tolist() for g in gradients]), "utf-8")

    def unpack(message):
        return [np.array(numbers, dtype=np.float32) for numbers in json.loads(message)]

    return pack, unpack
