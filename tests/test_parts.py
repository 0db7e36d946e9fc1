"""Parts of a figure: what they say, when they are shown, in the SVG and in the PNG."""

import pytest
from bs4 import BeautifulSoup

from course.pictures.parts import at_moment, part, parts_at, svg
from course.pictures.picture import Picture, png
from course.pictures.style import new_figure

SAYS = """replica 1: "a" < 'b' & more"""


def drawn():
    """A figure with a part that comes, one that goes, and one that stays."""
    figure, (axis,) = new_figure()
    comes = part(axis.plot([1], [1], "o")[0], SAYS, since=2)
    goes = part(axis.text(0, 0, "gone"), "it goes", until=2)
    part(axis.plot([0], [0], "s")[0], "it stays")
    return figure, comes, goes


def test_the_svg_says_what_each_part_is_and_when():
    figure, _, _ = drawn()
    page = BeautifulSoup(svg(figure), "html.parser")
    parts = [
        (p["data-says"], p["data-since"], p["data-until"]) for p in page.select(".part")
    ]
    assert sorted(parts) == [
        ("it goes", "0", "2"),
        ("it stays", "0", ""),
        (SAYS, "2", ""),
    ]
    assert page.find("metadata") is None and 'id="part' not in str(page)


def test_at_a_moment_the_other_parts_are_hidden_and_then_shown_again():
    figure, comes, goes = drawn()
    assert sorted(parts_at(figure, 0)) == ["it goes", "it stays"]
    assert sorted(parts_at(figure, 2)) == sorted(["it stays", SAYS])
    with pytest.raises(KeyError), at_moment(figure, 0):
        assert not comes.get_visible() and goes.get_visible()
        raise KeyError
    assert comes.get_visible() and goes.get_visible()


def test_a_png_shows_the_last_moment():
    figure, _, goes = drawn()
    moments = ["at the start", "after 1 step", "after 2 steps"]
    film = png(Picture(figure, "It goes.", (), [], moments))
    goes.remove()
    assert film == png(Picture(figure, "It is gone.", (), [], moments))
    assert film != png(Picture(figure, "At the start.", (), []))


def test_bad_input_gets_a_sentence():
    figure, comes, _ = drawn()
    for since, until in ((-1, None), (3, 3)):
        with pytest.raises(ValueError, match="a part is shown from 0"):
            part(comes, "", since, until)
    with pytest.raises(ValueError, match="1 sentences for 2 moments"):
        Picture(figure, "Two.", (), [], ("a", "b"), ("one.",))
