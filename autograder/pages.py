"""The pages in docs/ that the build writes, each by one function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from autograder.claims_page import render_claims_page
from autograder.elsewhere_page import render_elsewhere_page
from autograder.field_page import render_field
from autograder.find_page import render_find
from autograder.guide import render_guide
from autograder.messages_page import render_messages
from autograder.places import Places
from autograder.probes_file import render_probes_file
from autograder.source import Source
from autograder.triage import render_triage

# a file in docs/ -> what makes its text out of the course and its sources, in order
PAGES: dict[str, Callable[[Places, list[Source]], str]] = {
    "claims.md": render_claims_page,
    "elsewhere.md": render_elsewhere_page,
    "field.md": render_field,
    "find.html": render_find,
    "messages.md": render_messages,
    "probes.py": render_probes_file,
    "triage.md": render_triage,
    "workshop.md": render_guide,
}


def pages(places: Places, sources: list[Source]) -> Iterator[tuple[Path, str]]:
    """Yield each page's path and text; none where a course has no docs/."""
    if places.docs.is_dir():
        for name, render in PAGES.items():
            yield places.docs / name, render(places, sources)
