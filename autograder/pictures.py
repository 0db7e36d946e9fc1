"""Make the README's pictures, from real runs: `make picture`.

A film of notebook 09, and for each failure the picture whose cell its author marked
with `thumbnail`: one that shows what it is about, and answers no prediction. A file
says in itself from which code it was made.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from PIL import Image
from rich.console import Console

from autograder.executed import executed
from autograder.moving_picture import CELLS, NOTEBOOK, moving_picture
from autograder.places import Places, course_places
from autograder.source import Source, read_source
from autograder.thumbnails import MADE_OF, marked, thumbnail, thumbnail_path
from course.whole_files import write_whole

FILM = "images/in_turn_or_at_once.gif"


def stale(places: Places) -> dict[Path, tuple[Source, str]]:
    """Return pictures that are missing, or whose code has changed since.

    Path -> the notebook that shows it, and a short hash of its code.
    """
    wanted = {}
    for name in places.names():
        source = read_source(places.source(name))
        if source.name.partition("_")[2] == NOTEBOOK:
            wanted[places.root / FILM] = source, _hash(source, CELLS[-1])
        if marked(source):
            path = places.root / thumbnail_path(name)
            wanted[path] = source, _hash(source, *marked(source))
    return {path: of for path, of in wanted.items() if made_of(path) != of[1]}


def made_of(path: Path) -> str | None:
    """Return the hash of the code that a picture says it was made from."""
    if not path.is_file():
        return None
    told = Image.open(path).info
    comment = told.get("comment", b"").decode()  # where a GIF has room for words
    return told.get(MADE_OF, comment)


def _hash(source: Source, last: str, box: str = "") -> str:
    """Hash a notebook's code up to a cell, and which part of its picture is taken.

    A notebook that only gets another number needs no other picture.
    """
    number = rf"(?<=[\"n]){source.header.number}(?=[\"/_])"
    digest = hashlib.sha256(box.encode())
    for cell in source.cells:
        if cell.kind == "code":
            text = re.sub(number, "NN", cell.text)
            digest.update(f"{cell.id} {text}".encode() + b"\0")
        if cell.id == last:
            break
    return digest.hexdigest()[:12]


def main() -> None:
    """Make those that are stale; say which."""
    places, console = course_places(), Console()
    for path, (source, code) in stale(places).items():
        if path == places.root / FILM:
            cells = {cell.id: cell.text for cell in source.cells}
            data = moving_picture(cells, code)
        else:
            notebook = executed(places, source.name, console)
            data = thumbnail(source, notebook, code)
        write_whole(path, data)
        console.print(f"wrote {path} ({len(data) / 1000:.0f} kB)")


if __name__ == "__main__":
    main()
