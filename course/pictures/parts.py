"""Parts of a figure that say what they are, and when they are shown."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager

import matplotlib as mpl
from matplotlib.artist import Artist
from matplotlib.figure import Figure

# A part keeps its data in the artist's id, which matplotlib writes into the SVG.
_MARK = re.compile(r"part\|(\d+)\|(\d*)\|(.*)", re.DOTALL)
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
_ID = re.compile(r"""id=(["'])part\|(\d+)\|(\d*)\|(.*?)\1""", re.DOTALL)


def part(
    artist: Artist, says: str = "", since: int = 0, until: int | None = None
) -> Artist:
    """Mark `artist` as a part of its figure and return it.

    Args:
        artist: a line, patch, text or collection, all of which is one part.
        says: what it is, shown to who points at it or focuses it; nothing if empty.
        since: index of the first moment at which it is shown.
        until: index of the first moment at which it is gone again; never by default.

    Raises:
        ValueError: a moment below 0, or none between `since` and `until`.
    """
    if since < 0 or (until is not None and until <= since):
        raise ValueError(f"a part is shown from 0 or later on, not {since} to {until}")
    artist.set_gid(f"part|{since}|{'' if until is None else until}|{says}")
    return artist


@contextmanager
def at_moment(figure: Figure, moment: int) -> Iterator[None]:
    """Hide, in the block, the parts of `figure` that are not shown at `moment`."""
    hidden = [a for a in figure.findobj() if a.get_visible() and _gone(a, moment)]
    for artist in hidden:
        artist.set_visible(False)
    try:
        yield
    finally:
        for artist in hidden:
            artist.set_visible(True)


def parts_at(figure: Figure, moment: int) -> list[str]:
    """Return what the parts of `figure` say that are shown at `moment`, in order."""
    marks = [_MARK.fullmatch(a.get_gid() or "") for a in figure.findobj()]
    return [m[3] for m in marks if m and m[3] and _shows(m[1], m[2], moment)]


def svg(figure: Figure) -> str:
    """Draw `figure` once, with the parts of all moments, as the text of an SVG element.

    A part is a `<g class="part">` with `data-since`, `data-until` and `data-says`.
    """
    buffer = io.StringIO()
    # letters as outlines: the browser may not have the font, and labels would collide
    with mpl.rc_context({"svg.fonttype": "path"}):
        figure.savefig(buffer, format="svg", facecolor="white", metadata=_NO_METADATA)
    text = buffer.getvalue()
    return _ID.sub(_with_data, text[text.index("<svg") :])


def _with_data(mark: re.Match[str]) -> str:
    _, since, until, says = mark.groups()
    # matplotlib has escaped the text once, but not the other kind of quotes
    says = html.escape(html.unescape(says))
    return f'class="part" data-since="{since}" data-until="{until}" data-says="{says}"'


def _gone(artist: Artist, moment: int) -> bool:
    mark = _MARK.fullmatch(artist.get_gid() or "")
    return mark is not None and not _shows(mark[1], mark[2], moment)


def _shows(since: str, until: str, moment: int) -> bool:
    return int(since) <= moment and (not until or moment < int(until))
