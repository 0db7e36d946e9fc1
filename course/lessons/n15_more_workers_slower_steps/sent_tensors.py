"""What a learner's all-reduce returns must be: a list of tensors."""

from __future__ import annotations

import tensorflow as tf


def verified(answer: object, name: str = "the function") -> list[tf.Tensor]:
    """Return the tensors that a learner's all-reduce returned.

    Raises:
        TypeError: it is no list of tensors.
    """
    wanted = "a list of tensors: for each gradient, its sum over the workers"
    if not isinstance(answer, list | tuple):
        raise TypeError(f"{name} returned {_short(answer)}; it must return {wanted}")
    for item in answer:
        if not isinstance(item, tf.Tensor):
            raise TypeError(
                f"{name} returned a list with {_short(item)} in it; it must return "
                f"{wanted}"
            )
    return list(answer)


def _short(value: object) -> str:
    if isinstance(value, tf.Tensor):
        return f"one tensor of shape {value.shape}"
    text = repr(value)
    return text if len(text) < 60 else f"a {type(value).__name__}"
