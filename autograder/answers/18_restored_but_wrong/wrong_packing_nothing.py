"""The message is empty, and so is what is made of it."""

EXPECT = {"18/my_packing": "WRONG"}


def my_packing():
    def pack(gradients):
        return b""

    def unpack(message):
        return []

    return pack, unpack
