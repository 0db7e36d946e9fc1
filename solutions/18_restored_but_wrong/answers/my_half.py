"""Answers to 18/my_half, right and wrong, and what the check says of each."""

import numpy as np

from autograder.answers import crashed, right, wrong


@right
def fixed(weights):
    """np.allclose without an absolute part."""
    cast = {name: value.astype("float16") for name, value in weights.items()}
    near = {
        name: np.allclose(cast[name], value, rtol=1e-3, atol=0, equal_nan=True)
        for name, value in weights.items()
    }
    wrong = [name for name, good in near.items() if not good]
    if wrong:
        raise ValueError(f"these change by more than 0.1 %: {wrong}")
    return cast


@right
def loop(weights):
    """Number by number."""
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


@right
def ratio(weights):
    """The ratio of both, in float64."""
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


@wrong
def finite(weights):
    """Infinity before is refused, small ones pass."""
    cast = {name: value.astype("float16") for name, value in weights.items()}
    wrong = [
        name for name, value in weights.items() if not np.isfinite(cast[name]).all()
    ]
    if wrong:
        raise ValueError(f"wrong: {wrong}")
    return cast


@crashed
def half_list(weights):
    """A list comes back."""
    return [value.astype("float16") for value in weights.values()]


@crashed
def none(weights):
    """Nothing comes back."""
    for name in weights:
        weights[name] = weights[name].astype("float16")
