"""The difference's norm against the array's."""

EXPECT = {"18/my_half": "WRONG whole_array"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = []
    for name, v in weights.items():
        h = cast[name].astype("float32")
        if np.linalg.norm(h - v) > 1e-3 * np.linalg.norm(v):
            wrong.append(name)
    if wrong:
        raise ValueError(f"not for float16: {wrong}")
    return cast
