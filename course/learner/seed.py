"""The seed from which all checks draw their cases."""

from __future__ import annotations

import os

DEFAULT_SEED = 20


def course_seed() -> int:
    """Return COURSE_SEED, or the seed of all learners where it is not set.

    Raises:
        ValueError: COURSE_SEED is not a whole number from 0 up.
    """
    text = os.environ.get("COURSE_SEED", "").strip() or str(DEFAULT_SEED)
    if not text.isdecimal():
        raise ValueError(
            f"COURSE_SEED must be a whole number from 0 up, not {text!r}. "
            "Correct it, or leave it out for the learners' own seed."
        )
    return int(text)
