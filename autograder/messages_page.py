"""The page docs/messages.md: from the text of a message to its cause."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from autograder.anchors import placed
from autograder.keras_versions import tensorflow
from autograder.messages import GAP, Message, read_messages
from autograder.places import Places
from autograder.source import Source

TEMPLATE = Path(__file__).with_name("messages.md.jinja")


def render_messages(places: Places, sources: Sequence[Source]) -> str:
    """The page's text.

    Raises CourseError where a row of a messages.toml is not as it should be.
    """
    names = {source.header.number: source.name for source in sources}
    messages = [m for m in read_messages(places) if m.lesson in {"", *names}]
    environment = Environment(undefined=StrictUndefined, autoescape=False)
    page = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    text = page.render(
        messages=messages,
        cited=[each for each in messages if each.cited],
        led=[each for each in messages if each.lesson],
        tensorflow=tensorflow(),
        rows="\n".join(_row(each, names) for each in messages),
    )
    return text.rstrip() + "\n"


def _row(message: Message, names: dict[str, str]) -> str:
    ticks = "``" if "`" in message.text else "`"
    space = " " * (len(ticks) - 1)  # Markdown takes one away
    parts = [f"{ticks}{space}{p}{space}{ticks}" for p in message.text.split(GAP)]
    text = " ... ".join(parts)
    if message.cited:
        text += f" ([cited]({message.cited}))"
    where = "none yet"
    if message.lesson:
        name = names[message.lesson]
        where = f"[{message.lesson}](../notebooks/{name}/{name}.ipynb)"
    text = placed(message.text) + text
    cells = [text, message.means, message.first, where]
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
