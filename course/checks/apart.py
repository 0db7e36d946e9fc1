"""Two numbers as words, with as many digits as tell them apart."""

from __future__ import annotations

import numpy as np

DIGITS = range(4, 17)
EXACT = 2.0**53  # above this, float64 cannot hold every whole number


def told_apart(came: object, wanted: object) -> tuple[str, str]:
    """Return two numbers, or two arrays, as texts that differ where they do."""
    for digits in DIGITS:
        texts = _text(came, digits), _text(wanted, digits)
        if texts[0] != texts[1]:
            break
    else:
        return _text(came, DIGITS[0]), _text(wanted, DIGITS[0])
    return texts


def _text(value: object, digits: int) -> str:
    if np.ndim(value):
        return str(np.round(value, digits).tolist())
    number = float(value)
    if number.is_integer() and abs(number) < EXACT:
        return f"{number:.0f}"
    return f"{number:.{digits}g}"
