"""pack returns text."""

EXPECT = {"18/my_packing": "CRASHED"}


def my_packing():
    def pack(gradients):
        return json.dumps([g.tolist() for g in gradients])

    def unpack(message):
        return [np.array(each) for each in json.loads(message)]

    return pack, unpack
