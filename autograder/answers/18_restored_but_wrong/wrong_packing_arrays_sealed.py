"""One checksum for each array; dtype and shape stand outside of it."""

EXPECT = {"18/my_packing": "WRONG arrays_sealed_only"}


def my_packing():
    def pack(gradients):
        parts = []
        for g in gradients:
            raw = g.tobytes()
            part = {"dtype": g.dtype.name, "shape": g.shape, "raw": raw.hex()}
            parts.append({**part, "seal": hashlib.sha256(raw).hexdigest()})
        return json.dumps(parts).encode()

    def unpack(message):
        try:
            found = []
            for part in json.loads(message):
                raw = bytes.fromhex(part["raw"])
                if hashlib.sha256(raw).hexdigest() != part["seal"]:
                    raise ValueError("damaged")
                numbers = np.frombuffer(raw, np.dtype(part["dtype"]))
                found.append(numbers.reshape(part["shape"]))
            return found
        except Exception as error:
            raise ValueError("damaged") from error

    return pack, unpack
