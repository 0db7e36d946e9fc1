"""The ratio of both, in float64."""

EXPECT = {"18/my_half": "RIGHT"}


def my_half(weights):
    bad = []
    for name in weights:
        old = weights[name].astype("float64")
        new = weights[name].astype("float16").astype("float64")
        asked = np.isfinite(old) & (old != 0)
        if (np.abs(new[asked] / old[asked] - 1) > 0.001).any():
            bad.append(name)
    if bad:
        raise ValueError("too much is lost in " + " and in ".join(bad))
    return {name: tf.cast(value, tf.float16) for name, value in weights.items()}
