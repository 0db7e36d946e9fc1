"""The small picture of a failure, in the README and on the site's first page."""

from __future__ import annotations

import base64
import io
import re

from nbformat import NotebookNode
from PIL import Image, ImageOps
from PIL.PngImagePlugin import PngInfo

from autograder.places import CourseError
from autograder.source import Source

MADE_OF = "made of"
SIZE = 480, 240  # pixels; shown at half of it
MARGIN = 12
COLOURS = 32
PNG = re.compile(r'src="data:image/png;base64,([^"]+)"')


def thumbnail_path(name: str) -> str:
    """Return where a notebook's thumbnail stands, from the course's root."""
    return f"solutions/{name}/thumbnail.png"


def marked(source: Source) -> tuple[str, str] | None:
    """Return the id of the cell that has the picture, and its parts in percent."""
    found = [c for c in source.cells if "thumbnail" in c.keys]
    return (found[0].id, found[0].keys["thumbnail"]) if found else None


def thumbnail(source: Source, notebook: NotebookNode, code: str) -> bytes:
    """Return the marked picture of a notebook that was run, as a PNG file of SIZE.

    code: a hash of the code that drew it; the file says so.

    Raises:
        CourseError: the marked cell showed no picture.
    """
    cell_id, box = marked(source)
    for cell in notebook.cells:
        shown = [each.get("data", {}) for each in cell.get("outputs", ())]
        for data in shown if cell.id == cell_id else ():
            if found := PNG.search(data.get("text/html", "")):
                return _small(base64.b64decode(found[1]), box, code)
    raise CourseError(f"{source.path}: cell {cell_id} shows no picture to make small.")


def _small(png: bytes, boxes: str, code: str) -> bytes:
    whole = Image.open(io.BytesIO(png)).convert("RGB")
    parts = []
    for box in boxes.split(", "):
        sides = zip(map(int, box.split()), 2 * whole.size, strict=True)
        parts.append(whole.crop([share * pixels // 100 for share, pixels in sides]))
    width, height = sum(p.width for p in parts), max(p.height for p in parts)
    picture = Image.new("RGB", (width, height), "white")
    for k, part in enumerate(parts):
        picture.paste(part, (sum(p.width for p in parts[:k]), 0))
    room = tuple(side - 2 * MARGIN for side in SIZE)
    picture = ImageOps.contain(picture, room, Image.Resampling.LANCZOS)
    whole = ImageOps.pad(ImageOps.expand(picture, MARGIN, "white"), SIZE, color="white")
    out = io.BytesIO()
    told = PngInfo()
    told.add_text(MADE_OF, code)
    whole.quantize(COLOURS).save(out, "PNG", optimize=True, pnginfo=told)
    return out.getvalue()
