"""Above float16's largest number."""

EXPECT = {"18/my_half": "WRONG above_largest"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = []
    for name, v in weights.items():
        if (np.abs(v) > 65504).any():
            wrong.append(name)
    if wrong:
        raise ValueError(f"not for float16: {wrong}")
    return cast
