"""The largest and the smallest number against float16's."""

EXPECT = {"18/my_half": "WRONG above_largest"}


def my_half(weights):
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = []
    for name, v in weights.items():
        if v.max() > np.finfo(np.float16).max or v.min() < -np.finfo(np.float16).max:
            wrong.append(name)
    if wrong:
        raise ValueError(f"not for float16: {wrong}")
    return cast
