"""Show a picture as a film: moved through, and pointed at, without the kernel."""

from __future__ import annotations

from pathlib import Path

import anywidget
import ipywidgets
import traitlets
from IPython.display import HTML, display

from course.pictures.parts import svg
from course.pictures.picture import SHOWN_PER_INCH, Picture, recalled, still

_HERE = Path(__file__)
VIEW = "application/vnd.jupyter.widget-view+json"


class Film(anywidget.AnyWidget):
    """The widget in the browser: film.js draws what `shown` holds.

    shown: svg, moments, said and width (pixels) of a Picture.
    alone: nothing in the kernel answers to it, so a restart changes nothing.
    stale: the knobs say something else than what is shown, which then is pale.
    """

    _esm = _HERE.with_suffix(".js")
    _css = _HERE.with_suffix(".css")
    shown = traitlets.Dict().tag(sync=True)
    alone = traitlets.Bool(True).tag(sync=True)
    stale = traitlets.Bool(False).tag(sync=True)

    def show(self, picture: Picture) -> None:
        """Show `picture`; a reader who was at the end of the last one stays there."""
        moments = list(picture.moments)
        self.shown = {
            "svg": svg(picture.figure),
            "moments": moments,
            "said": list(picture.said) or [picture.sentence],
            "width": round(picture.figure.get_size_inches()[0] * SHOWN_PER_INCH),
        }


def film(picture: Picture, prediction: str | None = None) -> None:
    """Show `picture`, to be moved through (where it has moments) and pointed at.

    Without widgets, its last moment stands there, as `show(picture)` shows it.

    Args:
        picture: see `course.pictures.picture` and `course.pictures.parts`.
        prediction: number of a notebook; what the learner predicted stands first.
    """
    said = recalled(prediction)
    if said:
        display(HTML(said))
    moving = Film()
    moving.show(picture)
    display_with(picture, moving)


def display_with(
    instead: Picture, film: Film, around: ipywidgets.Widget | None = None
) -> None:
    """Display `film`, or a box `around` it; where no widgets are, `instead`."""
    bundle = film._repr_mimebundle_()  # it knows what Colab wants to be told
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    view = {**data[VIEW], "model_id": (around or film).model_id}
    told = {"text/plain": instead.sentence, "text/html": still(instead)}
    display({**told, VIEW: view}, metadata=metadata, raw=True)
