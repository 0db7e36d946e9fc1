"""Number by number."""

EXPECT = {"18/my_half": "RIGHT"}


def my_half(weights):
    found, halves = {}, {}
    for name, value in weights.items():
        halves[name] = np.float16(value)
        for one, two in zip(value.flat, halves[name].flat, strict=True):
            if (
                np.isfinite(one)
                and abs(float(two) - float(one)) > abs(float(one)) / 1000
            ):
                found[name] = float(one)
    if found:
        raise ValueError(str(found))
    return halves
