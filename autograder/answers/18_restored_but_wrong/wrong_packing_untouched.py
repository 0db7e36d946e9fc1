"""The shipped code, renamed."""

EXPECT = {"18/my_packing": "NOT ATTEMPTED"}


def my_packing():
    def pack(gradients):
        return json.dumps([each.tolist() for each in gradients]).encode()

    def unpack(message):
        return [np.array(each, "float32") for each in json.loads(message)]

    return pack, unpack
