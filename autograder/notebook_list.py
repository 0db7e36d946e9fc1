"""The package's own list of the notebooks, for kernels far from their folder."""

from __future__ import annotations

import json
from collections.abc import Sequence

from autograder.published import Published
from autograder.render import minutes_in_short
from autograder.source import Source, checked_exercise

LIST = "course/learner/notebooks.json"  # as course/learner/course_map.py reads it


def facts_of(source: Source) -> dict:
    """What a notebook's metadata, and the list, say of it."""
    return {
        "number": source.header.number,
        "title": source.header.title,
        "minutes": minutes_in_short(source.header),
        "exercises": [
            checked_exercise(each.text) for each in source.cells if each.role == "check"
        ],
    }


def notebook_list(sources: Sequence[Source], published: Published | None) -> str:
    """The list's text; a link leads to Colab where the course is published for it."""
    on_colab = published is not None and published.has_colab
    facts = [
        {**facts_of(each), "link": published.on_colab(each.name) if on_colab else ""}
        for each in sources
    ]
    return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"
