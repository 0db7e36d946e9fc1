"""Show a picture: a figure, one sentence on what it shows, the same as a table."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence
from dataclasses import dataclass

from IPython.display import HTML, display
from matplotlib.figure import Figure

from course.learner.predictions import recall
from course.pictures.parts import at_moment

DOTS_PER_INCH = 200  # twice what is shown, so that text stays sharp when zoomed
SHOWN_PER_INCH = 96


@dataclass(frozen=True)
class Picture:
    """A figure that says one thing; with moments, a film.

    sentence: what it shows, in words; it stands visibly under the figure.
    header, rows: the same as a table, for `as_text=True`.
    moments: names of the moments one can move through, such as "after step 3"; which
        part of the figure is shown when, `course.pictures.parts` says.
    said: a sentence for each moment; none: `sentence` for all of them.
    """

    figure: Figure
    sentence: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    moments: Sequence[str] = ()
    said: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.said and len(self.said) != len(self.moments):
            raise ValueError(
                f"{len(self.said)} sentences for {len(self.moments)} moments"
            )


def show(
    picture: Picture, *, prediction: str | None = None, as_text: bool = False
) -> None:
    """Show `picture` with its sentence, or as a table.

    Args:
        picture: made by a function of a lesson or of `course.pictures`.
        prediction: number of a notebook; under the picture stands first what the
            learner predicted there, and what came.
        as_text: show the table instead of the figure.

    Raises:
        TypeError: `picture` is not a Picture.
    """
    if not isinstance(picture, Picture):
        raise TypeError(
            "show takes a picture, such as show(weights_plane(...)), "
            f"not {type(picture).__name__}"
        )
    body = _table(picture) if as_text else _image(picture)
    display(HTML(body + recalled(prediction) + _paragraph(picture.sentence)))


def still(picture: Picture) -> str:
    """Return `picture`, at its last moment, with its sentence, as HTML."""
    return _image(picture) + _paragraph(picture.sentence)


def recalled(prediction: str | None) -> str:
    """Return what the learner predicted in that notebook and what came, as HTML."""
    told = recall(prediction) if prediction else ""
    return f"<p><strong>{html.escape(told)}</strong></p>" if told else ""


def _paragraph(text: str) -> str:
    return f"<p>{html.escape(text)}</p>"


def _image(picture: Picture) -> str:
    width = picture.figure.get_size_inches()[0] * SHOWN_PER_INCH
    return (
        f'<img src="data:image/png;base64,{base64.b64encode(png(picture)).decode()}" '
        f'alt="{html.escape(picture.sentence)}" '
        f'style="width:{width:.0f}px;max-width:100%;background-color:#fff">'
    )


def png(picture: Picture) -> bytes:
    """Return the figure, at its last moment, as a PNG file."""
    buffer = io.BytesIO()
    with at_moment(picture.figure, max(len(picture.moments) - 1, 0)):
        picture.figure.savefig(
            buffer, format="png", dpi=DOTS_PER_INCH, facecolor="white", metadata={}
        )
    return buffer.getvalue()


def _table(picture: Picture) -> str:
    body = "".join(_row(cells, "td") for cells in picture.rows)
    head = _row(picture.header, "th")
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def _row(cells: Sequence[str], tag: str) -> str:
    inner = "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells)
    return f"<tr>{inner}</tr>"
