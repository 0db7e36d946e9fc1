"""What holds for every picture: it fits a screen, can be read, and has words."""

import html
import re

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from course.pictures import picture as pictures
from course.pictures.parts import at_moment
from course.pictures.picture import show


def picture_tests(made):
    """Return the test that each picture keeps all rules; `made`: name -> makes it."""

    @pytest.mark.parametrize("name", made)
    def test(name, monkeypatch):
        picture = made[name]()
        last = max(len(picture.moments) - 1, 0)
        for moment in sorted({0, last // 2, last}):
            with at_moment(picture.figure, moment):
                can_be_read(picture)
        has_words(picture, monkeypatch)

    return test


def written(figure):
    """All text of a figure that is drawn: (words, points, box in pixels)."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    outside = {
        id(label)
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
        for label in (tick.label1, tick.label2)
        if not min(axis.get_view_interval())
        <= tick.get_loc()
        <= max(axis.get_view_interval())
    }
    texts = [
        t
        for t in figure.findobj(Text)
        if t.get_visible() and t.get_text() and id(t) not in outside
    ]
    return [(t.get_text(), t.get_fontsize(), Text.get_window_extent(t)) for t in texts]


def can_be_read(picture):
    """Assert that a figure fits its screen, with large text that lies on no other."""
    width, height = picture.figure.get_size_inches()
    assert width <= 10 and height <= 3.5
    page = picture.figure.bbox
    texts = written(picture.figure)
    for words, points, box in texts:
        assert points >= 11, words
        assert box.x0 >= -1 and box.x1 <= page.x1 + 1, f"{words!r} is cut off"
        assert box.y0 >= -1 and box.y1 <= page.y1 + 1, f"{words!r} is cut off"
    for i, (first, _, a) in enumerate(texts):
        for second, _, b in texts[i + 1 :]:
            # the boxes hold some air, so half a pixel more must be shared
            wide = min(a.x1, b.x1) - max(a.x0, b.x0)
            tall = min(a.y1, b.y1) - max(a.y0, b.y0)
            assert wide <= 1 or tall <= 1, f"{first!r} lies on {second!r}"


def has_words(picture, monkeypatch):
    """Assert that a figure is shown with one sentence, and as a table without it."""
    shown = []
    monkeypatch.setattr(pictures, "display", lambda html: shown.append(html.data))
    assert picture.sentence.endswith(".") and len(picture.sentence.split()) < 60
    show(picture)
    show(picture, as_text=True)
    assert f"<p>{html.escape(picture.sentence)}</p>" in shown[0]
    assert "data:image/png" in shown[0] and "data:image/png" not in shown[1]
    assert len(re.findall("<tr>", shown[1])) == len(picture.rows) + 1
    assert all(len(row) == len(picture.header) for row in picture.rows)
