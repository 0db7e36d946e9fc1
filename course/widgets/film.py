"""Move through a picture: step by step with a slider, or as a film."""

from __future__ import annotations

import html
from collections.abc import Callable

import ipywidgets
from IPython.display import display

from course.pictures.picture import Picture, png

FRAMES = 20  # of a film
FRAME_MS = 500  # between two of them: enough to draw one on a busy core


def step_slider(picture_at: Callable[[int], Picture], steps: int) -> None:
    """Show `picture_at(step)` under a slider from 0 to `steps`.

    The slider moves by mouse, by arrow keys, or by typing the step. Without widgets,
    `show(picture_at(3))` shows one step.
    """
    slider = ipywidgets.IntSlider(
        value=steps, min=0, max=steps, description="after step", continuous_update=False
    )
    slider.layout.width = "30em"
    display(ipywidgets.VBox([slider, *_pictures(slider, picture_at)]))


def play(picture_at: Callable[[float], Picture], seconds: float) -> None:
    """Show `picture_at(moment)` for moments from 0 to `seconds`, as a film.

    It plays and stops by mouse or, with the focus on it, by the space bar; the slider
    below it moves by arrow keys. Without widgets, `show(picture_at(3.0))` shows one
    moment.
    """
    slider = ipywidgets.IntSlider(
        value=FRAMES, min=0, max=FRAMES, readout=False, continuous_update=False
    )
    slider.layout.width = "30em"
    film = ipywidgets.Play(min=0, max=FRAMES, value=FRAMES, interval=FRAME_MS)
    ipywidgets.jslink((film, "value"), (slider, "value"))
    figure, sentence = _pictures(
        slider, lambda frame: picture_at(seconds * frame / FRAMES)
    )
    controls = ipywidgets.HBox([film, ipywidgets.Label("start to end:"), slider])
    display(ipywidgets.VBox([controls, figure, sentence]))


def _pictures(
    slider: ipywidgets.IntSlider, picture_at: Callable[[int], Picture]
) -> tuple[ipywidgets.Image, ipywidgets.HTML]:
    """Make an image and a sentence that follow the slider."""
    figure = ipywidgets.Image(format="png")
    sentence = ipywidgets.HTML()
    drawn: dict[int, tuple[bytes, str, str]] = {}  # a film is played more than once

    def draw(change: dict | None = None) -> None:
        if slider.value not in drawn:
            picture = picture_at(slider.value)
            width = f"{picture.figure.get_size_inches()[0] * 96:.0f}px"
            said = f"<p>{html.escape(picture.sentence)}</p>"
            drawn[slider.value] = png(picture), width, said
        figure.value, figure.layout.width, sentence.value = drawn[slider.value]

    slider.observe(draw, "value")
    draw()
    return figure, sentence
