"""Feedback shows cards and figures, and nothing that runs."""

from html.parser import HTMLParser

import pytest

from autograder.sanitize import clean_html
from course.checks.verdicts import Outcome, Verdict

CARD = Verdict("02/my_step", Outcome.WRONG, 20, ("Called with 1 < 2 rows.",))
FIGURE = (
    '<img src="data:image/png;base64,iVBORw0KGgo=" alt="Four paths." style="width:9px">'
)


class Tags(HTMLParser):
    """Collects the tags of a page with their attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def test_a_card_stays_a_card():
    cleaned = clean_html(CARD._repr_mimebundle_()["text/html"])
    assert cleaned.startswith("<section") and "&lt;section" not in cleaned
    assert "border-left" in cleaned and "Called with 1 &lt; 2 rows." in cleaned


def test_a_figure_stays_a_figure():
    cleaned = clean_html(FIGURE)
    assert 'src="data:image/png;base64,iVBORw0KGgo="' in cleaned
    assert 'alt="Four paths."' in cleaned


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        '<img src="x" onerror="alert(1)">',
        '<img src="data:text/html,<script>alert(1)</script>">',
        '<img src="http://tracker.example/pixel.png">',
        '<a href="javascript:alert(1)">x</a>',
        '<a href="data:text/html,<script>alert(1)</script>">x</a>',
        '<p style="background:url(javascript:alert(1))">x</p>',
        '<iframe src="http://tracker.example"></iframe>',
    ],
)
def test_what_runs_or_calls_home_goes(attack):
    tags = Tags(clean_html(attack)).found
    assert not {"script", "iframe"} & {tag for tag, _ in tags}
    for _, attributes in tags:
        assert not set(attributes) & {"src", "href", "onerror"}
        assert "url(" not in (attributes.get("style") or "")


def test_a_harmless_link_stays():
    (link,) = Tags(clean_html('<a href="https://example.org">x</a>')).found
    assert link == ("a", {"href": "https://example.org"})
