"""Read from a notebook's text which jobs it draws."""

from __future__ import annotations

import ast
import re

from autograder.one_parser import parse


def drawn_in(text: str) -> dict:
    """Return the arguments of the call `mystery(seed=...)` in a notebook's text.

    Raises:
        ValueError: there is no such call, or its arguments are no plain values.
    """
    found = re.search(r"\bmystery\(.*\)", text)
    if found is None:
        raise ValueError("no cell calls mystery(seed=...)")
    call = parse(found[0], mode="eval").body
    return {each.arg: ast.literal_eval(each.value) for each in call.keywords}
