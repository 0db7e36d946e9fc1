"""Clean the HTML of outputs for feedback: cards and figures stay, scripts go."""

from __future__ import annotations

import functools
import html
import re

import bleach
from bleach.css_sanitizer import ALLOWED_CSS_PROPERTIES, CSSSanitizer
from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

TAGS = {
    *bleach.ALLOWED_TAGS,
    *("div", "pre", "span", "p", "section", "details", "summary", "img"),
    *("table", "thead", "tbody", "tr", "th", "td"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "br", "hr", "del", "dl", "dt", "dd"),
}
LONG = 20_000  # characters; longer texts are not kept for the next page
# none of these can name an address to call
STYLES = {*ALLOWED_CSS_PROPERTIES, "border-left", "margin", "max-width", "padding"}
PICTURE = re.compile(r"data:image/png;base64,[A-Za-z0-9+/=\s]*")
ADDRESS = re.compile(r"(https?://|#)")


def clean_html(source: object) -> str:
    """Return HTML with only harmless tags; stands in for nbconvert's filter."""
    text = str(source)
    try:
        return _clean(text) if len(text) < LONG else _clean.__wrapped__(text)
    except RecursionError:  # tags in tags, thousands deep
        return _as_written(text)


@functools.lru_cache(maxsize=1000)  # a class's pages are alike for the most part
def _clean(source: str) -> str:
    return bleach.clean(
        source,
        tags=TAGS,
        attributes=_allowed,
        protocols={"http", "https", "data"},
        css_sanitizer=CSSSanitizer(allowed_css_properties=STYLES),
    )


@pass_context
def clean_markdown(context: Context, text: str) -> str:
    """Render markdown as nbconvert does, cleaned; stands in for its filter.

    The templates of nbgrader would show the HTML in a learner's text as it is.
    """
    attachments = context.get("cell", {}).get("attachments", {})
    renderer = IPythonRenderer(escape=False, attachments=attachments)
    try:
        return clean_html(MarkdownWithMath(renderer=renderer).render(text))
    except Exception:  # such as a picture whose attachment was not copied with it
        return _as_written(text)


def _as_written(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"


def _allowed(tag: str, name: str, value: str) -> bool:
    if tag == "img" and name == "src":
        return PICTURE.fullmatch(value) is not None
    if tag == "a" and name == "href":
        return ADDRESS.match(value) is not None
    return name in ("class", "id", "style", "title", "alt", "aria-label")
