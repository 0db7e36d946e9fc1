"""The largest change against the largest number."""

EXPECT = {"18/my_half": "WRONG whole_array"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = []
    for name, v in weights.items():
        h = cast[name].astype("float32")
        if np.max(np.abs(h - v)) > 1e-3 * np.max(np.abs(v)):
            wrong.append(name)
    if wrong:
        raise ValueError(f"not for float16: {wrong}")
    return cast
