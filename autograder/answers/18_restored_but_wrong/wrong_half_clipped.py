"""Set to the largest number."""

EXPECT = {"18/my_half": "WRONG clipped"}


def my_half(weights):
    top = np.finfo("float16").max
    cut = {n: np.clip(v, -float(top), float(top)) for n, v in weights.items()}
    return {n: v.astype("float16") for n, v in cut.items()}
