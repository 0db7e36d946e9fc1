"""The page docs/field.md: what people met at work, and which notebook has it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from autograder.field import Thread, read_field
from autograder.places import Places
from autograder.probes import read_probes
from autograder.source import Source

TEMPLATE = Path(__file__).with_name("field.md.jinja")


def render_field(places: Places, sources: Sequence[Source]) -> str:
    """The page's text.

    Raises CourseError where a row of a field.toml is not as it should be.
    """
    numbers = {source.header.number for source in sources}
    threads = [t for t in read_field(places) if t.lesson in {"", *numbers}]
    probes = {source.name: read_probes(source) for source in sources}
    names = {each.name for own in probes.values() for each in own}
    threads = [t if t.probe in names else replace(t, remade="") for t in threads]
    remade = [each for each in threads if each.remade]
    settled = [each for each in threads if each.cause]
    led = [each for each in threads if each.lesson]
    paged = [each for each in threads if each.page]
    others = [each for each in threads if not each.lesson and not each.page]

    def probes_of(name: str) -> str:
        links = [f"[{each.name}](triage.md#{each.name})" for each in probes[name]]
        return f"; its probe: {', '.join(links)}." if links else "."

    groups = [
        (source.name, source.header, own)
        for source in sources
        if (own := [t for t in led if t.lesson == source.header.number])
    ]
    environment = Environment(
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    page = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    text = page.render(
        threads=threads,
        settled=settled,
        by=Counter(each.settled for each in threads),
        led=led,
        others=others,
        remade=remade,
        paged=[(page, [t for t in paged if t.page == page]) for page in _pages(paged)],
        gaps=[(gap, [t for t in others if t.gap == gap]) for gap in _gaps(others)],
        groups=groups,
        probes=probes_of,
        title=_title,
        table=_table,
    )
    return text.rstrip() + "\n"


def _title(page: str) -> str:
    text = TEMPLATE.with_name(f"{page}.jinja").read_text(encoding="utf-8")
    return re.search(r"^# (.+)$", text, re.MULTILINE)[1]


def _pages(threads: Sequence[Thread]) -> list[str]:
    return sorted({each.page for each in threads})


def _gaps(threads: Sequence[Thread]) -> list[str]:
    """Why there is no notebook: what most threads are about comes first."""
    return [gap for gap, _ in Counter(each.gap for each in threads).most_common()]


def _table(threads: Sequence[Thread]) -> str:
    lines = ["| What was seen | What it was | Where |", "|:--|:--|:--|"]
    return "\n".join([*lines, *map(_row, threads)])


def _row(thread: Thread) -> str:
    ticks = "``" if "`" in thread.error else "`"
    space = " " * (len(ticks) - 1)  # Markdown takes one away
    error = f" {ticks}{space}{thread.error}{space}{ticks}" if thread.error else ""
    seen = f"{thread.symptom}{error}"
    was = f"{thread.cause or '**Open.**'} {thread.remedy}".strip()
    where = f"[{thread.project}]({thread.address})"
    if thread.versions:
        where += f", {thread.versions}"
    if thread.remade:
        where += f"; [made again](../{thread.remade})"
        where += f", found by [{thread.probe}](triage.md#{thread.probe})"
    cells = [part.replace("|", "\\|") for part in (seen, was, where)]
    return f"| {' | '.join(cells)} |"
