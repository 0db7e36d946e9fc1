"""The first page: what the course is, and its failures by picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from autograder.published import Published
from autograder.render import launch_badges
from autograder.source import Source
from autograder.thumbnails import marked, thumbnail_path

PARTS = {
    0: "Start here",
    1: "Part 1: the numbers are wrong",
    2: "Part 2: the numbers are right, the devices are idle",
    3: "Part 3: many workers",
    4: "At the end",
}


@dataclass(frozen=True)
class Card:
    """A failure in the gallery."""

    number: str
    name: str
    title: str
    symptom: str
    part: int
    picture: bytes | None


def card(source: Source, root: Path) -> Card:
    """Return the card of a notebook, with its thumbnail where it has one.

    root: of the course.
    """
    header, picture = source.header, root / thumbnail_path(source.name)
    return Card(
        header.number,
        source.name,
        header.title,
        header.symptoms[0],
        header.part,
        picture.read_bytes() if marked(source) else None,
    )


def index(
    cards: Sequence[Card],
    docs: Sequence[str],
    published: Published | None,
    tensorflow: str,
) -> str:
    """Return the first page's text, in MyST Markdown.

    docs: the other pages; tensorflow: the version that all was run with.
    """
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    by_part: Mapping[int, list[Card]] = {
        part: list(these) for part, these in groupby(cards, key=lambda each: each.part)
    }
    return environment.get_template("index.md.jinja").render(
        first=cards[0],
        launches=launch_badges(published),
        address=published.address if published else "",
        count=len(cards),
        tensorflow=tensorflow,
        docs=[name.removesuffix(".md") for name in docs],
        parts=[(PARTS[part], these) for part, these in by_part.items()],
    )
