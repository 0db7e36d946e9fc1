"""The first page: what the course is, and its failures by picture."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from nbformat import NotebookNode
from PIL import Image

from autograder.published import Published
from autograder.render import launch_badges
from autograder.site.films import VIEW
from autograder.source import Source

PARTS = {
    0: "Start here",
    1: "Part 1: the numbers are wrong",
    2: "Part 2: the numbers are right, the devices are idle",
    3: "Part 3: many workers",
    4: "At the end",
}
WIDTH = 640  # pixels of a card's picture
PNG = re.compile(r'src="data:image/png;base64,([^"]+)"')


@dataclass(frozen=True)
class Card:
    """A failure in the gallery."""

    number: str
    name: str
    title: str
    symptom: str
    part: int
    picture: bytes | None


def card(source: Source, notebook: NotebookNode) -> Card:
    """Return the card of a notebook, with a picture of its executed version."""
    header = source.header
    return Card(
        header.number,
        source.name,
        header.title,
        header.symptoms[0],
        header.part,
        _picture(notebook),
    )


def _picture(notebook: NotebookNode) -> bytes | None:
    """What the instrument shows first: the failure itself; without one, any picture."""
    shown = [
        output.get("data", {})
        for cell in notebook.cells
        for output in cell.get("outputs", ())
    ]
    for data in sorted(shown, key=lambda each: VIEW not in each):
        if found := PNG.search(data.get("text/html", "")):
            return _smaller(base64.b64decode(found[1]))
    return None


def _smaller(png: bytes) -> bytes:
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture.thumbnail((WIDTH, WIDTH))
    out = io.BytesIO()
    picture.quantize(64).save(out, "PNG", optimize=True)
    return out.getvalue()


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
