"""Places in a table that a link may lead to."""

from __future__ import annotations

import re

LONGEST = 60  # characters


def anchor_of(text: str) -> str:
    """Return the name of the place where a text stands: its first words."""
    words = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return f"row-{words[:LONGEST].rstrip('-')}"


def placed(text: str) -> str:
    """Return the tag that makes the place, for a cell of a table in Markdown."""
    return f'<a id="{anchor_of(text)}"></a>'
